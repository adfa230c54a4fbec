/**
 * Evolution strategies as OpenAI ran them (Salimans et al. 2017): the parameters are moved along an estimate of the gradient of the mean
 * return under normal noise, from candidates that come in mirrored pairs. No gradient of a network is computed.
 *   candidates theta +- sigma e_i,   g = 1 / (2 m sigma) sum_i (u(F_i+) - u(F_i-)) e_i
 * u are centred ranks of all returns, so that neither scale nor outliers matter; Adam with weight decay takes the step.
 * Pseudo-code:
 *   theta = the parameters of a new network
 *   repeat until the budget is spent, by whole generations
 *     for each of m pairs: e_i ~ N(0, I), candidates theta + sigma e_i and theta - sigma e_i
 *     F = mean return of each candidate over `episodes` whole episodes
 *     u = ranks of all 2 m returns, from -0.5 to 0.5; equal returns share the mean of their ranks
 *     g = 1 / (2 m sigma) sum_i (u(F_i+) - u(F_i-)) e_i
 *     Adam step on theta with the gradient -g + weightDecay theta
 *     the network with the parameters theta acts from now on
 */
import type { z } from 'zod';
import { adam, referenceState, referenceStep } from '#core/engine/optimisers.ts';
import type { Rng } from '#math/rng.ts';
import { normal } from '#math/sampling.ts';
import * as fields from '../api/fields.ts';
import { evolutionMethod, type Search } from './lib/evolve.ts';

const source = 'own choice: small networks, populations of tens';
const settings = {
  lr: fields.lr(0.05, source, { slider: [1e-3, 0.3] }),
  sigma: fields.real(0.1, {
    above: 0,
    max: 10,
    title: 'sigma',
    description: 'Standard deviation of the noise on every parameter.',
    source: 'Salimans et al. 2017 use 0.02 for large networks',
    live: true,
    log: true,
    slider: [0.01, 1],
    depth: 'teach',
    group: 'population',
  }),
  pairs: fields.integer(16, {
    min: 1,
    max: 1000,
    title: 'mirrored pairs',
    description: 'Two candidates each: one with the noise added, one with it taken away.',
    source,
    slider: [4, 64],
    group: 'population',
  }),
  weightDecay: fields.real(0.005, {
    min: 0,
    max: 1,
    title: 'weight decay',
    description: 'Added to the gradient for each parameter, times the parameter.',
    source: 'Salimans et al. 2017, released settings',
    depth: 'research',
    group: 'optimisation',
  }),
};
type Config = { readonly [K in keyof typeof settings]: z.infer<(typeof settings)[K]> };

/** -0.5 for the least of m values to 0.5 for the greatest; equal values share the mean of their ranks. */
export function centredRanks(values: ArrayLike<number>): Float64Array {
  const m = values.length;
  const order = Array.from({ length: m }, (_, i) => i).sort((a, b) => values[a]! - values[b]!);
  const ranks = new Float64Array(m);
  for (let from = 0; from < m; ) {
    let to = from;
    while (to + 1 < m && values[order[to + 1]!] === values[order[from]!]) to++;
    for (let i = from; i <= to; i++) ranks[order[i]!] = m === 1 ? 0 : (from + to) / 2 / (m - 1) - 0.5;
    from = to + 1;
  }
  return ranks;
}

/** Estimate [n] of the gradient of the mean fitness from m mirrored pairs with noise `eps` [m][n]. */
export function antitheticGradient(
  eps: readonly ArrayLike<number>[],
  plus: ArrayLike<number>,
  minus: ArrayLike<number>,
  sigma: number,
): Float64Array {
  const gradient = new Float64Array(eps[0]!.length);
  eps.forEach((e, i) => {
    const weight = (plus[i]! - minus[i]!) / (2 * sigma * eps.length);
    for (let j = 0; j < gradient.length; j++) gradient[j]! += weight * e[j]!;
  });
  return gradient;
}

/** Starts at `theta` [n], which it changes. */
export function evolutionStrategy(theta: Float64Array, rng: Rng, c: Config): Search {
  const optimiser = adam({ weightDecay: c.weightDecay });
  const { slots } = referenceState(optimiser, theta.length);
  const counters = { updates: 0 };
  let eps: readonly Float64Array[] = [];
  let norm = 0;
  return {
    best: theta,
    state: { counters, arrays: { theta, ...slots } },
    ask() {
      eps = Array.from({ length: c.pairs }, () => Float64Array.from(theta, () => normal(rng)));
      return [1, -1].flatMap((sign) => eps.map((e) => theta.map((value, j) => value + sign * c.sigma * e[j]!)));
    },
    tell(returns) {
      const ranks = centredRanks(returns);
      const up = antitheticGradient(eps, ranks.subarray(0, eps.length), ranks.subarray(eps.length), c.sigma);
      norm = Math.sqrt(up.reduce((sum, g) => sum + g * g, 0));
      const state = { t: counters.updates, slots };
      referenceStep(
        optimiser,
        theta,
        up.map((g) => -g),
        c.lr,
        state,
      );
      counters.updates = state.t;
    },
    report: () => ({ gradNorm: norm }),
  };
}

export const es = evolutionMethod<Config>(
  {
    id: 'es',
    title: 'Evolution strategies',
    summary: 'Moves a network’s weights towards random perturbations with higher returns; no gradient is computed.',
    source: {
      title: 'Evolution Strategies as a Scalable Alternative to Reinforcement Learning',
      authors: 'Salimans et al.',
      year: 2017,
      url: 'https://arxiv.org/abs/1703.03864',
    },
    fields: settings,
    presets: [
      { id: 'linear', title: 'Linear policy', config: { hidden: [] } },
      { id: 'paper', title: 'Noise and steps of the paper', config: { sigma: 0.02, lr: 0.01, pairs: 100, hidden: [64, 64] } },
    ],
    trial: { env: 'cartpole', steps: 2000, config: { pairs: 4, hidden: [4] } },
    probeConfig: { episodes: 4, hidden: [8] },
    metrics: [{ id: 'gradNorm', title: 'gradient norm', description: 'Of the estimated gradient of the last generation, over ranks.' }],
  },
  evolutionStrategy,
);
