/**
 * Gradient bandit (Sutton and Barto 2018, section 2.8): no estimates of rewards but preferences, moved by stochastic gradient ascent. The
 * smallest policy gradient there is: REINFORCE with a baseline where nothing is seen.
 *   pi(a) = softmax H(a);   H(A) += alpha (R - baseline)(1 - pi(A)),   H(a) -= alpha (R - baseline) pi(a) for the others
 * The baseline is the mean of all rewards so far, this one included.
 * Pseudo-code:
 *   H(a) = 0 for every arm a
 *   repeat until the budget is spent
 *     draw the arm A from pi = softmax H
 *     pull A, observe the reward R
 *     update the mean of all rewards with R
 *     baseline = that mean;   if baseline is off: 0
 *     H(A) += alpha (R - baseline) (1 - pi(A))
 *     for each other arm a: H(a) -= alpha (R - baseline) pi(a)
 */
import { z } from 'zod';
import { fail } from '#contract/kit/errors.ts';
import type { Saved } from '#contract/run/events.ts';
import { exp } from '#math/functions.ts';
import { argmax, categorical } from '#math/sampling.ts';
import * as fields from '../api/fields.ts';
import type { Policy } from '../api/types.ts';
import { banditMethod } from './lib/bandit.ts';

const config = z.strictObject({
  alpha: fields.lr(0.1, 'Sutton and Barto 2018, figure 2.5', {
    title: 'step size (alpha)',
    description: 'How far one reward moves the preferences.',
    log: false,
    slider: [0.01, 1],
  }),
  baseline: z.boolean().default(true).meta({
    title: 'baseline',
    description: 'Rewards count by how much they are above the mean so far; off: by themselves.',
    source: 'Sutton and Barto 2018, figure 2.5',
  }),
});

/** softmax of H into `out`. */
function softmax(preferences: Float64Array, out: Float64Array): void {
  const top = preferences.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  let sum = 0;
  for (let a = 0; a < out.length; a++) sum += out[a] = exp(preferences[a]! - top);
  for (let a = 0; a < out.length; a++) out[a]! /= sum;
}

/** Draws by the softmax of the preferences; greedily the one that is preferred most. */
function preferring(preferences: Float64Array): Policy {
  const none = new Float32Array(0);
  const n = preferences.length;
  return {
    initial: () => none,
    act({ rows, rng, greedy }) {
      const actions = new Int32Array(rows);
      const logits = new Float32Array(rows * n);
      for (let row = 0; row < rows; row++) {
        logits.set(preferences, row * n);
        actions[row] = greedy ? argmax(preferences, 0, n) : categorical(logits, row * n, n, rng.uniform());
      }
      return { actions, hidden: none, logits };
    },
    dispose() {},
  };
}

export const gradientBandit = banditMethod(
  {
    id: 'gradient-bandit',
    version: 1,
    title: 'Gradient bandit',
    summary: 'Prefers arms that pay more than usual, a little more with every pull: the smallest policy gradient.',
    source: {
      title: 'Reinforcement Learning: An Introduction',
      authors: 'Sutton and Barto',
      year: 2018,
      url: 'http://incompleteideas.net/book/the-book-2nd.html',
    },
    config,
    presets: [{ id: 'no-baseline', title: 'Without a baseline', config: { baseline: false } }],
  },
  ({ c, meta, rng }) => {
    const preferences = new Float64Array(meta.actionCount);
    const chances = new Float64Array(meta.actionCount);
    const logits = new Float32Array(meta.actionCount);
    const counters = { pulls: 0, meanReward: 0 };
    return {
      learned: preferences,
      state: { counters, arrays: { preferences, rng } },
      choose() {
        logits.set(preferences);
        return categorical(logits, 0, logits.length, rng.uniform());
      },
      learn(arm, reward) {
        counters.pulls++;
        counters.meanReward += (reward - counters.meanReward) / counters.pulls;
        const above = reward - (c.baseline ? counters.meanReward : 0);
        softmax(preferences, chances);
        for (let a = 0; a < chances.length; a++) preferences[a]! += c.alpha * above * ((a === arm ? 1 : 0) - chances[a]!);
      },
      snapshot: () => ({ meta: {}, arrays: { preferences: preferences.slice() } }),
      policy: () => preferring(preferences),
    };
  },
  (saved: Saved) => {
    const { preferences } = saved.arrays;
    if (!(preferences instanceof Float64Array)) throw fail('file-invalid', 'This policy holds no preferences.', 'Save it again.');
    return preferring(preferences.slice());
  },
);
