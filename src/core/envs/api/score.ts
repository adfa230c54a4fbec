/** How the returns of a team's agents become its score (EnvMeta.score). */
import type { EnvMeta, Score, StepBuffers } from './types.ts';

/** A team's return as one number. */
export function scoreOf(score: Score, perAgent: ArrayLike<number>, at = 0, agents = perAgent.length): number {
  if (score === 'shared') return perAgent[at]!;
  const chosen = typeof score === 'string' ? Array.from({ length: agents }, (_, i) => i) : score;
  let sum = 0;
  for (const agent of chosen) sum += perAgent[at + agent]!;
  return score === 'sum' ? sum : sum / chosen.length;
}

/** What each agent of each copy was paid by the last step, all kinds of reward together: [B * A]; valid until the next step. */
export function paidOf({ rewards }: EnvMeta, { reward }: StepBuffers): Float32Array {
  const kinds = rewards.length;
  if (kinds === 1) return reward;
  return Float32Array.from({ length: reward.length / kinds }, (_, row) => {
    let sum = 0;
    for (let k = 0; k < kinds; k++) sum += reward[row * kinds + k]!;
    return sum;
  });
}
