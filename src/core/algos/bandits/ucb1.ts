/**
 * UCB1 (Auer et al. 2002): pulls the arm with the highest upper bound on its mean reward. Arms that were pulled rarely have wide bounds, so
 * all of them are tried, bad ones less and less often: the regret grows like the logarithm of the number of pulls.
 *   A = argmax_a Q(a) + sqrt( c ln t / n(a) ),   every arm once first, t pulls so far;   ties go to the lowest arm
 * Pseudo-code:
 *   Q(a) = 0, n(a) = 0 for every arm a
 *   repeat until the budget is spent
 *     t = sum_a n(a)
 *     for each arm a: bound(a) = Q(a) + sqrt( c ln t / n(a) ), infinite while n(a) = 0
 *     pull A = argmax_a bound(a), observe the reward R
 *     n(A) += 1
 *     Q(A) += [ R - Q(A) ] / n(A)
 */
import { z } from 'zod';
import { log, sqrt } from '#math/functions.ts';
import { argmax } from '#math/sampling.ts';
import * as fields from '../api/fields.ts';
import { banditMethod, byMeans, estimate, estimates } from './lib/bandit.ts';

const config = z.strictObject({
  c: fields.real(2, {
    min: 0,
    max: 1000,
    title: 'confidence (c)',
    description: 'How wide the bounds are: 2 is proved for rewards between 0 and 1 and right for noise of deviation 1.',
    source: 'Auer et al. 2002, figure 1',
    live: true,
    slider: [0, 8],
  }),
});

/** The bound of an arm pulled `count` times with this mean after t pulls of all. */
export const ucbScore = (mean: number, count: number, t: number, c: number): number => mean + sqrt((c * log(t)) / count);

export const ucb1 = banditMethod(
  {
    id: 'ucb1',
    version: 1,
    title: 'UCB1',
    summary: 'Pulls the arm with the highest mean reward so far plus a bonus that shrinks with its pulls.',
    source: {
      title: 'Finite-time Analysis of the Multiarmed Bandit Problem',
      authors: 'Auer et al.',
      year: 2002,
      url: 'https://doi.org/10.1023/A:1013689704352',
    },
    config,
    presets: [{ id: 'narrow', title: 'Narrow bounds: less exploring', config: { c: 0.5 } }],
  },
  ({ c, meta }) => {
    const arms = estimates(meta);
    const { table, counts } = arms;
    const scores = new Float64Array(table.actions);
    return {
      ...byMeans(arms, () => 0),
      state: arms.layout,
      choose() {
        let t = 0;
        for (let arm = 0; arm < counts.length; arm++) t += counts[arm]!;
        for (let arm = 0; arm < counts.length; arm++)
          scores[arm] = counts[arm] === 0 ? Number.POSITIVE_INFINITY : ucbScore(table.q[arm]!, counts[arm]!, t, c.c);
        return argmax(scores, 0, scores.length);
      },
      learn: (arm, reward) => estimate(arms, arm, reward),
    };
  },
);
