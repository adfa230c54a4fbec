/** Codes that a policy makes of what it saw, as points in a plane: the two directions in which those seen so far differ most. Pure. */
import { symmetricEigen } from '#math/eigen.ts';

export interface CodePoint {
  readonly code: ArrayLike<number>;
  /** Which of the episodes that were shown, from 0, and the frame in it. */
  readonly episode: number;
  readonly t: number;
  /** Who played in that episode; empty: no player was drawn. */
  readonly who: string;
}

export interface PlacedPoint {
  /** -1..1, by the same scale. */
  readonly x: number;
  readonly y: number;
  readonly point: CodePoint;
}

/** Points kept; the oldest episodes go first. */
const MOST = 600;

/** The points with one more; a frame that is shown again takes the place of what it was. */
export function withPoint(points: readonly CodePoint[], one: CodePoint): readonly CodePoint[] {
  const others = points.filter(({ episode, t }) => episode !== one.episode || t !== one.t);
  return [...others, one].slice(-MOST);
}

/** Principal directions of codes [n, d] as rows [2, d]; the greatest number of each is positive, so that a few more codes turn nothing over. */
function directions(points: readonly CodePoint[], mean: Float64Array): readonly Float64Array[] {
  const d = mean.length;
  const spread = new Float64Array(d * d);
  for (const { code } of points)
    for (let i = 0; i < d; i++) for (let j = i; j < d; j++) spread[i * d + j]! += (code[i]! - mean[i]!) * (code[j]! - mean[j]!);
  const { values, vectors } = symmetricEigen(spread, d);
  const best = Array.from(values, (_, k) => k).toSorted((a, b) => values[b]! - values[a]! || a - b);
  return best.slice(0, 2).map((k) => {
    const direction = Float64Array.from({ length: d }, (_, i) => vectors[i * d + k]!);
    const greatest = direction.reduce((top, value) => (Math.abs(value) > Math.abs(top) + 1e-12 ? value : top), 0);
    return greatest < 0 ? direction.map((value) => -value) : direction;
  });
}

/** Where the points lie in the plane; all at 0 where they are alike. Codes of one length. */
export function inPlane(points: readonly CodePoint[]): readonly PlacedPoint[] {
  const d = points[0]?.code.length ?? 0;
  if (d === 0) return [];
  const mean = new Float64Array(d);
  for (const { code } of points) for (let i = 0; i < d; i++) mean[i]! += code[i]! / points.length;
  const [first, second] = directions(points, mean);
  const along = (code: ArrayLike<number>, direction: Float64Array | undefined): number =>
    direction === undefined ? 0 : direction.reduce((sum, value, i) => sum + value * (code[i]! - mean[i]!), 0);
  const placed = points.map((point) => ({ x: along(point.code, first), y: along(point.code, second), point }));
  const most = placed.reduce((top, { x, y }) => Math.max(top, Math.abs(x), Math.abs(y)), 0);
  return most === 0 ? placed.map((one) => ({ ...one, x: 0, y: 0 })) : placed.map((one) => ({ ...one, x: one.x / most, y: one.y / most }));
}
