/** How the returns of a team's agents become its score (EnvMeta.score). */
import type { Score } from './types.ts';

/** A team's return as one number. */
export function scoreOf(score: Score, perAgent: ArrayLike<number>, at = 0, agents = perAgent.length): number {
  if (score === 'shared') return perAgent[at]!;
  const chosen = typeof score === 'string' ? Array.from({ length: agents }, (_, i) => i) : score;
  let sum = 0;
  for (const agent of chosen) sum += perAgent[at + agent]!;
  return score === 'sum' ? sum : sum / chosen.length;
}
