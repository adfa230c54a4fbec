/** Meta-solvers of PSRO: which mixture of members to answer next, from the payoffs of one population against itself. */
import { z } from 'zod';
import type { Matrix } from '#math/linear.ts';
import { transpose } from '#math/linear.ts';
import { alphaRank, projectedReplicator } from '#math/meta-game.ts';
import { riskAverse, zeroSumNash } from '#math/meta-game-nash.ts';

export const metaFields = {
  metaSolver: z.enum(['nash', 'uniform', 'prd', 'alpha-rank', 'risk-averse']).default('nash').meta({
    title: 'meta-solver',
    description:
      'The mixture that is answered next: an equilibrium of the members (double oracle), all alike (fictitious play), projected replicator dynamics, alpha-Rank, or one that shuns payoffs which depend on whom one meets.',
    source: 'Lanctot et al. 2017; risk-averse: Slumbers et al. 2023',
    depth: 'teach',
    group: 'population',
  }),
  aversion: z
    .number()
    .min(0)
    .max(100)
    .default(0.5)
    .meta({
      title: 'risk aversion',
      description: 'With "risk-averse": how much variance of the payoff counts against its mean.',
      source: 'Slumbers et al. 2023',
      slider: [0, 2],
      group: 'population',
    }),
};
export interface MetaSolverConfig {
  readonly metaSolver: 'nash' | 'uniform' | 'prd' | 'alpha-rank' | 'risk-averse';
  readonly aversion: number;
}

const PRD = { iterations: 5000, dt: 0.02, least: 1e-3 };
const ALPHA_RANK = { population: 50, intensity: 5 }; // intensity per unit of the largest payoff

/** `pay[i][j]`: member i against j, averaged over seats. The equilibrium is that of what one gets more than the other. */
export function solveMeta(pay: Matrix, { metaSolver, aversion }: MetaSolverConfig): readonly number[] {
  const n = pay.length;
  const even = new Array<number>(n).fill(1 / n);
  const largest = Math.max(...pay.map((row) => Math.max(...row.map(Math.abs))));
  if (n === 1 || metaSolver === 'uniform' || largest === 0) return even;
  switch (metaSolver) {
    case 'nash':
      return zeroSumNash(pay.map((row, i) => row.map((v, j) => (v - pay[j]![i]!) / 2))).row;
    case 'prd': {
      const scaled = pay.map((row) => row.map((v) => v / largest));
      return projectedReplicator(scaled, transpose(scaled), PRD).row;
    }
    case 'alpha-rank':
      return alphaRank(
        pay.map((row) => row.map((v) => v / largest)),
        ALPHA_RANK.population,
        ALPHA_RANK.intensity,
      ).stationary;
    case 'risk-averse':
      return riskAverse(pay, transpose(pay), { aversion, rounds: 2000 }).row;
  }
}
