/**
 * What the stage is about: the environment of the draft, and the run whose policy acts in it, if the active run is of that environment.
 * The draft's settings may differ from those the run was trained with: its policy then acts in the changed world.
 */

import type { EnvCard } from '#contract/catalog/catalog.ts';
import { sameJson } from '#contract/kit/canonical.ts';
import type { Json, JsonObject } from '#contract/kit/json.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { readPath } from '#contract/run/paths.ts';
import { draftStore } from '#stores/draft.ts';
import { findGroup, runsStore } from '#stores/runs.ts';
import type { Mark, RunGroup } from '#stores/types.ts';
import { configAt, isEdit } from './forks.ts';
import { newestPolicy } from './policies.ts';

export interface Subject {
  readonly env: EnvCard;
  readonly ref: { readonly id: string; readonly config: EnvCard['defaults'] };
  readonly group: RunGroup | null;
  /** The seed whose agent is shown: the chosen one, else the first that has learned anything. */
  readonly seed: number;
  readonly policy: PolicySnapshot | null;
  /** How the policy's world of training and the draft's differ. Compared when it is read: the stage asks for its subject at every frame. */
  readonly training: Training;
}

/** The world in which a policy learned, beside the one in which it plays. */
export interface Training {
  /** What was edited while it learned, in words: "gravity 9.8 until step 32,768, then 19.6". */
  readonly edits: readonly string[];
  /** What the world on the stage has otherwise than the last one it learned in: "gravity 9.8, here 19.6". Empty: the same world. */
  readonly changes: readonly string[];
}

const NO_TRAINING: Training = { edits: [], changes: [] };

/** The seed a person chose to watch, per run. */
const chosen = new Map<string, number>();

export function chooseSeed(runId: string, seed: number): void {
  chosen.set(runId, seed);
}

/** The seed on the stage. */
export function shownSeed(group: RunGroup): number {
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
  return {
    env,
    ref: { id: config.env.id, config: config.env.config as EnvCard['defaults'] },
    group,
    seed,
    policy,
    get training() {
      return group === null ? NO_TRAINING : trainingOf(env, group, seed, policy?.step ?? 0, config.env.config as JsonObject);
    },
  };
}

/**
 * How the policy of a seed at a step came about, beside the world of the draft. A draft that is what the run was started with stands for the run as
 * it is, edits included.
 */
export function trainingOf(env: EnvCard, group: RunGroup, seed: number, step: number, draft: JsonObject): Training {
  const run = group.seeds.find((one) => one.seed === seed);
  const start = group.config.env.config as JsonObject;
  if (run === undefined) return { edits: [], changes: changesOf(env, start, draft) };
  const marks = run.marks.filter((mark) => isEdit(mark) && mark.step < step && mark.path?.startsWith('env.') === true);
  const last = configAt(group, run, step).env.config as JsonObject;
  const paths = [...new Set(marks.map(({ path }) => path ?? ''))];
  return {
    edits: paths.map((path) => editsOf(env, path, readPath(group.config, path), marks)).filter((words) => words !== ''),
    changes: sameJson(start, draft) ? [] : changesOf(env, last, draft),
  };
}

const titleOf = (env: EnvCard, key: string): { readonly title: string; readonly unit: string } => {
  const { title = key, unit } = env.schema?.properties?.[key] ?? {};
  return { title, unit: unit === undefined ? '' : ` ${unit}` };
};

/** "gravity 9.8 until step 32,768, then 19.6 m/s²"; of several edits the first value and the last. '': it ended as it began. */
function editsOf(env: EnvCard, path: string, first: Json | undefined, marks: readonly Mark[]): string {
  const own = marks.filter((mark) => mark.path === path);
  const end = own.at(-1);
  if (end === undefined || (own.length === 1 && sameJson(first, end.value))) return '';
  const { title, unit } = titleOf(env, path.split('.')[1] ?? path);
  const [from, to] = [shortValue(first), shortValue(end.value)];
  const at = `step ${end.step.toLocaleString('en')}`;
  if (from === null || to === null) return `another ${title} from ${at} on`;
  return own.length === 1 ? `${title} ${from} until ${at}, then ${to}${unit}` : `${title} ${from}, then others, from ${at} on ${to}${unit}`;
}

/** "gravity 9.8, here 30 m/s²", for every setting of the world that differs. */
function changesOf(env: EnvCard, trained: JsonObject, here: JsonObject): readonly string[] {
  const keys = [...new Set([...Object.keys(trained), ...Object.keys(here)])].filter((key) => !sameJson(trained[key], here[key]));
  return keys.map((key) => {
    const { title, unit } = titleOf(env, key);
    const [then, now] = [shortValue(trained[key]), shortValue(here[key])];
    return then === null || now === null ? `another ${title}` : `${title} ${then}, here ${now}${unit}`;
  });
}

/** null: too long for a sentence. */
function shortValue(value: Json | undefined): string | null {
  return typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean' ? String(value) : null;
}
