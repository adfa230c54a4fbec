/**
 * Own right answers that are kept and copied again (self-imitation learning, Oh et al. 2018; success replay of SPEAR, Qin et al. 2025). Where
 * few of a group's answers are right, each is learned from once and the noise of the others with it; copied again it is a demonstration.
 * Only answers of groups that are not all right are kept, so that what is known already does not crowd out what is not.
 */
import type { Packed } from '#core/state/checkpoint.ts';
import { createRing } from '#core/state/ring.ts';
import type { Rng } from '#math/rng.ts';
import { type Completions, sumOf } from './rollouts.ts';

/** Episodes that are kept; the oldest goes first. */
const CAPACITY = 4096;

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
  const ids = new Float32Array(CAPACITY * width);
  const written = new Float32Array(CAPACITY * width);
  const ring = createRing(CAPACITY);
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
