/** What a checkpoint keeps of the session itself: where it stands, what was edited, which policies were kept. */

import { sameJson } from '#contract/kit/canonical.ts';
import { type Failure, fail } from '#contract/kit/errors.ts';
import { isObject, type Json, type JsonObject, plainJson } from '#contract/kit/json.ts';
import type { Saved } from '#contract/run/events.ts';
import { flatConfig, nestedEdit, nestedPath } from '#contract/run/flat-settings.ts';
import { setAt } from '#contract/run/paths.ts';
import { type HealthState, healthFrom, healthy } from './health.ts';

/** A live edit as it was applied: at the first safe point at or after `step`. */
export interface Edit {
  readonly step: number;
  readonly path: string;
  readonly value: Json;
}

export interface Memory {
  step: number;
  seconds: number; // spent training
  rung: number; // of the ladder of kept policies
  evaluations: number;
  episodes: number;
  readonly live: Record<string, Json>; // the algorithm's config as it is now
  env: JsonObject; // the environment's config as it is now
  readonly edits: Edit[];
  health: HealthState;
}

/**
 * From a checkpoint, or fresh. Throws LabError('file-invalid') if the checkpoint is another run's, and LabError('config-invalid') naming
 * the first field in which the config it was trained with differs from this one.
 */
export function openMemory(run: OwnSettings, resume: Saved | undefined): Memory {
  const fresh = freshMemory(run);
  if (resume === undefined) return fresh;
  const stored = storedMemory(run, resume);
  const memory = {
    ...fresh,
    ...stored,
    live: copyFields(joined(run.algo, fresh.live, stored.live)),
    env: joined(run.env, fresh.env, stored.env),
    health: healthFrom(stored.health),
  };
  checkSame(run, fresh, stored);
  return memory;
}

/** The registry entry that completes a config, which may be of an older form. */
interface Room {
  readonly id: string;
  parse(config: unknown): JsonObject;
}

/** What a run is started with. */
export interface OwnSettings {
  readonly algo: Room;
  readonly env: Room;
  readonly seed: number;
  /** Of the algorithm, and of the environment. */
  readonly config: JsonObject;
  readonly world: JsonObject;
}

/** A config with another one's settings over it; each may be of an older form. */
const joined = ({ id, parse }: Room, config: JsonObject, over: JsonObject): JsonObject =>
  parse({ ...flatConfig(id, config), ...flatConfig(id, over) });

function freshMemory({ config, world }: OwnSettings): Memory {
  const live = copyFields(config);
  return { step: 0, seconds: 0, rung: 0, evaluations: 0, episodes: 0, live, env: world, edits: [], health: healthy };
}

function storedMemory(run: OwnSettings, { meta }: Saved): Memory {
  if (meta.kind !== 'checkpoint' || meta.algo !== run.algo.id || meta.seed !== run.seed) {
    throw fail('file-invalid', 'This checkpoint belongs to another run.', 'Resume it with its own config and seed.');
  }
  return copyJson(meta.session) as unknown as Memory;
}

/**
 * Of a run that goes on from another one's state with settings of its own. `elsewhere`: it goes on in another world. Throws
 * LabError('file-invalid') for the state of another environment, algorithm or seed.
 */
export function forkMemory(run: OwnSettings, resume: Saved): { readonly memory: Memory; readonly elsewhere: boolean } {
  const fresh = freshMemory(run);
  const stored = storedMemory(run, resume);
  if (resume.meta.env !== run.env.id)
    throw fail(
      'file-invalid',
      'A fork stays in the environment of the run that it goes on from.',
      'Train a new run in the other one.',
      'env.id',
    );
  const { live, env, edits } = fresh;
  const { env: before = run.world }: Partial<Memory> = stored;
  const then = flatConfig(run.env.id, before, true);
  const elsewhere = Object.entries(flatConfig(run.env.id, run.world, true)).some(([key, value]) => !sameJson(then[key] ?? value, value));
  // Other settings are judged by what they train from here on.
  const health = { ...healthy, begun: stored.step };
  return { memory: { ...fresh, ...stored, live, env, edits, health }, elsewhere };
}

/** Why the state of another run cannot go on with settings that ask for a state of another size. */
export function forkFailure({ message, ...failure }: Failure): Failure {
  return {
    ...failure,
    message: `This checkpoint cannot go on with these settings. ${message}`,
    fix: 'Keep the sizes of networks, observations and parallel environments as they were, or train a new run.',
  };
}

/** What was trained is this config with the edits that were made on the way. Fields that the checkpoint does not know are newer than it. */
function checkSame(run: OwnSettings, fresh: Memory, stored: Memory): void {
  const ids = { algo: run.algo.id, env: run.env.id };
  const expected: Memory = { ...fresh, live: copyFields(fresh.live), edits: [] };
  for (const edit of stored.edits) {
    const { path, value } = nestedEdit(ids, expected.live, edit);
    applyEdit(expected, path, value);
  }
  const rooms = [
    ['algo', flatConfig(ids.algo, expected.live, true), flatConfig(ids.algo, stored.live, true)],
    ['env', flatConfig(ids.env, expected.env, true), flatConfig(ids.env, stored.env, true)],
  ] as const;
  for (const [room, now, then] of rooms) {
    for (const [key, value] of Object.entries(now)) {
      if (!Object.hasOwn(then, key) || sameJson(then[key], value)) continue;
      const field = nestedPath(ids, `${room}.${key}`);
      throw fail(
        'config-invalid',
        `This checkpoint was trained with ${field} = ${JSON.stringify(then[key])}, not ${JSON.stringify(value)}.`,
        'Resume it with the config it was started with, or start a new run with this one.',
        field,
      );
    }
  }
}

/** Takes a checked value over and writes it down. `path`: 'algo.KEY' or 'env.KEY', further dots go into objects. */
export function applyEdit(memory: Memory, path: string, value: Json): void {
  const [room, ...keys] = path.split('.');
  if (room === 'env') memory.env = setAt(memory.env, keys, value);
  else put(memory.live, keys, value);
  memory.edits.push({ step: memory.step, path, value });
}

/** Of these edits, in their order, those that this memory has not made yet. */
export function editsToCome(ids: Parameters<typeof nestedEdit>[0], memory: Memory, edits: readonly Edit[]): Edit[] {
  const made = [...memory.edits];
  return edits.filter((edit) => {
    const { path, value } = nestedEdit(ids, memory.live, edit);
    const at = made.findIndex((one) => one.step >= edit.step && one.path === path && sameJson(one.value, value));
    if (at >= 0) made.splice(at, 1);
    return at < 0;
  });
}

/** In place, also within objects: algorithms hold these very objects. */
function put(into: Record<string, Json>, [key = '', ...rest]: readonly string[], value: Json): void {
  const inner = into[key];
  if (rest.length === 0) into[key] = value;
  else if (isObject(inner)) put(inner as Record<string, Json>, rest, value);
}

const copyFields = (config: JsonObject): Record<string, Json> => copyJson(config) as Record<string, Json>;

/** A deep copy of plain JSON: a checkpoint must not change while the run goes on. */
export const copyJson = (value: unknown): Json => plainJson(value ?? {});

/** Kept policies lie denser at the start, where most is learned: rung k of 40 is at step (k / 40)^2 of the budget. */
const RUNGS = 40;

/** The highest rung that `step` has reached. */
export function rungAt(step: number, budget: number): number {
  let rung = Math.floor(RUNGS * Math.sqrt(Math.min(1, step / budget)));
  while (rung < RUNGS && step >= budget * ((rung + 1) / RUNGS) ** 2) rung++;
  return rung;
}
