/** Sweeps of this page in the order in which they are done. Views read; only the client adds and changes. */
import { createStore } from 'zustand/vanilla';
import type { Failure } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { LeftOut } from '#contract/sweep/differing.ts';
import type { Setup, Swept } from '#contract/sweep/run.ts';
import type { Sweep } from '#contract/sweep/sweep.ts';

export interface SweepEntry {
  readonly id: string;
  /** As its file has it. */
  readonly file: JsonObject;
  readonly sweep: Sweep;
  /** waiting: for those before it. paused: by a person, or by a reload. */
  readonly state: 'waiting' | 'running' | 'paused' | 'done' | 'failed';
  /** Set-ups planned so far; without scores until their round is over. */
  readonly setups: readonly Setup[];
  /** Combinations that cannot differ from one of them. */
  readonly left: readonly LeftOut[];
  /** Hashes of the runs that were asked for so far. */
  readonly asked: readonly string[];
  readonly swept: Swept | null;
  readonly failure: Failure | null;
}

export interface SweepsState {
  readonly entries: readonly SweepEntry[];
}

export const sweepsStore = createStore<SweepsState>(() => ({ entries: [] }));

export const findSweep = (id: string): SweepEntry | null => sweepsStore.getState().entries.find((entry) => entry.id === id) ?? null;

export function changeSweep(id: string, part: Partial<SweepEntry>): void {
  sweepsStore.setState(({ entries }) => ({ entries: entries.map((entry) => (entry.id === id ? { ...entry, ...part } : entry)) }));
}

export function addSweep(entry: SweepEntry): void {
  sweepsStore.setState(({ entries }) => ({ entries: [...entries, entry] }));
}

/** One place earlier (-1) or later (1) in the list. */
export function moveSweep(id: string, by: -1 | 1): void {
  sweepsStore.setState(({ entries }) => {
    const from = entries.findIndex((entry) => entry.id === id);
    const entry = entries[from];
    const to = from + by;
    if (entry === undefined || to < 0 || to >= entries.length) return {};
    return { entries: entries.toSpliced(from, 1).toSpliced(to, 0, entry) };
  });
}

export function removeSweep(id: string): void {
  sweepsStore.setState(({ entries }) => ({ entries: entries.filter((entry) => entry.id !== id) }));
}

/** Sweeps of the last visit stand before those of this one. */
export function recallSweeps(kept: readonly SweepEntry[]): void {
  sweepsStore.setState(({ entries }) => ({ entries: [...kept.filter(({ id }) => findSweep(id) === null), ...entries] }));
}
