/** Places of a buffer of fixed size that is written round and round: the oldest goes first. */
import type { Packed } from './checkpoint.ts';

export interface Ring {
  /** Places that are filled. */
  readonly size: number;
  /** The place to write to now. */
  next(): number;
  /** For checkpoints. */
  readonly packed: Packed;
}

export function createRing(capacity: number): Ring {
  let size = 0;
  let at = 0;
  return {
    get size() {
      return size;
    },
    next() {
      const place = at;
      at = (at + 1) % capacity;
      size = Math.min(capacity, size + 1);
      return place;
    },
    packed: {
      pack: () => Float64Array.of(size, at),
      unpack([kept = 0, next = 0]) {
        size = kept;
        at = next;
      },
    },
  };
}
