/**
 * Augmented random search (Mania et al. 2018): a linear policy moves along random directions, weighted by how much better a step forwards does than
 * one backwards. What makes plain random search strong enough: steps in units of the spread of returns, observations normalised (V2), and
 * only the best directions (V1-t, V2-t).
 *   candidates M +- noise delta_k,  delta_k ~ N(0, I);   action M diag(1 / s) (o - m), cut at the bounds, or the action of the largest number
 *   M <- M + lr / (b sigma_R) sum over the b best directions of (r_k+ - r_k-) delta_k
 * sigma_R is the standard deviation of the 2 b returns that count; the best directions are those with the largest max(r_k+, r_k-). m and s are the mean
 * and standard deviation of all observations so far, 0 and 1 without normalisation, and stand still within a generation; a number that
 * does not vary is left out. All begins at M = 0. Where all returns are equal M stays. Normalisation is part of the weights and biases of the network that acts.
 * Differs from sb3-contrib: there sigma_R has the divisor 2 b - 1 (here as in the authors' code 2 b), and observations are normalised anew with every step.
 * Actions are numbers from -1 to 1, stretched to the bounds.
 * Pseudo-code:
 *   M = 0, m = 0, s = 1
 *   repeat until the budget is spent, by whole generations
 *     for each of the directions: delta_k ~ N(0, I), candidates M + noise delta_k and M - noise delta_k
 *     r = mean return of each candidate over `episodes` whole episodes, plus aliveOffset for each step
 *     keep the `top` directions of the largest max(r+, r-)
 *     M += lr / (top sigma_R) sum (r+ - r-) delta
 *     if normaliseObs: m, s = mean and standard deviation of all observations so far
 */
import type { z } from 'zod';
import { fail } from '#contract/kit/errors.ts';
import type { Rng } from '#math/rng.ts';
import { normal } from '#math/sampling.ts';
import { std } from '#math/stats.ts';
import * as fields from '../api/fields.ts';
import { linearMethod, type Search } from './lib/evolve.ts';

const source = 'sb3-contrib ARS';
const settings = {
  lr: fields.lr(0.02, source, { description: 'Length of a step, in units of the spread of returns.', slider: [1e-3, 0.1] }),
  noise: fields.real(0.05, {
    above: 0,
    max: 10,
    title: 'noise',
    description: 'How far candidates stand from the policy in each direction.',
    source,
    live: true,
    log: true,
    slider: [0.005, 1],
    depth: 'teach',
    group: 'population',
  }),
  directions: fields.integer(8, {
    min: 1,
    max: 1000,
    title: 'directions',
    description: 'Drawn for each step; two candidates each, one forwards and one backwards.',
    source,
    slider: [1, 64],
    group: 'population',
  }),
  top: fields.integer(8, {
    min: 1,
    max: 1000,
    title: 'best directions',
    description: 'So many count, those of the best candidates; all where there are no more.',
    source,
    slider: [1, 64],
    depth: 'teach',
    group: 'population',
  }),
  normaliseObs: fields.normaliseObs(false, 'on in V2 (Mania et al. 2018)', {
    description: 'Subtract the mean of all observations so far, divide by their standard deviation (V2); off: V1.',
    depth: 'teach',
  }),
  aliveOffset: fields.real(0, {
    min: -100,
    max: 100,
    title: 'offset of the reward',
    description: 'Added to the reward of each step when candidates are compared: -1 takes away a reward of 1 for being alive.',
    source,
    depth: 'research',
    group: 'population',
  }),
};
type Config = { readonly [K in keyof typeof settings]: z.infer<(typeof settings)[K]> };

/** The step from M along the directions `deltas` [m][n] by the returns of both ways [m], [n]; null where the returns that count are equal. */
export function searchStep(
  deltas: readonly ArrayLike<number>[],
  plus: ArrayLike<number>,
  minus: ArrayLike<number>,
  { lr, top }: Pick<Config, 'lr' | 'top'>,
): Float64Array | null {
  const best = deltas
    .map((_, k) => k)
    .sort((a, b) => Math.max(plus[b]!, minus[b]!) - Math.max(plus[a]!, minus[a]!))
    .slice(0, top);
  const spread = std(
    best.flatMap((k) => [plus[k]!, minus[k]!]),
    0,
  );
  if (!(spread > 0)) return null;
  const step = new Float64Array(deltas[0]!.length);
  for (const k of best) {
    const weight = (lr * (plus[k]! - minus[k]!)) / (best.length * spread);
    for (let j = 0; j < step.length; j++) step[j]! += weight * deltas[k]![j]!;
  }
  return step;
}

