/**
 * Places in a plane, so that straight distances in it are as near as two directions allow to given ones.
 *   of k marks:    B = -1/2 J D J, D their squared distances, J centring;  the two greatest eigenvalues l and vectors v of B
 *   of any place:  x_j = 1/2 v_j . (mean of D - d) / sqrt(l_j),  d its squared distances to the marks     (Gower 1968; de Silva and Tenenbaum 2004)
 * Where the distances are straight ones of a space of many dimensions, these are its two main directions over the marks.
 */
import { symmetricEigen } from '#math/eigen.ts';

export interface Plane {
  /** [n, 2] */
  readonly at: Float64Array;
  /** Share 0..1 of the spread of the marks that the two directions hold; 0 where there is none. */
  readonly held: number;
}

/** `far` [n, k]: distances of n places to k marks, which are the places `marks` [k]. */
export function planeOf(far: Float64Array, marks: readonly number[]): Plane {
  const k = marks.length;
  const n = far.length / k;
  const squared = (i: number, j: number): number => far[i * k + j]! ** 2;
  const between = (a: number, b: number): number => (squared(marks[a]!, b) + squared(marks[b]!, a)) / 2;
  const means = marks.map((_, a) => marks.reduce((sum, _place, b) => sum + between(a, b), 0) / k);
  const all = means.reduce((sum, mean) => sum + mean, 0) / k;
  const B = new Float64Array(k * k);
  for (let a = 0; a < k; a++) for (let b = 0; b < k; b++) B[a * k + b] = -(between(a, b) - means[a]! - means[b]! + all) / 2;
  const { values, vectors } = symmetricEigen(B, k);
  const order = [...values.keys()].toSorted((a, b) => values[b]! - values[a]!).slice(0, 2);
  const spread = values.reduce((sum, value) => sum + Math.max(0, value), 0);
  const at = new Float64Array(2 * n);
  for (const [d, which] of order.entries()) {
    const length = values[which]!;
    if (length <= 0) continue;
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let j = 0; j < k; j++) sum += vectors[j * k + which]! * (means[j]! - squared(i, j));
      at[2 * i + d] = sum / (2 * Math.sqrt(length));
    }
  }
  const held = order.reduce((sum, which) => sum + Math.max(0, values[which]!), 0);
  return { at, held: spread > 0 ? held / spread : 0 };
}

const long = (x: number, y: number): number => Math.sqrt(x * x + y * y);

/** `at` [n, 2] about its middle, turned and where that is nearer mirrored as `onto` [n, 2] lies: least squares, no stretching. */
export function turned(at: Float64Array, onto: Float64Array): Float64Array {
  const n = at.length / 2;
  const middle = (of: Float64Array, d: number): number => {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += of[2 * i + d]!;
    return sum / Math.max(1, n);
  };
  const [ax, ay, bx, by] = [middle(at, 0), middle(at, 1), middle(onto, 0), middle(onto, 1)];
  let [xx, xy, yx, yy] = [0, 0, 0, 0];
  for (let i = 0; i < n; i++) {
    const [x, y, u, v] = [at[2 * i]! - ax, at[2 * i + 1]! - ay, onto[2 * i]! - bx, onto[2 * i + 1]! - by];
    xx += x * u;
    xy += x * v;
    yx += y * u;
    yy += y * v;
  }
  // of turns alone the best fits by hypot(xx + yy, xy - yx), of mirrored ones by hypot(xx - yy, xy + yx)
  const mirrored = long(xx - yy, xy + yx) > long(xx + yy, xy - yx);
  const [cos, sin] = mirrored ? [xx - yy, xy + yx] : [xx + yy, xy - yx];
  const length = long(cos, sin);
  const [c, s] = length > 0 ? [cos / length, sin / length] : [1, 0];
  return at.map((_, k) => {
    const [x, y] = [at[k - (k % 2)]! - ax, at[k - (k % 2) + 1]! - ay];
    if (k % 2 === 0) return mirrored ? c * x + s * y : c * x - s * y;
    return mirrored ? s * x - c * y : s * x + c * y;
  });
}
