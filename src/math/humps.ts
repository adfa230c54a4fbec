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

/** True where a cut into two groups explains nearly all of the variance; null for fewer than five numbers. */
export function twoHumps(values: readonly number[]): boolean | null {
  if (values.length < FEWEST_FOR_HUMPS) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const all = squares(sorted);
  if (all === 0) return false;
  const cuts = sorted.slice(1).map((_, i) => squares(sorted.slice(0, i + 1)) + squares(sorted.slice(i + 1)));
  return Math.min(...cuts) / all < LEFT_INSIDE;
}
