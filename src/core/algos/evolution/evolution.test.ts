import { describe, expect, it } from 'vitest';
import { Rng } from '#math/rng.ts';
import { median } from '#math/stats.ts';
import { getEnv } from '../../envs/all.ts';
import { trained } from '../../testing/trained.ts';
import { getAlgo } from '../all.ts';
import { cmaSearch } from './cma-es.ts';
import { centredRanks, evolutionStrategy } from './es.ts';
import { geneticSearch } from './genetic.ts';
import type { Search } from './lib/evolve.ts';

type Fitness = (x: Float64Array) => number;
const sphere: Fitness = (x) => -x.reduce((sum, v) => sum + v * v, 0);
/** Axes of lengths 1 to 1,000, turned so that no parameter stands alone. */
const turnedEllipsoid: Fitness = (x) => {
  const n = x.length;
  const total = x.reduce((a, b) => a + b);
  let sum = 0;
  // The Householder reflection of the vector (1, .., 1) mixes all parameters.
  for (let i = 0; i < n; i++) sum += 10 ** ((6 * i) / (n - 1)) * (x[i]! - (2 * total) / n) ** 2;
  return -sum;
};

/** How long the episodes of candidates were: random search alone reads it. */
const NO_LENGTHS = new Float64Array(0);

/** Fitness of what acts after so many candidates at least. */
async function climb(search: Search, fitness: Fitness, candidates: number): Promise<number> {
  for (let tried = 0; tried < candidates; ) {
    const all = search.ask();
    tried += all.length;
    await search.tell(Float64Array.from(all, fitness), async (x) => fitness(x), NO_LENGTHS);
  }
  return fitness(search.best);
}

const from = (n: number) => new Float64Array(n).fill(1);
const cma = (covariance: 'full' | 'diagonal') => cmaSearch(from(10), Rng.from(1), { sigma: 0.5, population: null, covariance });

describe('CMA-ES', () => {
  it('reaches 1e-8 on the sphere of ten dimensions within 2,000 candidates', async () => {
    expect(await climb(cma('full'), sphere, 2000)).toBeGreaterThan(-1e-8);
  });

  it('learns the shape of a turned ellipsoid of condition 1e6; variances alone cannot', async () => {
    expect(await climb(cma('full'), turnedEllipsoid, 8000)).toBeGreaterThan(-1e-8);
    expect(await climb(cma('diagonal'), turnedEllipsoid, 8000)).toBeLessThan(-1e-4);
  });
});

describe('evolution strategies', () => {
  it('climbs the sphere', async () => {
    const search = evolutionStrategy(from(10), Rng.from(1), { lr: 0.05, sigma: 0.1, pairs: 16, weightDecay: 0 });
    expect(await climb(search, sphere, 5000)).toBeGreaterThan(-0.02);
  });

  it('candidates with equal returns pull nowhere', async () => {
    expect(Array.from(centredRanks([5, 5, 5, 5]))).toEqual([0, 0, 0, 0]);
    expect(Array.from(centredRanks([1, 2, 2, 3]))).toEqual([-0.5, 0, 0, 0.5]);
    const search = evolutionStrategy(from(3), Rng.from(1), { lr: 0.05, sigma: 0.1, pairs: 4, weightDecay: 0 });
    search.ask();
    await search.tell(new Float64Array(8).fill(7), async () => 0, NO_LENGTHS);
    expect(Array.from(search.best)).toEqual([1, 1, 1]);
  });
});

describe('the genetic algorithm', () => {
  const settings = { sigma: 0.1, firstSigma: 0.5, population: 20, parents: 4, finalists: 1, trials: 1 };

  it('never loses its best where chance plays no part', async () => {
    const search = geneticSearch(from(10), Rng.from(1), settings);
    let before = Number.NEGATIVE_INFINITY;
    for (let generation = 0; generation < 40; generation++) {
      const now = await climb(search, sphere, 1);
      expect(now).toBeGreaterThanOrEqual(before);
      before = now;
    }
    expect(before).toBeGreaterThan(-0.3);
  });

  it('lets finalists play again, so that a lucky episode does not win', async () => {
    const search = geneticSearch(from(2), Rng.from(1), { ...settings, population: 4, finalists: 2, trials: 3 });
    const all = search.ask().map((x) => x.slice());
    const again: number[] = [];
    await search.tell(
      Float64Array.of(10, 9, 1, 0),
      async (x) => {
        again.push(all.findIndex((other) => other[0] === x[0]));
        return x[0] === all[0]![0] ? 0 : 9; // the first was lucky
      },
      NO_LENGTHS,
    );
    expect(again).toEqual([0, 0, 0, 1, 1, 1]);
    expect(search.best).toEqual(all[1]);
  });
});

it.each(['es', 'cma-es', 'genetic'])(
  '%s: no candidate returns more than the shortest path of a world without a time limit',
  async (id) => {
    for (const seed of [1, 2, 3, 4]) {
      const { rows } = await trained({ algo: getAlgo(id), env: getEnv('cliff-walking'), steps: 150_000, seed });
      expect(rows.length).toBeGreaterThan(1);
      for (const [, row] of rows) expect(row.populationBest, `seed ${seed}`).toBeLessThanOrEqual(-13);
    }
  },
  60_000,
);

it.each([
  { id: 'es', title: 'es' },
  { id: 'cma-es', title: '@night cma-es' },
  { id: 'genetic', title: '@night genetic' },
])(
  '$title balances the pole: median of three seeds at least 475 after 120,000 steps',
  async ({ id }) => {
    const scores: number[] = [];
    for (const seed of [11, 12, 13])
      scores.push((await trained({ algo: getAlgo(id), env: getEnv('cartpole'), steps: 120_000, seed })).evalReturn);
    expect(median(scores)).toBeGreaterThanOrEqual(475);
  },
  60_000,
);
