/** What a checkpoint keeps of the session itself: where it stands, what was edited, which policies were kept. */
import { fail } from '#contract/errors.ts';
import type { Saved } from '#contract/events.ts';
import type { Json, JsonObject } from '#contract/json.ts';
import { type HealthState, healthy } from './health.ts';

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

/** From a checkpoint, or fresh. Throws LabError('file-invalid') if the checkpoint is another run's. */
export function openMemory(
  run: { readonly algo: string; readonly seed: number; readonly config: JsonObject; readonly env: JsonObject },
  resume: Saved | undefined,
): Memory {
  const live = { ...run.config };
  const fresh: Memory = { step: 0, seconds: 0, rung: 0, evaluations: 0, episodes: 0, live, env: run.env, edits: [], health: healthy };
  if (resume === undefined) return fresh;
  const { meta } = resume;
  if (meta.kind !== 'checkpoint' || meta.algo !== run.algo || meta.seed !== run.seed) {
    throw fail('file-invalid', 'This checkpoint belongs to another run.', 'Resume it with its own config and seed.');
  }
  return { ...fresh, ...(copyJson(meta.session) as unknown as Memory) };
}

/** A deep copy of plain JSON: a checkpoint must not change while the run goes on. */
export function copyJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value ?? {})) as Json;
}

/** Kept policies lie denser at the start, where most is learned: rung k of 40 is at step (k / 40)^2 of the budget. */
const RUNGS = 40;

/** The highest rung that `step` has reached. */
export function rungAt(step: number, budget: number): number {
  let rung = Math.floor(RUNGS * Math.sqrt(Math.min(1, step / budget)));
  while (rung < RUNGS && step >= budget * ((rung + 1) / RUNGS) ** 2) rung++;
  return rung;
}
