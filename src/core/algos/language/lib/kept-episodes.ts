/**
 * What group methods keep of earlier rollouts: right answers that are copied again, and partial histories as starts of later groups.
 */

import type { Packed } from '#core/state/checkpoint.ts';
import { createRing } from '#core/state/ring.ts';
import { groupDeviations } from '#math/groups.ts';
import type { Rng } from '#math/rng.ts';
import { type Completions, type StartPool, sumOf } from './rollouts.ts';

/** Episodes that are kept; the oldest goes first. */
const SUCCESSES = 4096;

/**
 * Own right answers that are kept and copied again (self-imitation learning, Oh et al. 2018; success replay of SPEAR, Qin et al. 2025). Where
 * few of a group's answers are right, each is learned from once and the noise of the others with it; copied again it is a demonstration.
 * Only answers of groups that are not all right are kept, so that what is known already does not crowd out what is not.
 */
export interface SuccessReplay {
  /** Lines as cloneCompletions() takes them: those of episode k are k * turns and on. */
  readonly lines: Pick<Completions, 'ids' | 'written'>;
  /** Keeps the episodes in `rows` that the verifier found right and whose advantage is above 0; of equal ones among them, one. */
  add(last: Completions, rows: ArrayLike<number>, advantages: ArrayLike<number>): void;
  /** Episodes drawn uniformly, with replacement, into `into`; gives the number of tokens that were written in them. */
  draw(rng: Rng, into: Int32Array): number;
  readonly size: number;
  readonly arrays: { readonly successIds: Float32Array; readonly successWritten: Float32Array; readonly successCount: Packed };
}

/** Episodes are `turns` lines of `places` tokens. */
export function createSuccessReplay(turns: number, places: number): SuccessReplay {
  const width = turns * places;
  const ids = new Float32Array(SUCCESSES * width);
  const written = new Float32Array(SUCCESSES * width);
  const ring = createRing(SUCCESSES);
  return {
    lines: { ids, written },
    get size() {
      return ring.size;
    },
    add(last, rows, advantages) {
      const seen = new Set<string>();
      for (let k = 0; k < rows.length; k++) {
        const row = rows[k]!;
        if (last.solved[row] === 0 || advantages[k]! <= 0) continue;
        const own = last.ids.subarray(row * width, (row + 1) * width);
        const text = own.join();
        if (seen.has(text)) continue;
        seen.add(text);
        const to = ring.next() * width;
        ids.set(own, to);
        written.set(last.written.subarray(row * width, (row + 1) * width), to);
      }
    },
    draw(rng, into) {
      let tokens = 0;
      for (let k = 0; k < into.length; k++) {
        const episode = rng.int(ring.size);
        into[k] = episode;
        tokens += sumOf(written, episode * width, width);
      }
      return tokens;
    },
    arrays: { successIds: ids, successWritten: written, successCount: ring.packed },
  };
}

/** Starts that a pool keeps at most; the least informative goes first. */
const STARTS = 256;
/** Share of groups that begin with a new prompt. */
const FRESH = 0.5;

/** `groups` groups of `members` rows each, states of `bytes` bytes. */
export function createStartPool(groups: number, members: number, bytes: number, rng: Rng): StartPool {
  const states = new Uint8Array(STARTS * bytes);
  const scores = new Float64Array(STARTS);
  let size = 0;
  const from = new Int32Array(groups).fill(-1);
  const cuts: (Uint8Array | null)[] = Array.from({ length: groups * members }, () => null);
  const put = (state: Uint8Array, score: number): void => {
    let at = size;
    if (size < STARTS) size++;
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
