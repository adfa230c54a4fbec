/**
 * CMA-ES (Hansen 2016, "The CMA Evolution Strategy: A Tutorial"): candidates are drawn from a normal distribution whose mean, step size and
 * covariance follow the better half of them.
 *   x_k = m + sigma y_k,  y_k ~ N(0, C);   m <- m + sigma sum_i w_i y_i:best
 *   p_s <- (1 - c_s) p_s + sqrt(c_s (2 - c_s) mu_w) C^-1/2 y_w,   sigma <- sigma exp(c_s / d_s (|p_s| / E|N(0, I)| - 1))
 *   C <- (1 - c_1 - c_mu) C + c_1 p_c p_c' + c_mu sum_i w_i y_i y_i'
 * Positive weights only. The diagonal form (Ros and Hansen 2008) keeps variances alone and learns them (n + 2) / 3 times as fast.
 * Pseudo-code:
 *   m = the parameters of a new network, C = I, p_s = p_c = 0
 *   repeat until the budget is spent, by whole generations
 *     for each candidate k: z_k ~ N(0, I), y_k = B D z_k where C = B D^2 B', x_k = m + sigma y_k
 *     F_k = mean return of x_k over `episodes` whole episodes
 *     y_w = sum_i w_i y_i over the better half by F, best first
 *     m += sigma y_w
 *     p_s = (1 - c_s) p_s + sqrt(c_s (2 - c_s) mu_w) B z_w, z_w = sum_i w_i z_i of the same
 *     h = 1, but 0 while p_s is so long that sigma grows fast
 *     p_c = (1 - c_c) p_c + h sqrt(c_c (2 - c_c) mu_w) y_w
 *     C = (1 - c_1 - c_mu + (1 - h) c_1 c_c (2 - c_c)) C + c_1 p_c p_c' + c_mu sum_i w_i y_i y_i'
 *     if diagonal: only the variances of C are kept, B = I, c_1 and c_mu times (n + 2) / 3
 *     sigma *= exp(c_s / d_s (|p_s| / E|N(0, I)| - 1))
 *     the network with the parameters m acts from now on
 */
import { z } from 'zod';
import { symmetricEigen } from '#math/eigen.ts';
import { exp, log } from '#math/functions.ts';
import type { Rng } from '#math/rng.ts';
import { normal } from '#math/sampling.ts';
import * as fields from '../api/fields.ts';
import { evolutionMethod, type Search } from './lib/evolve.ts';

/** Parameters up to which the whole covariance is kept: its decomposition costs their number cubed. */
const MOST_FULL = 128;

const tutorial = 'Hansen 2016, table 1';
const settings = {
  sigma: fields.real(0.5, {
    above: 0,
    max: 10,
    title: 'initial sigma',
    description: 'Standard deviation of every parameter in the first generation; it adapts from then on.',
    source: 'own choice',
    log: true,
    slider: [0.01, 2],
    depth: 'teach',
    group: 'population',
  }),
  population: fields.orNull(
    fields.integer(16, {
      min: 4,
      max: 2000,
      title: 'population',
      description: 'Candidates of a generation. Empty: 4 + 3 ln n for n parameters.',
      source: tutorial,
      group: 'population',
    }),
    'auto',
  ),
  covariance: z
    .enum(['auto', 'full', 'diagonal'])
    .default('auto')
    .meta({
      title: 'covariance',
      description: `Full: how parameters go together is learned. Diagonal: only how far each may go. Auto: full up to ${MOST_FULL} parameters.`,
      source: 'Ros and Hansen 2008',
      group: 'population',
    }),
};
type Config = { readonly [K in keyof typeof settings]: z.infer<(typeof settings)[K]> };

export interface CmaConstants {
  readonly population: number; // lambda
  readonly parents: number; // mu
  readonly weights: Float64Array; // [mu], decreasing, sum 1
  readonly muEff: number;
  readonly cSigma: number;
  readonly dSigma: number;
  readonly cC: number;
  readonly c1: number;
  readonly cMu: number;
  readonly chiN: number; // E|N(0, I)|
}

