/**
 * The levels that a run plays again, as its policies carry them (`saved.meta.levels` and arrays of the same order): for each its score, the share of its
 * episodes that were solved, the state in which it begins, and that state's frame.
 */
import { z } from 'zod';
import { FIRST_ISSUE } from '../kit/bounded.ts';
import type { PolicySnapshot } from '../run/events.ts';

/** The most that is read; runs write sixteen. */
const MOST_LEVELS = 64;

const schema = z.object({
  /** All that are kept, these included. */
  kept: z.int().min(0),
  /** What a level is worth by; null: all alike. */
  by: z.string().max(64).nullable(),
  scores: z.array(z.number().nullable()).max(MOST_LEVELS),
  solved: z.array(z.number().min(0).max(1).nullable()).max(MOST_LEVELS),
});

export interface ShownLevel {
  readonly score: number | null;
  /** Share of its episodes with a return above 0; null: none was played. */
  readonly solved: number | null;
  readonly state: Uint8Array;
  readonly frame: Float32Array;
}

export interface ShownLevels {
  readonly kept: number;
  readonly by: string | null;
  /** Best first. */
  readonly levels: readonly ShownLevel[];
}

/** null: this policy carries none, or they are damaged. */
export function levelsOf({ saved }: PolicySnapshot): ShownLevels | null {
  const parsed = schema.safeParse(saved.meta.levels, FIRST_ISSUE);
  const { levelStates: states, levelFrames: frames } = saved.arrays;
  if (!parsed.success || !(states instanceof Uint8Array) || !(frames instanceof Float32Array)) return null;
  const { kept, by, scores, solved } = parsed.data;
  const count = scores.length;
  if (count === 0 || solved.length !== count || states.length % count !== 0 || frames.length % count !== 0) return null;
  const part = <T extends Uint8Array | Float32Array>(all: T, i: number): T =>
    all.slice((i * all.length) / count, ((i + 1) * all.length) / count) as T;
  return {
    kept,
    by,
    levels: scores.map((score, i) => ({ score, solved: solved[i] ?? null, state: part(states, i), frame: part(frames, i) })),
  };
}
