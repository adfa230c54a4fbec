/** What flat and two-level learners of goals share: minibatches of values, metrics, and what is measured now and then. */
import type { MetricCard } from '#contract/catalog/catalog.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import type { Rng } from '#math/rng.ts';
import type { GoalRows, GoalShares } from './rows.ts';

/** Updates between two looks at the signs of advantages. */
export const SIGNS_EVERY = 256;

/** Goals of values in OGBench. */
export const valueGoals = (gamma: number): GoalShares => ({ current: 0.2, later: 0.5, random: 0.3, how: gamma });
/** Goals of its policies. */
export const actorGoals = (random: number): GoalShares => ({ current: 0, later: 1 - random, random, how: 'evenly' });

export interface ValueInputs {
  readonly obs: Float32Array; // [M, O]
  readonly nextObs: Float32Array; // [M, O]
  readonly reward: Float32Array; // [M]
  readonly discount: Float32Array; // [M]
}

/**
 * Fills a minibatch for values of jumps of `jump` steps, never beyond the goal or the episode. -1 a jump; 0 where the goal is the state itself,
 * behind which nothing follows.
 */
export function drawValueRows(
  rng: Rng,
  rows: GoalRows,
  M: number,
  gamma: number,
  into: ValueInputs,
  jump = 1,
  shares = valueGoals(gamma),
): void {
  for (let row = 0; row < M; row++) {
    const i = rows.drawStep(rng);
    const goal = rows.goal(rng, i, shares);
    const there = goal === i;
    const end = rows.lastOf(i);
    const next = Math.min(i + jump, goal > i && goal < end ? goal : end);
    rows.write(i, goal, into.obs, row);
    rows.write(next, goal, into.nextObs, row);
    into.reward[row] = there ? 0 : -1;
    into.discount[row] = there ? 0 : gamma;
  }
}

export const goalMetrics: readonly MetricCard[] = [
  { id: 'valueLoss', title: 'value loss', description: 'Expectile loss of the values, mean since the last row.' },
  { id: 'value', title: 'mean value', description: 'Mean value of recorded states: about minus the discounted steps to their goals.' },
  { id: 'actorLoss', title: 'policy loss', description: 'Cost of the recorded actions, weighted by how much nearer they came.' },
  { id: 'weight', title: 'mean weight', description: 'Mean of exp(alpha A), at most 100.' },
  {
    id: 'wrongSigns',
    title: 'wrong signs',
    description:
      'Share of recorded ways of some steps where the values say nearer to a goal and the shortest way says farther, or the reverse. 0.5 is chance. Only where the environment knows shortest ways.',
  },
];

/** Throws Error where the places of state and goal cannot be told apart: only vectors can. */
export const vectorOnly = (meta: EnvMeta): boolean => meta.agents[0]!.obs.kind === 'box';
