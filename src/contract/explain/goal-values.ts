/** The value that a policy gives to every place of a maze, beside the steps of the shortest way from there to the goal. */
import type { Lattice } from '../game/frames.ts';
import type { ExplainerRef } from './explain-api.ts';

export interface GoalValuesQuestion {
  /** Steps along the shortest way after which a value must be higher. */
  readonly way: number;
}

/** By points of the environment's lattice, line by line from below. */
export interface GoalValues extends Lattice {
  /** Steps of the shortest way to the goal; NaN: the agent cannot stand there. */
  readonly steps: readonly number[];
  /** Values that the policy gives to such places, in its own unit; NaN where `steps` is. null: it has no values, or none is learned. */
  readonly values: readonly number[] | null;
  /** 1: some steps along the shortest way the value is not higher than here. */
  readonly wrong: readonly number[];
  /** The points nearest to the agent and to the goal. */
  readonly here: number;
  readonly goal: number;
}

/** src/core/explain/goal-values.ts */
export const GOAL_VALUES: ExplainerRef<GoalValuesQuestion, GoalValues> = { id: 'goal-values' };
