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
  edits: z.array(z.int().min(0)).max(MOST_LEVELS).optional(),
  parents: z.array(z.int().min(-1)).max(MOST_LEVELS).optional(),
});

/** What a planner that knows all of a level needs for it. */
export interface LevelSolution {
  /** Environment steps, turns among them. */
  readonly steps: number;
  /** Doors that are opened on the way. */
  readonly doors: number;
}

export interface ShownLevel {
  readonly score: number | null;
  /** Share of its episodes with a return above 0; null: none was played. */
  readonly solved: number | null;
  /** Small changes since it was drawn; null: levels of this run are not edited. */
  readonly edits: number | null;
  /** Place among those shown of the level that it was made of by its last edits; null: it was drawn, or that one is not among them. */
  readonly parent: number | null;
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
  const { kept, by, scores, solved, edits, parents } = parsed.data;
  const count = scores.length;
  const lists = [solved, edits, parents].filter((list) => list !== undefined);
  if (count === 0 || lists.some((list) => list.length !== count) || states.length % count !== 0 || frames.length % count !== 0) return null;
  const part = <T extends Uint8Array | Float32Array>(all: T, i: number): T =>
    all.slice((i * all.length) / count, ((i + 1) * all.length) / count) as T;
  return {
    kept,
    by,
    levels: scores.map((score, i) => ({
      score,
      solved: solved[i] ?? null,
      edits: edits?.[i] ?? null,
      parent: parents?.[i] !== undefined && parents[i] >= 0 ? parents[i] : null,
      state: part(states, i),
      frame: part(frames, i),
    })),
  };
}
