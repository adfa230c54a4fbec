/** The estimators on games whose values are known: estimate beside truth, for a person to see. */
import { z } from 'zod';
import { TRUST, type TrustedGame } from '#contract/explain/explain.ts';
import { Rng } from '#math/rng.ts';
import { defineExplainer } from './api/define.ts';
import { Estimate } from './api/estimate.ts';
import { seed } from './api/fields.ts';
import { drawValue, permutationScheme, type Scheme } from './lib/draws.ts';
import { shapley } from './lib/exact.ts';
import { knownGames } from './lib/games.ts';

/** Estimates a game from the table of its coalitions (see exact.ts) by this many draws. */
export function sampleTable(scheme: Scheme, table: Float64Array, draws: number, rng: Rng): Estimate {
  const n = scheme.players;
  const draw = scheme.create();
  const worth = new Float64Array(scheme.width);
  const value = new Float64Array(n);
  const estimate = new Estimate(n, true, scheme.whole !== true);
  for (let d = 0; d < draws; d++) {
    scheme.fill(draw, rng);
    for (let row = 0; row < draw.rows; row++) {
      let mask = 0;
      for (let i = 0; i < n; i++) mask |= draw.members[row * n + i]! << i;
      worth[row] = table[mask]!;
    }
    drawValue(draw, worth, value);
    estimate.add(value, worth[draw.emptyRow]!, worth[draw.grandRow]!);
  }
  return estimate;
}

export function testExplainer(draws: number, seed: number): readonly TrustedGame[] {
  return knownGames.map(({ id, title, story, players, table }, g) => {
    const estimate = sampleTable(permutationScheme(players.length), table, draws, Rng.from(seed).split('trust', g));
    return {
      id,
      title,
      story,
      players,
      truth: Array.from(shapley(table)),
      value: Array.from(estimate.mean),
      halfWidth: players.map((_, i) => estimate.halfWidth(i)),
      draws,
    };
  });
}

const config = z.strictObject({
  draws: z.int().min(2).max(1_000_000).default(25).meta({ title: 'draws', description: 'Arrival orders drawn for each game.' }),
  seed,
});

export const trust = defineExplainer<{ readonly draws: number; readonly seed: number }, readonly TrustedGame[]>({
  ref: TRUST,
  title: 'The estimator on games with known values',
  summary: 'Permutation sampling on cooperative games whose Shapley values are known: whether its intervals hold the truth.',
  source: {
    title: 'Introduction to the Theory of Cooperative Games',
    authors: 'Peleg, Sudhölter',
    year: 2007,
    url: 'https://doi.org/10.1007/978-3-540-72945-7',
  },
  config,
  answers: 'bars',
  trial: { env: { id: 'cartpole', config: {} }, algo: { id: 'ppo', config: {} }, steps: 2048, config: { draws: 50 } },
  async *standalone({ draws, seed }) {
    const detail = testExplainer(draws, seed);
    const missed = detail.flatMap(({ truth, value, halfWidth }) => truth.filter((t, i) => Math.abs(value[i]! - t) > halfWidth[i]! + 1e-12));
    const all = detail.reduce((sum, { truth }) => sum + truth.length, 0);
    yield {
      title: 'Shapley value of each player',
      unit: '',
      words: [`${all - missed.length} of ${all} intervals hold the truth; ${draws} draws for each game.`],
      end: 'done',
      data: {
        kind: 'bars',
        bars: detail.flatMap(({ title, players, value, halfWidth }) =>
          players.map((player, i) => ({ label: `${title}: ${player}`, agent: null, value: value[i]!, halfWidth: halfWidth[i]! })),
        ),
      },
      detail,
    };
  },
});
