/**
 * Thompson sampling (Thompson 1933; Russo et al. 2018) for rewards with normal noise: draws for each arm a mean that could be true, given
 * what it paid, and pulls the arm of the highest draw. Arms are pulled as often as they are likely to be the best.
 *   mean(a) ~ N( sum(a) / (n(a) + k), noise^2 / (n(a) + k) ),   k = (noise / prior)^2, prior N(0, prior^2)
 * Pseudo-code:
 *   Q(a) = 0, n(a) = 0 for every arm a;   k = (noise / prior)^2
 *   repeat until the budget is spent
 *     for each arm a: draw mean(a) ~ N( n(a) Q(a) / (n(a) + k), noise^2 / (n(a) + k) )
 *     pull A = argmax_a mean(a), observe the reward R
 *     n(A) += 1
 *     Q(A) += [ R - Q(A) ] / n(A)
 */
import { z } from 'zod';
import { sqrt } from '#math/functions.ts';
import { argmax, normal } from '#math/sampling.ts';
import * as fields from '../api/fields.ts';
import { banditMethod, byMeans, estimate, estimates } from './lib/bandit.ts';

const config = z.strictObject({
  noise: fields.real(1, {
    above: 0,
    max: 1000,
    title: 'noise of the rewards',
    description: 'Standard deviation of the rewards of one arm, as the method assumes it.',
    source: 'Sutton and Barto 2018, section 2.3',
    log: true,
    slider: [0.1, 10],
  }),
  prior: fields.real(1, {
    above: 0,
    max: 1000,
    title: 'spread of the arms',
    description: 'Standard deviation of the prior over the means of the arms.',
    source: 'Sutton and Barto 2018, section 2.3',
    log: true,
    slider: [0.1, 10],
  }),
});

export const thompson = banditMethod(
  {
    id: 'thompson',
    version: 1,
    title: 'Thompson sampling',
    summary: 'Draws a mean reward for each arm from its posterior, and pulls the arm with the highest draw.',
    source: {
      title: 'On the Likelihood that One Unknown Probability Exceeds Another in View of the Evidence of Two Samples',
      authors: 'Thompson',
      year: 1933,
      url: 'https://doi.org/10.2307/2332286',
    },
    config,
    presets: [{ id: 'wide', title: 'Arms that may differ much', config: { prior: 10 } }],
  },
  ({ c, meta, rng }) => {
    const arms = estimates(meta);
    const { table, counts } = arms;
    const drawn = new Float64Array(table.actions);
    return {
      ...byMeans(arms, () => 0),
      state: { arrays: { ...arms.layout.arrays, rng } },
      choose() {
        const k = (c.noise / c.prior) ** 2;
        for (let arm = 0; arm < drawn.length; arm++) {
          const weight = counts[arm]! + k;
          drawn[arm] = (counts[arm]! * table.q[arm]!) / weight + (c.noise / sqrt(weight)) * normal(rng);
        }
        return argmax(drawn, 0, drawn.length);
      },
      learn: (arm, reward) => estimate(arms, arm, reward),
    };
  },
);
