/** What the stage is about: the environment of the draft, and the run whose policy acts in it, if the active run is of that environment. */
import { sameJson } from '#contract/canonical.ts';
import type { EnvCard } from '#contract/catalog.ts';
import type { PolicySnapshot } from '#contract/events.ts';
import { draftStore } from '#stores/draft.ts';
import { findGroup, runsStore } from '#stores/runs.ts';
import type { RunGroup } from '#stores/types.ts';
import { newestPolicy } from './policies.ts';

export interface Subject {
  readonly env: EnvCard;
  readonly ref: { readonly id: string; readonly config: EnvCard['defaults'] };
  readonly group: RunGroup | null;
  /** The seed whose agent is shown: the chosen one, else the first that has learned anything. */
  readonly seed: number;
  readonly policy: PolicySnapshot | null;
}

/** The seed a person chose to watch, per run. */
const chosen = new Map<string, number>();

export function chooseSeed(runId: string, seed: number): void {
  chosen.set(runId, seed);
}

function shownSeed(group: RunGroup): number {
  const wanted = group.seeds.find(({ seed }) => seed === chosen.get(group.id));
  const learned = group.seeds.find((run) => newestPolicy(group.id, run.seed) !== null);
  return (wanted ?? learned ?? group.seeds[0])?.seed ?? 0;
}

/** null: the environment is not known yet, or its config is not valid. */
export function currentSubject(): Subject | null {
  const { env, config, problems } = draftStore.getState();
  if (env === null || problems.some(({ field }) => field?.startsWith('env') === true)) return null;
  const active = findGroup(runsStore.getState().activeId);
  const group =
    active !== null && active.config.env.id === config.env.id && sameJson(active.config.env.config, config.env.config) ? active : null;
  const seed = group === null ? 0 : shownSeed(group);
  const policy = group === null ? null : newestPolicy(group.id, seed);
  return { env, ref: { id: config.env.id, config: config.env.config as EnvCard['defaults'] }, group, seed, policy };
}