/** The strategy parameters for n dimensions; `population` null: the default. */
export function cmaConstants(n: number, population: number | null = null): CmaConstants {
  const lambda = population ?? 4 + Math.floor(3 * log(n));
  const parents = Math.floor(lambda / 2);
  const raw = Float64Array.from({ length: parents }, (_, i) => log((lambda + 1) / 2) - log(i + 1));
  const total = raw.reduce((a, b) => a + b);
  const weights = raw.map((w) => w / total);
  const muEff = 1 / weights.reduce((sum, w) => sum + w * w, 0);
  const cSigma = (muEff + 2) / (n + muEff + 5);
  const c1 = 2 / ((n + 1.3) ** 2 + muEff);
  return {
    population: lambda,
    parents,
    weights,
    muEff,
    cSigma,
    dSigma: 1 + 2 * Math.max(0, Math.sqrt((muEff - 1) / (n + 1)) - 1) + cSigma,
    cC: (4 + muEff / n) / (n + 4 + (2 * muEff) / n),
    c1,
    cMu: Math.min(1 - c1, (2 * (muEff - 2 + 1 / muEff)) / ((n + 2) ** 2 + muEff)),
    chiN: Math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n)),
  };
}

/** C = B D^2 B': draws y = B D z, and gives C^-1/2 y = B z. */
interface Shape {
  readonly state: { readonly [name: string]: Float64Array };
  spread(z: Float64Array): Float64Array;
  whiten(z: Float64Array): Float64Array;
  /** C <- keep C + c1 path path' + cMu sum_i w_i y_i y_i'. */
  update(keep: number, c1: number, path: Float64Array, cMu: number, weights: Float64Array, best: readonly Float64Array[]): void;
}

function diagonalShape(n: number): Shape {
  const variance = new Float64Array(n).fill(1);
  return {
    state: { variance },
    spread: (z) => z.map((value, i) => Math.sqrt(variance[i]!) * value),
    whiten: (z) => z,
    update(keep, c1, path, cMu, weights, best) {
      for (let i = 0; i < n; i++) {
        let sum = 0;
        best.forEach((y, k) => {
          sum += weights[k]! * y[i]! * y[i]!;
        });
        variance[i] = keep * variance[i]! + c1 * path[i]! * path[i]! + cMu * sum;
      }
    },
  };
}

function fullShape(n: number): Shape {
  const covariance = new Float64Array(n * n);
  const basis = new Float64Array(n * n);
  const root = new Float64Array(n).fill(1); // D
  for (let i = 0; i < n; i++) covariance[i * n + i] = basis[i * n + i] = 1;
  const turn = (z: Float64Array): Float64Array => {
    const y = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += basis[i * n + k]! * z[k]!;
      y[i] = sum;
    }
    return y;
  };
  return {
    state: { covariance, basis, root },
    spread: (z) => turn(z.map((value, k) => root[k]! * value)),
    whiten: turn,
    update(keep, c1, path, cMu, weights, best) {
      for (let i = 0; i < n; i++) {
        for (let j = i; j < n; j++) {
          let sum = 0;
          for (let k = 0; k < best.length; k++) sum += weights[k]! * best[k]![i]! * best[k]![j]!;
          const value = keep * covariance[i * n + j]! + c1 * path[i]! * path[j]! + cMu * sum;
          covariance[i * n + j] = value;
          covariance[j * n + i] = value;
        }
      }
      const eigen = symmetricEigen(covariance, n);
      basis.set(eigen.vectors);
      // Rounding may leave a value a little below 0 where the distribution has become flat.
      eigen.values.forEach((value, k) => {
        root[k] = Math.sqrt(Math.max(value, 1e-20));
      });
    },
  };
}

