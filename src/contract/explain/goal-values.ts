/** The value that a policy gives to every place of a maze, beside the steps of the shortest way from there to the goal. */
import type { Lattice } from '../game/frames.ts';
import type { ExplainerRef } from './explain-api.ts';

export interface GoalValuesQuestion {
  /** Steps along the shortest way after which a value must be higher. */
  readonly way: number;
  /** Also where the places lie in a plane by the policy's values. Missing: no. */
  readonly plane?: boolean | undefined;
}

/** Places so that their straight distances are about what the policy says of the way from one to another, turned as the maze lies. */
export interface GoalPlane {
  /** Two numbers a point of the lattice; NaN where it cannot stand. */
  readonly at: readonly number[];
  /** Share 0..1 of the spread of the places that a plane can hold. */
  readonly held: number;
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
  /** null: it was not asked for, or there are no values. */
  readonly plane: GoalPlane | null;
}

/** src/core/explain/goal-values.ts */
export const GOAL_VALUES: ExplainerRef<GoalValuesQuestion, GoalValues> = { id: 'goal-values' };
