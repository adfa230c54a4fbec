/** The generator that a world's `reset` and `step` are given: the row's own stream, saved with its state. */
import { fail } from '#contract/kit/errors.ts';
import { cos, log, sqrt } from '#math/functions.ts';
import type { Rng } from '#math/rng.ts';

export class WorldRandom {
  readonly #rng: Rng;

  constructor(rng: Rng) {
    this.#rng = rng;
  }

  /** Uniform in [low, high), 0 to 1 without arguments. */
  uniform(low = 0, high = 1): number {
    return low + (high - low) * this.#rng.uniform();
  }

  /** Uniform whole number from 0 to n - 1. Throws LabError('world-invalid') where n is not a whole number of at least 1. */
  int(n: number): number {
    if (!Number.isInteger(n) || n < 1 || n > 0xffff_ffff)
      throw fail('world-invalid', `random.int(${n}) has nothing to choose from.`, 'Give a whole number of at least 1.', 'random');
    return this.#rng.int(n);
  }

  /** True with probability p. */
  chance(p: number): boolean {
    return this.#rng.uniform() < p;
  }

  /** Normal with this mean and deviation (Box and Muller 1958). */
  normal(mean = 0, deviation = 1): number {
    const radius = sqrt(-2 * log(1 - this.#rng.uniform()));
    return mean + deviation * radius * cos(2 * Math.PI * this.#rng.uniform());
  }

  /** One of the list's items. Throws LabError('world-invalid') for an empty list. */
  pick<T>(list: readonly T[]): T {
    return list[this.int(list.length)] as T;
  }

  /** Puts the list into a random order, in place, and returns it (Fisher and Yates). */
  shuffle<T>(list: T[]): T[] {
    for (let i = list.length - 1; i > 0; i--) {
      const j = this.#rng.int(i + 1);
      [list[i], list[j]] = [list[j] as T, list[i] as T];
    }
    return list;
  }
}