/** Starts at `mean` [n], which it changes. */
export function cmaSearch(mean: Float64Array, rng: Rng, c: Pick<Config, 'sigma' | 'population' | 'covariance'>): Search {
  const n = mean.length;
  const k = cmaConstants(n, c.population);
  const full = c.covariance === 'auto' ? n <= MOST_FULL : c.covariance === 'full';
  const shape = full ? fullShape(n) : diagonalShape(n);
  const faster = full ? 1 : (n + 2) / 3;
  const c1 = Math.min(1, k.c1 * faster);
  const cMu = Math.min(1 - c1, k.cMu * faster);
  const [pathSigma, pathC] = [new Float64Array(n), new Float64Array(n)];
  const counters = { sigma: c.sigma, generations: 0 };
  let z: readonly Float64Array[] = [];
  let y: readonly Float64Array[] = [];
  const weighted = (rows: readonly Float64Array[]): Float64Array => {
    const sum = new Float64Array(n);
    rows.forEach((row, i) => {
      for (let j = 0; j < n; j++) sum[j]! += k.weights[i]! * row[j]!;
    });
    return sum;
  };
  return {
    best: mean,
    state: { counters, arrays: { mean, pathSigma, pathC, ...shape.state } },
    ask() {
      z = Array.from({ length: k.population }, () => Float64Array.from(mean, () => normal(rng)));
      y = z.map((draw) => shape.spread(draw));
      return y.map((step) => mean.map((value, j) => value + counters.sigma * step[j]!));
    },
    tell(returns) {
      const order = z.map((_, i) => i).sort((a, b) => returns[b]! - returns[a]!);
      const parents = order.slice(0, k.parents);
      const best = parents.map((i) => y[i]!);
      const step = weighted(best);
      const white = shape.whiten(weighted(parents.map((i) => z[i]!)));
      const pull = Math.sqrt(k.cSigma * (2 - k.cSigma) * k.muEff);
      let squares = 0;
      for (let j = 0; j < n; j++) {
        mean[j]! += counters.sigma * step[j]!;
        pathSigma[j] = (1 - k.cSigma) * pathSigma[j]! + pull * white[j]!;
        squares += pathSigma[j]! ** 2;
      }
      counters.generations++;
      const length = Math.sqrt(squares);
      // While the step size grows fast the covariance's path stands still.
      const settled = length / Math.sqrt(1 - (1 - k.cSigma) ** (2 * counters.generations)) < (1.4 + 2 / (n + 1)) * k.chiN;
      const pullC = settled ? Math.sqrt(k.cC * (2 - k.cC) * k.muEff) : 0;
      for (let j = 0; j < n; j++) pathC[j] = (1 - k.cC) * pathC[j]! + pullC * step[j]!;
      const keep = 1 - c1 - cMu + (settled ? 0 : c1 * k.cC * (2 - k.cC));
      shape.update(keep, c1, pathC, cMu, k.weights, best);
      counters.sigma *= exp((k.cSigma / k.dSigma) * (length / k.chiN - 1));
    },
    report: () => ({ sigma: counters.sigma }),
  };
}

export const cmaEs = evolutionMethod<Config>(
  {
    id: 'cma-es',
    title: 'CMA-ES',
    summary: 'Draws candidates from a normal distribution that adapts its shape to those that returned more.',
    source: {
      title: 'The CMA Evolution Strategy: A Tutorial',
      authors: 'Hansen',
      year: 2016,
      url: 'https://arxiv.org/abs/1604.00772',
    },
    fields: settings,
    presets: [
      { id: 'linear', title: 'Linear policy', config: { hidden: [] } },
      {
        id: 'diagonal',
        title: 'Variances only, for larger networks',
        config: { covariance: 'diagonal', hidden: [32, 32], population: 32 },
      },
    ],
    trial: { env: 'cartpole', steps: 2000, config: { population: 8, hidden: [4] } },
    probeConfig: { episodes: 4, hidden: [4] },
    metrics: [{ id: 'sigma', title: 'sigma', description: 'Step size of the search; falls when candidates no longer differ.' }],
  },
  cmaSearch,
);
