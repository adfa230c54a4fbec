/** The estimators on games whose values are known: estimate beside truth, for a person to see. */
import type { TrustedGame } from '#contract/explain.ts';
import { Rng } from '#math/rng.ts';
import { drawValue, permutationScheme, type Scheme } from './lib/draws.ts';
import { Estimate } from './lib/estimate.ts';
import { shapley } from './lib/exact.ts';
import { knownGames } from './lib/games.ts';

/** Estimates a game from the table of its coalitions (see exact.ts) by this many draws. */
export function sampleTable(scheme: Scheme, table: Float64Array, draws: number, rng: Rng): Estimate {
  const n = scheme.players;
  const draw = scheme.create();
  const worth = new Float64Array(scheme.width);
  const value = new Float64Array(n);
  const estimate = new Estimate(n);
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
