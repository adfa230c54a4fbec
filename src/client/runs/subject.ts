/**
 * What the stage is about: the environment of the draft, and the run whose policy acts in it, if the active run is of that environment.
 * The draft's settings may differ from those the run was trained with: its policy then acts in the changed world.
 */
import { sameJson } from '#contract/canonical.ts';
import type { EnvCard } from '#contract/catalog.ts';
import type { PolicySnapshot } from '#contract/events.ts';
import type { Json, JsonObject } from '#contract/json.ts';
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
  /** What the draft's world has otherwise than the one the run was started in, in words; empty: the same world. */
  readonly changes: readonly string[];
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
  const group = active !== null && active.config.env.id === config.env.id ? active : null;
  const seed = group === null ? 0 : shownSeed(group);
  const policy = group === null ? null : newestPolicy(group.id, seed);
  const changes = group === null ? [] : changesOf(env, group.config.env.config as JsonObject, config.env.config as JsonObject);
  return { env, ref: { id: config.env.id, config: config.env.config as EnvCard['defaults'] }, group, seed, policy, changes };
}

/** "gravity 9.8 m/s², here 30", for every setting of the world that differs. */
function changesOf(env: EnvCard, trained: JsonObject, here: JsonObject): readonly string[] {
  const keys = [...new Set([...Object.keys(trained), ...Object.keys(here)])].filter((key) => !sameJson(trained[key], here[key]));
  return keys.map((key) => {
    const { title = key, unit } = env.schema?.properties?.[key] ?? {};
    const [then, now] = [shortValue(trained[key]), shortValue(here[key])];
    return then === null || now === null ? `another ${title}` : `${title} ${then}, here ${now}${unit === undefined ? '' : ` ${unit}`}`;
  });
}

/** null: too long for a sentence. */
function shortValue(value: Json | undefined): string | null {
  return typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean' ? String(value) : null;
}