/** For a network of `start.length` parameters: weights [I, N], then biases [N]. */
export function randomSearch(start: Float64Array, rng: Rng, c: Config, inputs: number): Search {
  const outputs = start.length / (inputs + 1);
  const M = new Float64Array(inputs * outputs);
  const best = new Float64Array(start.length);
  // Welford's sums over all observations
  const [mean, squares] = [new Float64Array(inputs), new Float64Array(inputs)];
  const counters = { seen: 0 };
  let deltas: readonly Float64Array[] = [];
  let norm = 0;

  /** The parameters with which the network does what `matrix` does on normalised observations. */
  function network(matrix: Float64Array, into = new Float64Array(start.length)): Float64Array {
    into.fill(0);
    for (let i = 0; i < inputs; i++) {
      const deviation = c.normaliseObs && counters.seen > 1 ? Math.sqrt(squares[i]! / (counters.seen - 1)) : 1;
      const centre = c.normaliseObs ? mean[i]! : 0;
      if (deviation < 1e-7) continue;
      for (let o = 0; o < outputs; o++) {
        const weight = matrix[i * outputs + o]! / deviation;
        into[i * outputs + o] = weight;
        into[inputs * outputs + o]! -= weight * centre;
      }
    }
    return into;
  }

  return {
    best,
    state: { counters, arrays: { M, obsMean: mean, obsSquares: squares } },
    ask() {
      deltas = Array.from({ length: c.directions }, () => Float64Array.from(M, () => normal(rng)));
      return [1, -1].flatMap((sign) => deltas.map((delta) => network(M.map((value, j) => value + sign * c.noise * delta[j]!))));
    },
    seen(obs) {
      if (!c.normaliseObs) return;
      counters.seen++;
      for (let i = 0; i < inputs; i++) {
        const off = obs[i]! - mean[i]!;
        mean[i]! += off / counters.seen;
        squares[i]! += off * (obs[i]! - mean[i]!);
      }
    },
    tell(returns, _evaluate, lengths) {
      const judged = returns.map((value, k) => value + c.aliveOffset * lengths[k]!);
      const step = searchStep(deltas, judged.subarray(0, deltas.length), judged.subarray(deltas.length), c);
      if (step !== null) for (let j = 0; j < M.length; j++) M[j]! += step[j]!;
      norm = step === null ? 0 : Math.sqrt(step.reduce((sum, v) => sum + v * v, 0));
      network(M, best);
    },
    report: () => ({ stepNorm: norm }),
  };
}

export const ars = linearMethod<Config>(
  {
    id: 'ars',
    title: 'Augmented random search',
    summary: 'Moves a linear policy along random directions that raise the return; no gradient is computed.',
    source: {
      title: 'Simple Random Search Provides a Competitive Approach to Reinforcement Learning',
      authors: 'Mania et al.',
      year: 2018,
      url: 'https://arxiv.org/abs/1803.07055',
    },
    fields: settings,
    presets: [
      { id: 'v2', title: 'V2: normalised observations', config: { normaliseObs: true } },
      {
        id: 'swimmer',
        title: 'RL Zoo settings for Swimmer (2,000,000 steps)',
        // 0.02 there: with two returns its divisor of the spread is 1, here 2, which makes a step longer by the root of 2
        config: { lr: 0.01414, noise: 0.01, directions: 1, top: 1 },
      },
      {
        id: 'half-cheetah',
        title: 'RL Zoo settings for HalfCheetah (12,500,000 steps)',
        config: { noise: 0.03, directions: 32, top: 4, normaliseObs: true },
      },
      {
        id: 'hopper',
        title: 'RL Zoo settings for Hopper (7,000,000 steps)',
        config: { lr: 0.01, noise: 0.025, top: 4, aliveOffset: -1, normaliseObs: true },
      },
    ],
    trial: { env: 'cartpole', envConfig: { maxSteps: 50 }, steps: 2000, config: { directions: 4, top: 4 } },
    probeConfig: { episodes: 4 },
    metrics: [
      {
        id: 'stepNorm',
        title: 'length of the step',
        description: 'Of the last change of the policy; 0 where all returns that count were equal.',
      },
    ],
  },
  randomSearch,
  (meta, c) => {
    if (!c.normaliseObs || meta.agents.every(({ obs }) => obs.kind === 'box')) return;
    const message = 'One-hot codes and numbered states cannot be normalised.';
    throw fail('config-invalid', message, 'Set normaliseObs to false.', 'algo.normaliseObs');
  },
);
