/**
 * Vectors of rewards, all to be made large: which are best, how much of the space they cover, and the weighted sum that turns them
 * into one number. Hypervolume against a reference point that every point should exceed; what does not exceed it counts nothing.
 * Method: slices along the last objective, one dimension less in each (While et al. 2006), exact for any number of objectives.
 */
import { z } from 'zod';

export type Point = readonly number[];

/** At least as good everywhere and better somewhere. */
export function dominates(a: Point, b: Point): boolean {
  return a.every((x, k) => x >= (b[k] as number)) && a.some((x, k) => x > (b[k] as number));
}

/** Indices of the points that no other dominates, in the order given; of equal points the first. */
export function nonDominated(points: readonly Point[]): readonly number[] {
  const same = (a: Point, b: Point) => a.every((x, k) => x === b[k]);
  return points.flatMap((p, i) => (points.some((q, j) => dominates(q, p) || (j < i && same(q, p))) ? [] : [i]));
}

export function hypervolume(points: readonly Point[], reference: Point): number {
  const inside = points.filter((p) => p.every((x, k) => x > (reference[k] as number)));
  if (inside.length === 0) return 0;
  const last = reference.length - 1;
  if (last === 0) return Math.max(...inside.map((p) => p[0] as number)) - (reference[0] as number);
  const sorted = [...inside].sort((a, b) => (b[last] as number) - (a[last] as number));
  let volume = 0;
  for (let i = 0; i < sorted.length; i++) {
    const top = sorted[i]?.[last] as number;
    const below = i + 1 < sorted.length ? (sorted[i + 1]?.[last] as number) : (reference[last] as number);
    if (top > below)
      volume +=
        (top - below) *
        hypervolume(
          sorted.slice(0, i + 1).map((p) => p.slice(0, last)),
          reference.slice(0, last),
        );
  }
  return volume;
}

/** The setting that makes one reward of several, for learners that need one. */
export function weightsField(names: readonly string[], most: number) {
  return z
    .array(z.number().min(-100).max(100))
    .min(1)
    .max(most)
    .nullable()
    .default(null)
    .meta({
      title: 'weights',
      description: `Weights of ${names.join(', ')}: the reward becomes their weighted sum; empty: a vector.`,
    });
}
