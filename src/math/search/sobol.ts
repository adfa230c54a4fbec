/**
 * Points of the Sobol sequence with a random digital shift: they fill the unit cube more evenly than draws.
 * Direction numbers: Joe and Kuo 2008 ("new-joe-kuo-6"), the first dimensions. Gray code order: Antonov and Saleev 1979.
 */
import { Rng } from '../rng.ts';
import type { Point } from './space.ts';

/** Of dimensions 2 and up: the polynomial's inner coefficients as bits, and the first direction numbers; their count is its degree. */
const POLYNOMIALS: readonly (readonly [inner: number, first: readonly number[]])[] = [
  [0, [1]],
  [1, [1, 3]],
  [1, [1, 3, 1]],
  [2, [1, 1, 1]],
  [1, [1, 1, 3, 3]],
  [4, [1, 3, 5, 13]],
  [2, [1, 1, 5, 5, 17]],
  [4, [1, 1, 5, 5, 5]],
  [7, [1, 1, 7, 11, 19]],
  [11, [1, 1, 5, 1, 1]],
  [13, [1, 1, 1, 3, 11]],
];
const BITS = 32;

/** How many dimensions there are direction numbers for. */
export const SOBOL_DIMENSIONS = POLYNOMIALS.length + 1;

/** Direction numbers of a dimension, one for each bit, as fractions of 2^32. */
function directions(dimension: number): Uint32Array {
  const v = new Uint32Array(BITS);
  if (dimension === 0) return v.map((_, bit) => 2 ** (BITS - 1 - bit));
  const [inner, first] = POLYNOMIALS[dimension - 1]!;
  const degree = first.length;
  for (let bit = 0; bit < BITS; bit++) {
    if (bit < degree) {
      v[bit] = first[bit]! * 2 ** (BITS - 1 - bit);
      continue;
    }
    let next = v[bit - degree]! ^ (v[bit - degree]! >>> degree);
    for (let k = 1; k < degree; k++) if ((inner >>> (degree - 1 - k)) & 1) next ^= v[bit - k]!;
    v[bit] = next >>> 0;
  }
  return v;
}

/** The first `count` points in [0, 1)^dimensions; another seed shifts all of them together. Throws Error beyond SOBOL_DIMENSIONS. */
export function sobol(count: number, dimensions: number, seed: number): readonly Point[] {
  if (dimensions > SOBOL_DIMENSIONS) throw new Error(`Sobol points have at most ${SOBOL_DIMENSIONS} dimensions here, not ${dimensions}.`);
  const rng = Rng.from(seed).split('sobol');
  const table = Array.from({ length: dimensions }, (_, d) => directions(d));
  const shift = table.map(() => rng.next());
  const at = new Uint32Array(dimensions);
  return Array.from({ length: count }, (_, i) => {
    // The lowest zero bit of i - 1 is the one that changes from the last point to this in Gray code.
    if (i > 0) {
      const bit = 31 - Math.clz32(i & -i);
      for (let d = 0; d < dimensions; d++) at[d] = at[d]! ^ table[d]![bit]!;
    }
    return Array.from(at, (x, d) => ((x ^ shift[d]!) >>> 0) / 2 ** BITS);
  });
}
