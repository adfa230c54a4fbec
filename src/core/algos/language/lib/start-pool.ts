/** Partial histories of groups as starts of later ones. */
import type { Packed } from '#core/state/checkpoint.ts';
import { groupDeviations } from '#math/groups.ts';
import type { Rng } from '#math/rng.ts';

/** Starts that a pool keeps at most; the least informative goes first. */
const CAPACITY = 256;
/** Share of groups that begin with a new prompt. */
const FRESH = 0.5;

/**
 * Partial histories as new starts (ExIt, Jiang et al. 2025): where a group's episodes were cut, one of them is kept, and later groups go on from
 * it. How informative a start is, is the deviation of the rewards of the group that came from it last; starts are drawn in proportion.
 */
export interface StartPool {
  /** The state that a group goes on from; null: it begins with a new prompt. */
  next(group: number): Uint8Array | null;
  /** Where a row's episode was cut. */
  cut(row: number, state: Uint8Array): void;
  /** All groups have played: [rows] rewards, groups one behind the other. */
  played(rewards: ArrayLike<number>): void;
  /** For checkpoints: states [CAPACITY, bytes], how informative they are, and how many there are. */
  readonly arrays: { readonly startStates: Uint8Array; readonly startScores: Float64Array; readonly startCount: Packed };
  /** Starts that are kept. */
  readonly size: number;
}

/** `groups` groups of `members` rows each, states of `bytes` bytes. */
export function createStartPool(groups: number, members: number, bytes: number, rng: Rng): StartPool {
  const states = new Uint8Array(CAPACITY * bytes);
  const scores = new Float64Array(CAPACITY);
  let size = 0;
  const from = new Int32Array(groups).fill(-1);
  const cuts: (Uint8Array | null)[] = Array.from({ length: groups * members }, () => null);
  const put = (state: Uint8Array, score: number): void => {
    let at = size;
    if (size < CAPACITY) size++;
    else {
      at = scores.indexOf(Math.min(...scores));
      if (scores[at]! > score) return;
    }
    states.set(state, at * bytes);
    scores[at] = score;
  };
  return {
    get size() {
      return size;
    },
    next(group) {
      from[group] = -1;
      const total = scores.subarray(0, size).reduce((a, b) => a + b, 0);
      if (rng.uniform() < FRESH || total <= 0) return null;
      let left = rng.uniform() * total;
      let at = 0;
      while (at < size - 1 && (left -= scores[at]!) >= 0) at++;
      from[group] = at;
      return states.slice(at * bytes, (at + 1) * bytes);
    },
    cut(row, state) {
      cuts[row] = state;
    },
    played(rewards) {
      const found = groupDeviations(rewards, members);
      for (let group = 0; group < groups; group++) if (from[group]! >= 0) scores[from[group]!] = found[group]!;
      for (let group = 0; group < groups; group++) {
        const ends = cuts.slice(group * members, (group + 1) * members).filter((state) => state !== null);
        const end = ends[rng.int(Math.max(1, ends.length))];
        if (end !== undefined && found[group]! > 0) put(end, found[group]!);
      }
      cuts.fill(null);
    },
    arrays: {
      startStates: states,
      startScores: scores,
      startCount: {
        pack: () => Float64Array.of(size),
        unpack(data) {
          size = data[0]!;
        },
      },
    },
  };
}
