/**
 * LinUCB with disjoint linear models (Li et al. 2010): models the reward of an arm as a weighted sum of the numbers that are shown, fits
 * the weights of each arm by ridge regression, and pulls the arm that could pay most.
 *   theta_a = A_a^-1 b_a,   A = argmax_a theta_a . x + alpha sqrt( x . A_a^-1 x );   A_a = I + sum x x^T, b_a = sum R x over its pulls
 * The inverse is kept up to date by Sherman and Morrison's formula. Ties go to the lowest arm.
 * Pseudo-code:
 *   A_a^-1 = I, b_a = 0, theta_a = 0 for every arm a
 *   repeat until the budget is spent
 *     observe the context x
 *     for each arm a: score(a) = theta_a . x + alpha sqrt( x . A_a^-1 x )
 *     pull the arm k with the highest score, observe the reward R
 *     A_k^-1 -= A_k^-1 x x^T A_k^-1 / (1 + x . A_k^-1 x)
 *     b_k += R x
 *     theta_k = A_k^-1 b_k
 */
import { z } from 'zod';
import { fail } from '#contract/kit/errors.ts';
import type { Saved } from '#contract/run/events.ts';
import { savedNumber } from '#core/state/checkpoint.ts';
import { sqrt } from '#math/functions.ts';
import { argmax } from '#math/sampling.ts';
import * as fields from '../api/fields.ts';
import type { Policy } from '../api/types.ts';
import { banditMethod } from './lib/bandit.ts';

const config = z.strictObject({
  alpha: fields.real(1, {
    min: 0,
    max: 1000,
    title: 'confidence (alpha)',
    description: 'How much an arm gains by being little known where the shown numbers point.',
    source: 'Li et al. 2010, algorithm 1',
    live: true,
    slider: [0, 3],
  }),
});

/** A += x x^T, where `inverse` [O, O] from `at` on is that of A: A^-1 -= A^-1 x x^T A^-1 / (1 + x . A^-1 x). `work` [O]. */
export function rankOneUpdate(inverse: Float64Array, at: number, x: ArrayLike<number>, work: Float64Array): void {
  const n = work.length;
  let scale = 1;
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let j = 0; j < n; j++) sum += inverse[at + i * n + j]! * x[j]!;
    work[i] = sum;
    scale += sum * x[i]!;
  }
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) inverse[at + i * n + j]! -= (work[i]! * work[j]!) / scale;
}

/** What each arm is expected to pay: `theta` [N, O] times the observation. */
function linear(theta: Float64Array, actions: number): Policy {
  const none = new Float32Array(0);
  const width = theta.length / actions;
  return {
    initial: () => none,
    act({ obs, rows, mask }) {
      const chosen = new Int32Array(rows);
      const q = new Float32Array(rows * actions);
      const value = new Float32Array(rows);
      for (let row = 0; row < rows; row++) {
        for (let a = 0; a < actions; a++) {
          let sum = 0;
          for (let i = 0; i < width; i++) sum += theta[a * width + i]! * obs[row * width + i]!;
          q[row * actions + a] = sum;
        }
        chosen[row] = argmax(q, row * actions, actions, mask, row * actions);
        value[row] = q[row * actions + chosen[row]!]!;
      }
      return { actions: chosen, hidden: none, q, value };
    },
    dispose() {},
  };
}

export const linucb = banditMethod(
  {
    id: 'linucb',
    version: 1,
    title: 'LinUCB',
    summary: 'Fits each arm’s reward as a linear function of the context, and pulls the arm with the highest upper bound.',
    source: {
      title: 'A Contextual-Bandit Approach to Personalized News Article Recommendation',
      authors: 'Li et al.',
      year: 2010,
      url: 'https://arxiv.org/abs/1003.0146',
    },
    config,
    presets: [{ id: 'greedy', title: 'Never explores on purpose', config: { alpha: 0 } }],
    contextual: true,
    learner: 'linear',
    trial: { env: 'contextual-bandit', steps: 2000 },
    probes: [{ on: ['bandit', 'cued', 'cuedTable'], steps: 1000 }],
  },
  ({ c, meta }) => {
    const [n, width] = [meta.actionCount, meta.obsSize];
    const square = width * width;
    const inverse = new Float64Array(n * square);
    for (let a = 0; a < n; a++) for (let i = 0; i < width; i++) inverse[a * square + i * width + i] = 1;
    const sums = new Float64Array(n * width);
    const theta = new Float64Array(n * width);
    const work = new Float64Array(width);
    const scores = new Float64Array(n);
    return {
      learned: theta,
      state: { arrays: { inverse, sums, theta } },
      choose(x) {
        for (let a = 0; a < n; a++) {
          let [mean, spread] = [0, 0];
          for (let i = 0; i < width; i++) {
            mean += theta[a * width + i]! * x[i]!;
            for (let j = 0; j < width; j++) spread += x[i]! * inverse[a * square + i * width + j]! * x[j]!;
          }
          scores[a] = mean + c.alpha * sqrt(Math.max(0, spread));
        }
        return argmax(scores, 0, n);
      },
      learn(arm, reward, x) {
        rankOneUpdate(inverse, arm * square, x, work);
        for (let i = 0; i < width; i++) sums[arm * width + i]! += reward * x[i]!;
        for (let i = 0; i < width; i++) {
          let sum = 0;
          for (let j = 0; j < width; j++) sum += inverse[arm * square + i * width + j]! * sums[arm * width + j]!;
          theta[arm * width + i] = sum;
        }
      },
      snapshot: () => ({ meta: { actions: n }, arrays: { theta: theta.slice() } }),
      policy: () => linear(theta, n),
    };
  },
  (saved: Saved) => {
    const { theta } = saved.arrays;
    const actions = savedNumber(saved, 'actions');
    if (!(theta instanceof Float64Array) || actions < 1 || theta.length % actions !== 0)
      throw fail('file-invalid', 'This policy holds no whole weights of arms.', 'Save it again.');
    return linear(theta.slice(), actions);
  },
);
