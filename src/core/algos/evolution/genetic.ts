/**
 * A plain genetic algorithm (Such et al. 2017): the best candidates are parents, children are parents with normal noise on every parameter,
 * and the best of all goes on unchanged. No gradient, no mixing of parents.
 *   theta_child = theta_parent + sigma e,  e ~ N(0, I),  parent drawn evenly from the `parents` best
 * Who is the best is decided among the first `finalists` by further episodes: one lucky episode must not win.
 * Pseudo-code:
 *   start = the parameters of a new network;   `population` candidates start + firstSigma N(0, I)
 *   repeat until the budget is spent, by whole generations
 *     F = mean return of each candidate over `episodes` whole episodes
 *     parents = the `parents` candidates of the highest F
 *     for each of the `finalists` candidates of the highest F
 *       evaluate it `trials` times more; its score = mean of all its evaluations
 *     elite = the finalist of the highest score;   if finalists is 1: the highest F, no trials
 *     the network of the elite acts from now on
 *     next generation: the elite unchanged and `population` - 1 children
 *       child = parent + sigma N(0, I), its parent drawn evenly
 */
import type { z } from 'zod';
import type { Rng } from '#math/rng.ts';
import { normal } from '#math/sampling.ts';
import * as fields from '../api/fields.ts';
import { evolutionMethod, type Search } from './lib/evolve.ts';

const source = 'own choice; Such et al. 2017 breed 1,000 of 20 parents with sigma 0.005 in networks of millions';
const settings = {
  sigma: fields.real(0.1, {
    above: 0,
    max: 10,
    title: 'sigma',
    description: 'Standard deviation of the noise that a child gets on every parameter.',
    source,
    live: true,
    log: true,
    slider: [0.005, 1],
    depth: 'teach',
    group: 'population',
  }),
  firstSigma: fields.real(0.5, {
    above: 0,
    max: 10,
    title: 'first sigma',
    description: 'Standard deviation of the parameters of the first generation.',
    source,
    log: true,
    depth: 'research',
    group: 'population',
  }),
  population: fields.integer(40, {
    min: 4,
    max: 2000,
    title: 'population',
    description: 'Candidates of a generation.',
    source,
    log: true,
    slider: [10, 500],
    group: 'population',
  }),
  parents: fields.integer(8, {
    min: 1,
    max: 1000,
    title: 'parents',
    description: 'The best of a generation, from which the next one comes; at most the population.',
    source,
    slider: [1, 50],
    group: 'population',
  }),
  finalists: fields.integer(3, {
    min: 1,
    max: 50,
    title: 'finalists',
    description: 'The best few that play again before one of them goes on unchanged. 1: the first wins as it is.',
    source: 'Such et al. 2017: 10',
    slider: [1, 10],
    group: 'population',
  }),
  trials: fields.integer(4, {
    min: 1,
    max: 100,
    title: 'further trials',
    description: 'How often each finalist plays again.',
    source: 'Such et al. 2017: 30',
    slider: [1, 30],
    group: 'population',
  }),
};
type Config = { readonly [K in keyof typeof settings]: z.infer<(typeof settings)[K]> };

/** Starts around `start` [n]. */
export function geneticSearch(start: Float64Array, rng: Rng, c: Config): Search {
  const n = start.length;
  const count = Math.min(c.parents, c.population);
  const best = start.slice();
  const parents = new Float64Array(count * n);
  const counters = { generations: 0, bestReturn: 0 };
  let candidates: readonly Float64Array[] = [];
  const mutant = (from: Float64Array, sigma: number): Float64Array => from.map((value) => value + sigma * normal(rng));
  return {
    best,
    state: { counters, arrays: { best, parents } },
    ask() {
      if (counters.generations === 0) candidates = Array.from({ length: c.population }, () => mutant(start, c.firstSigma));
      else {
        const children = Array.from({ length: c.population - 1 }, () => {
          const parent = rng.int(count) * n;
          return mutant(parents.subarray(parent, parent + n).slice(), c.sigma);
        });
        candidates = [best.slice(), ...children];
      }
      return candidates;
    },
    async tell(returns, evaluate) {
      const order = candidates.map((_, i) => i).sort((a, b) => returns[b]! - returns[a]!);
      order.slice(0, count).forEach((i, at) => {
        parents.set(candidates[i]!, at * n);
      });
      let winner = { at: order[0]!, score: Number.NEGATIVE_INFINITY };
      const finalists = order.slice(0, c.finalists);
      for (const at of finalists) {
        let total = returns[at]!;
        if (finalists.length > 1) for (let k = 0; k < c.trials; k++) total += await evaluate(candidates[at]!);
        const score = total / (finalists.length > 1 ? c.trials + 1 : 1);
        if (score > winner.score) winner = { at, score };
      }
      best.set(candidates[winner.at]!);
      counters.bestReturn = winner.score;
      counters.generations++;
    },
    report: () => ({ eliteReturn: counters.bestReturn }),
  };
}

export const genetic = evolutionMethod<Config>(
  {
    id: 'genetic',
    title: 'Genetic algorithm',
    summary: 'Keeps the best networks of a population and varies them at random.',
    source: {
      title: 'Deep Neuroevolution: Genetic Algorithms Are a Competitive Alternative for Training Deep Neural Networks',
      authors: 'Such et al.',
      year: 2017,
      url: 'https://arxiv.org/abs/1712.06567',
    },
    fields: settings,
    presets: [
      { id: 'linear', title: 'Linear policy', config: { hidden: [] } },
      { id: 'large', title: 'A large population', config: { population: 200, parents: 20, finalists: 10, trials: 10 } },
    ],
    trial: { env: 'cartpole', steps: 2000, config: { population: 8, parents: 3, hidden: [4] } },
    probeConfig: { episodes: 4, hidden: [4] },
    metrics: [
      { id: 'eliteReturn', title: 'elite', description: 'Mean return of the candidate that goes on unchanged, further trials included.' },
    ],
  },
  geneticSearch,
);
