/**
 * B copies with same-step auto-reset: when a row ends, its last observation goes to finalObs and the row starts again, so `obs`
 * always belongs to the state the next action meets. Keeps episode statistics and, on grids, visit counts.
 */
import type { Saved } from '#contract/events.ts';
import type { Actions, Environment, EnvMeta, StepBuffers } from '../envs/types.ts';

export interface VectorEnv {
  readonly env: Environment;
  readonly meta: EnvMeta;
  readonly batch: number;
  readonly buffers: StepBuffers;
  /** Seeds every row from the run's generator and fills the first observations. */
  reset(): void;
  /** Steps all rows, restarts those that ended. */
  step(actions: Actions): void;
  readonly episodes: EpisodeStats;
  /** [H*W] how often agent 0 stood in each cell; empty where the environment has no cells. */
  readonly visits: Float64Array;
  save(): Saved;
  load(saved: Saved): void;
}

export interface EpisodeStats {
  /** Episodes finished so far. */
  readonly finished: number;
  /** Mean score (EnvMeta.score) of the last 100 finished episodes; NaN before the first. */
  meanReturn(): number;
  meanLength(): number;
  /** Per agent, mean return of the last 100. [A] */
  perAgent(): Float64Array;
  /** Score and length of the episodes that ended since the last call, oldest first. */
  drain(): readonly { readonly score: number; readonly length: number }[];
}
