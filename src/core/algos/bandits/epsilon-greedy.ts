/**
 * Epsilon-greedy bandit (Sutton and Barto 2018, section 2.4): mostly the arm with the best mean so far, now and then any arm at all.
 *   A = argmax_a Q(a) with chance 1 - epsilon, else drawn evenly;   Q(A) += [ R - Q(A) ] / n(A), or a constant share of the difference
 * With a constant epsilon it goes on exploring for ever: its regret grows in a straight line.
 * Pseudo-code:
 *   Q(a) = initial value, n(a) = 0 for every arm a
 *   repeat until the budget is spent
 *     with chance epsilon: A drawn evenly from all arms
 *     else: A = argmax_a Q(a), ties to the lowest arm
 *     pull A, observe the reward R
 *     n(A) += 1
 *     Q(A) += [ R - Q(A) ] / n(A);   if a step size is set: Q(A) += alpha [ R - Q(A) ]
 */
import { z } from 'zod';
import * as fields from '../api/fields.ts';
import { epsilonGreedy as draw } from '../lib/table.ts';
import { banditMethod, byMeans, estimate, estimates } from './lib/bandit.ts';

const source = 'Sutton and Barto 2018, figure 2.2';
const config = z.strictObject({
  epsilon: fields.epsilonStart(0.1, source, {
    title: 'epsilon',
    description: 'Share of pulls of an arm drawn at random.',
    depth: 'teach',
    live: true,
  }),
  alpha: z.number().gt(0).max(1).nullable().default(null).meta({
    title: 'step size (alpha)',
    description: 'Share of the difference by which a mean moves; empty: every reward counts alike. Arms that drift need one.',
    source: 'Sutton and Barto 2018, section 2.5',
    empty: 'mean of all',
    live: true,
  }),
  initialValue: fields.real(0, {
    min: -1e6,
    max: 1e6,
    title: 'initial value',
    description: 'Initial estimate of every arm: high values make it try all.',
    source: 'Sutton and Barto 2018, section 2.6',
  }),
});

export const epsilonGreedy = banditMethod(
  {
    id: 'epsilon-greedy',
    version: 1,
    title: 'Epsilon-greedy',
    summary: 'Pulls the best arm so far; with probability epsilon a random one.',
    source: {
      title: 'Reinforcement Learning: An Introduction',
      authors: 'Sutton and Barto',
      year: 2018,
      url: 'http://incompleteideas.net/book/the-book-2nd.html',
    },
    config,
    presets: [
      { id: 'greedy', title: 'Never explores', config: { epsilon: 0 } },
      { id: 'optimistic', title: 'Never explores, but expects much', config: { epsilon: 0, alpha: 0.1, initialValue: 5 } },
      { id: 'drifting', title: 'For arms that drift', config: { alpha: 0.1 } },
    ],
  },
  ({ c, meta, rng }) => {
    const arms = estimates(meta, c.initialValue);
    return {
      ...byMeans(arms, () => c.epsilon),
      state: { arrays: { ...arms.layout.arrays, rng } },
      choose: () => draw(arms.table, 0, c.epsilon, rng),
      learn: (arm, reward) => estimate(arms, arm, reward, c.alpha),
    };
  },
);
