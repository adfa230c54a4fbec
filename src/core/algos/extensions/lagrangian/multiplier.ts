/** The multiplier of a limit on cost, and the advantage that it mixes. Pure numbers; what learns with them is places.ts. */
import { sqrt } from '#math/functions.ts';

/** Adam's numbers, those of PyTorch. */
const [BETA1, BETA2, EPS] = [0.9, 0.999, 1e-8];

export type MultiplierRule = 'Adam' | 'ascent';

/**
 * lambda >= 0 that climbs while the mean cost of an episode J lies above the limit d:
 *   ascent  lambda <- max(0, lambda + eta (J - d))                                       (Ray et al. 2019)
 *   Adam    one step of Adam with step size eta on the loss -lambda (J - d), then max(0, .)  (OmniSafe's Lagrange)
 * `kept` [4] is all its state: lambda, Adam's two means, and how many steps it made.
 */
export class Multiplier {
  readonly kept: Float64Array;

  constructor(start: number) {
    this.kept = Float64Array.of(start, 0, 0, 0);
  }

  get value(): number {
    return this.kept[0]!;
  }

  /** `excess`: J - d. */
  climb(excess: number, rate: number, rule: MultiplierRule): void {
    const { kept } = this;
    let by = rate * excess;
    if (rule === 'Adam') {
      const step = kept[3]! + 1;
      kept[1] = BETA1 * kept[1]! - (1 - BETA1) * excess;
      kept[2] = BETA2 * kept[2]! + (1 - BETA2) * excess * excess;
      kept[3] = step;
      by = (-rate * (kept[1]! / (1 - BETA1 ** step))) / (sqrt(kept[2]! / (1 - BETA2 ** step)) + EPS);
    }
    kept[0] = Math.max(0, kept[0]! + by);
  }
}

/** What the policy follows: (A - lambda A_c) / (1 + lambda). */
export const limitedAdvantage = (advantage: number, ofCost: number, multiplier: number): number =>
  (advantage - multiplier * ofCost) / (1 + multiplier);
