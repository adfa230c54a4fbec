/**
 * Posterior sampling (Strens 2000; PSRL: Osband, Russo and Van Roy 2013): draws a world that could be the true one, given what was seen,
 * plans in it and acts by that plan until it plans anew. An action is tried with the probability that it is the best; there is no bonus.
 *   P(.|s,a) ~ Dirichlet(counts), with mass `priorWeight` on all successors alike;   E[r|s,a] ~ normal-gamma
 *   Q(s,a) = E[r] + gamma sum_s' P(s'|s,a) max_b Q(s',b)   in the world that was drawn
 * Probability that falls on no successor seen so far is spread evenly over all states and the end of the episode. `belief: mean` plans in the
 * mean world instead. A new plan is made at every episode (Osband et al.), or when some pair has been tried twice as often as at the last
 * plan (Ouyang et al. 2017), which is also the rule of RAFA.
 * Pseudo-code:
 *   Q(s,a) = 0 for all pairs, nothing was counted
 *   repeat until the budget is spent
 *     if a plan is due by `replan`, and `warmUp` steps are done
 *       for each pair (s,a), tried or not: draw a world from the posterior
 *         P(.|s,a) ~ Dirichlet( counts of its successors, and priorWeight for the rest )
 *         the share of the rest goes to all S states and the end of the episode alike
 *         E[r] ~ normal-gamma posterior given number, mean and squares of its rewards
 *       if belief is "mean": the means of the posterior in place of draws
 *       sweep until no value changes by more than 1e-6 of the largest, at most 1,000 times
 *         for each pair: Q(s,a) = E[r] + gamma sum_s' P(s'|s,a) max_b Q(s',b)
 *     a = argmax_b Q(s,b);   before the first plan: a random action
 *     take a, observe r and s';   count s', or the end;   update mean and squares of r for (s,a)
 *     s = s';   after a termination or a time limit: s = first state of a new episode
 */
import { z } from 'zod';
import type { Rng } from '#math/rng.ts';
import { gamma as drawGamma, normal } from '#math/sampling.ts';
import * as fields from '../api/fields.ts';
import { assumedModel, bestValue, type LearnedModel, solve } from './lib/learned-model.ts';
import { modelFields, modelMethod } from './lib/model-method.ts';

const source = 'Osband et al. 2013';
const config = z.strictObject({
  ...modelFields,
  belief: z.enum(['sample', 'mean']).default('sample').meta({
    title: 'plan in',
    description: 'A world drawn from the posterior, or its mean, which is certain of what it has not seen and explores by accident only.',
    source,
    group: 'planning',
  }),
  priorWeight: fields.real(1, {
    above: 0,
    max: 1000,
    title: 'prior weight',
    unit: 'tries',
    description: 'Imagined tries of every pair before the first, spread over all states and the end of the episode.',
    source,
    log: true,
    slider: [0.01, 100],
    group: 'belief',
  }),
  rewardMean: fields.real(0, {
    min: -1e6,
    max: 1e6,
    title: 'expected reward',
    description: 'Prior mean of the reward of an action.',
    source: 'own choice',
    depth: 'stored',
    group: 'belief',
  }),
  rewardSpread: fields.real(1, {
    above: 0,
    max: 1e6,
    title: 'spread of rewards',
    description: 'How far, before it was tried, its mean reward may lie from that: a deviation.',
    source,
    log: true,
    slider: [0.01, 10],
    group: 'belief',
  }),
});

/**
 * A draw of the mean reward from the normal-gamma posterior after n rewards with this mean and sum of squared distances from it; prior of weight 1,
 * shape 1, mean `m0` and deviation `spread`. Osband et al. 2013, section 6.
 */
export function drawReward(n: number, mean: number, squares: number, m0: number, spread: number, rng: Rng): number {
  const shape = 1 + n / 2;
  const rate = spread * spread + squares / 2 + (n * (mean - m0) * (mean - m0)) / (2 * (1 + n));
  const precision = drawGamma(shape, rng) / rate;
  return (m0 + n * mean) / (1 + n) + normal(rng) / Math.sqrt((1 + n) * precision);
}

interface Prior {
  readonly belief: 'sample' | 'mean';
  readonly priorWeight: number;
  readonly rewardMean: number;
  readonly rewardSpread: number;
}

/** A world from the posterior: drawn, or its mean. */
export function posteriorWorld(model: LearnedModel, { belief, priorWeight, rewardMean, rewardSpread }: Prior, rng: Rng) {
  const drawn = belief === 'sample';
  const states = model.states;
  return assumedModel(model, (pair, _, counts) => {
    const n = model.visits[pair]!;
    const masses = drawn ? counts.map((count) => drawGamma(count, rng)) : counts;
    // Unseen successors and the end share what is left: the S of them that are states go on.
    const rest = drawn ? drawGamma(priorWeight, rng) : priorWeight;
    const total = masses.reduce((sum, mass) => sum + mass, rest) || 1; // a tiny weight may draw 0 for all
    const [mean, squares] = [model.mean[pair]!, model.squares[pair]!];
    return {
      reward: drawn ? drawReward(n, mean, squares, rewardMean, rewardSpread, rng) : (rewardMean + n * mean) / (1 + n),
      chances: masses.map((mass) => mass / total),
      anywhere: (rest / total) * (states / (states + 1)),
    };
  });
}

export const posteriorSampling = modelMethod<z.infer<typeof config>>(
  {
    id: 'posterior-sampling',
    version: 1,
    title: 'Posterior sampling',
    summary: 'Draws a model of the world from its posterior and follows the optimal policy of that model for a while.',
    source: {
      title: '(More) Efficient Reinforcement Learning via Posterior Sampling',
      authors: 'Osband, Russo and Van Roy',
      year: 2013,
      url: 'https://arxiv.org/abs/1306.0940',
    },
    config,
    presets: [
      { id: 'doubling', title: 'Plans anew when it has learned enough', config: { replan: 'doubling', gamma: 0.9999 } },
      { id: 'frozen-lake', title: 'Slippery frozen lake', config: { rewardSpread: 0.1 } },
    ],
    probeConfig: { gamma: 0.9 },
  },
  ({ c, table, model, rng }) => ({
    plan: () => solve(table, posteriorWorld(model, c, rng), { gamma: c.gamma, worth: bestValue(table, model) }),
  }),
);
