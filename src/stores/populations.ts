/**
 * What runs with a population of policies have said about it, by run and seed: the newest report whole, and of all before it the ratings,
 * for their curves. Outside React; `populationsStore.version` ticks with the page's update clock.
 */
import { createStore } from 'zustand/vanilla';
import type { PopulationReport } from '#contract/game/population.ts';
import { atNextUpdate } from './update-clock.ts';

/** Ratings at one step, by member. */
export interface Ratings {
  readonly step: number;
  readonly elo: ReadonlyMap<string, number>;
}

export interface PopulationHistory {
  readonly newest: PopulationReport;
  /** Oldest first, the newest included. */
  readonly ratings: readonly Ratings[];
}

const MOST_RATINGS = 240;

export const populationsStore = createStore<{ readonly version: number }>(() => ({ version: 0 }));

const histories = new Map<string, PopulationHistory>();
let ticking = false;

function changed(): void {
  if (ticking) return;
  ticking = true;
  atNextUpdate(() => {
    ticking = false;
    populationsStore.setState(({ version }) => ({ version: version + 1 }));
  });
}

/** With one more: what came at the same step before is replaced; every second goes when there are too many, never the first and last. */
export function withRatings(ratings: readonly Ratings[], next: Ratings): readonly Ratings[] {
  const all = [...ratings.filter(({ step }) => step !== next.step), next].sort((a, b) => a.step - b.step);
  return all.length > MOST_RATINGS ? all.filter((_, i) => i % 2 === 0 || i === all.length - 1) : all;
}

export const populations = {
  of: (runId: string, seed: number): PopulationHistory | null => histories.get(`${runId}/${seed}`) ?? null,
  /** Reports may come in any order: stored ones after live ones. */
  add(runId: string, seed: number, report: PopulationReport): void {
    const key = `${runId}/${seed}`;
    const before = histories.get(key);
    const elo = new Map(report.members.flatMap(({ id, elo: value }) => (value === null ? [] : [[id, value] as const])));
    histories.set(key, {
      newest: before === undefined || report.step >= before.newest.step ? report : before.newest,
      ratings: withRatings(before?.ratings ?? [], { step: report.step, elo }),
    });
    changed();
  },
  /** A resumed run does again what lies after this step. */
  cut(runId: string, seed: number, afterStep: number): void {
    const before = histories.get(`${runId}/${seed}`);
    if (before === undefined) return;
    histories.set(`${runId}/${seed}`, { ...before, ratings: before.ratings.filter(({ step }) => step <= afterStep) });
    changed();
  },
  drop(runId: string): void {
    for (const key of [...histories.keys()]) if (key.startsWith(`${runId}/`)) histories.delete(key);
    changed();
  },
};
