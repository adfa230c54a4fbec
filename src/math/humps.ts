/** Whether few numbers end on two humps: solved or not, say. */
import { mean } from './stats.ts';

/** Below so many numbers humps cannot be told from chance. */
export const FEWEST_FOR_HUMPS = 5;
/** Share of the variance that the best cut into two groups leaves inside them. Five normal numbers leave less in 5 of 100 draws, ten in 1 of 1,000. */
const LEFT_INSIDE = 0.04;

const squares = (values: readonly number[]): number => {
  const middle = mean(values);
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0);
};

/** Two humps: their means, and the share of numbers on the lower one. */
export interface Humps {
  readonly low: number;
  readonly high: number;
  readonly lower: number;
}

/** The two humps that a cut into two groups shows where it explains nearly all of the variance; null where there are none to be seen. */
export function humpsOf(values: readonly number[]): Humps | null {
  if (values.length < FEWEST_FOR_HUMPS) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const all = squares(sorted);
  if (all === 0) return null;
  let [best, cut] = [Number.POSITIVE_INFINITY, 0];
  for (let i = 1; i < sorted.length; i++) {
    const inside = squares(sorted.slice(0, i)) + squares(sorted.slice(i));
    if (inside < best) [best, cut] = [inside, i];
  }
  if (best / all >= LEFT_INSIDE) return null;
  return { low: mean(sorted.slice(0, cut)), high: mean(sorted.slice(cut)), lower: cut / sorted.length };
}

/** True where a cut into two groups explains nearly all of the variance; null for fewer than five numbers. */
export const twoHumps = (values: readonly number[]): boolean | null => (values.length < FEWEST_FOR_HUMPS ? null : humpsOf(values) !== null);
