/** What is to be reached with a recording [trained with, tested with], and the choice that gains most when all of it is known. */
import { COUNT } from './recorded.ts';

export const meanBest = (best: ArrayLike<number>): number => {
  let sum = 0;
  for (let j = 0; j < best.length; j++) sum += best[j]!;
  return sum / best.length;
};

/** The best of these policies in each setting. */
export function bestOf(matrix: ArrayLike<number>, trained: readonly number[]): Float64Array {
  const best = new Float64Array(COUNT);
  for (const i of trained) for (let j = 0; j < COUNT; j++) best[j] = Math.max(best[j]!, matrix[i * COUNT + j]!);
  return best;
}

export class Mission {
  readonly matrix: Float64Array;
  /** The mean over the range with all settings trained. */
  readonly full: number;
  readonly target: number;

  constructor(matrix: Float64Array, share: number) {
    this.matrix = matrix;
    this.full = meanBest(
      bestOf(
        matrix,
        Array.from({ length: COUNT }, (_, i) => i),
      ),
    );
    this.target = share * this.full;
  }

  isEnough(trained: readonly number[]): boolean {
    return meanBest(bestOf(this.matrix, trained)) >= this.target;
  }
}

/** The setting not yet trained that adds most to the mean over the range; the first of equals. */
export function greedyChoice(matrix: ArrayLike<number>, trained: readonly number[]): number {
  let [found, most] = [0, -1];
  for (let i = 0; i < COUNT; i++) {
    if (trained.includes(i)) continue;
    const value = meanBest(bestOf(matrix, [...trained, i]));
    if (value > most) [found, most] = [i, value];
  }
  return found;
}
