/** What a search may set: one dimension a field, each addressed by a number of the unit interval. */
import { exp, log } from '../functions.ts';

export type Plain = number | string | boolean;
/** A list is one value: the widths of layers, for instance. */
export type Value = Plain | readonly Plain[];

export type Dimension =
  /** One of these values, in no order. */
  | { readonly kind: 'choice'; readonly values: readonly Value[] }
  /** A number between both ends, even on its scale. */
  | { readonly kind: 'range'; readonly from: number; readonly to: number; readonly scale: 'linear' | 'log'; readonly integer: boolean };

/** A point of the search: a number in [0, 1) for every dimension. */
export type Point = readonly number[];

/** Digits that a value of a range is given with: more would not be read, and links stay short. */
const DIGITS = 4;

/** Index of the choice that a number of [0, 1) stands for. */
export const choiceAt = (count: number, u: number): number => Math.min(count - 1, Math.floor(u * count));

/** The value of a dimension at u in [0, 1). Ranges are rounded to four significant digits and stay within their ends. */
export function valueAt(dimension: Dimension, u: number): Value {
  if (dimension.kind === 'choice') return dimension.values[choiceAt(dimension.values.length, u)]!;
  const { from, to, scale, integer } = dimension;
  if (integer) {
    // Every whole number gets an equal part of the scale around it.
    const [low, high] = [from - 0.5, to + 0.5];
    const at = scale === 'log' ? exp(log(Math.max(low, 0.5)) + u * (log(high) - log(Math.max(low, 0.5)))) : low + u * (high - low);
    return Math.min(to, Math.max(from, Math.round(at)));
  }
  const at = scale === 'log' ? exp(log(from) + u * (log(to) - log(from))) : from + u * (to - from);
  return Math.min(to, Math.max(from, Number(at.toPrecision(DIGITS))));
}

/** How many different values a dimension has; null: it is continuous. */
export function sizeOf(dimension: Dimension): number | null {
  if (dimension.kind === 'choice') return dimension.values.length;
  return dimension.integer ? dimension.to - dimension.from + 1 : null;
}

/** How many combinations there are; null: a dimension is continuous. */
export const gridSize = (dimensions: readonly Dimension[]): number | null =>
  dimensions.map(sizeOf).reduce((product, size) => (product === null || size === null ? null : product * size), 1);

/** All combinations of choices and whole numbers, the last dimension first to change. Throws Error for a continuous dimension. */
export function gridPoints(dimensions: readonly Dimension[]): readonly Point[] {
  return dimensions.reduce<readonly Point[]>(
    (points, dimension) => {
      const size = sizeOf(dimension);
      if (size === null) throw new Error('A grid needs values, not a range of fractions.');
      const places = Array.from({ length: size }, (_, i) => unitOf(dimension, i, size));
      return points.flatMap((point) => places.map((u) => [...point, u]));
    },
    [[]],
  );
}

/** Where the i-th of `size` values of a dimension stands in the unit interval. */
function unitOf(dimension: Dimension, i: number, size: number): number {
  if (dimension.kind === 'choice' || dimension.scale === 'linear') return (i + 0.5) / size;
  const low = log(Math.max(dimension.from - 0.5, 0.5));
  return (log(dimension.from + i) - low) / (log(dimension.to + 0.5) - low);
}
