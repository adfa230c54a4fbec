/** How the agents of a team hang together. Plain data; matrices are [agents, agents], row-major, row acts on column. */

import type { ExplainerRef } from './explain-api.ts';

export interface CoordinationQuestion {
  /** Episodes played for what is counted over episodes. */
  readonly episodes: number;
  /** Frames of the replay at which influence is measured for its mean; the asked frame comes on top. */
  readonly frames: number;
  readonly greedy: boolean;
  readonly seed: number;
}

export interface MessageUse {
  readonly agent: number;
  /** Entropy of what it says, nats; 0: always the same word. */
  readonly entropy: number;
  readonly symbols: readonly string[];
  /** Share of each symbol. */
  readonly share: readonly number[];
  /** [agents] nats that a message tells about what each agent does next, beyond what chance would show. */
  readonly heard: readonly number[];
}

export interface Coordination {
  readonly t: number;
  readonly agents: readonly string[];
  /**
   * How far what agent i does at this frame moves agent j's next three choices: the divergence (nats, summed) of j's distribution after
   * i's own action from the mixture over all that i might have done (Jaques et al. 2019). `change`: the policy has no probabilities; then
   * the share of i's other actions after which j chooses differently.
   */
  readonly influence: readonly number[];
  readonly unit: 'nats' | 'change';
  /** The same, mean over frames of the episode, and half of its 95 % interval. */
  readonly meanInfluence: readonly number[];
  readonly meanInfluenceHalfWidth: readonly number[];
  readonly frames: number;
  /** Mutual information of simultaneous actions, nats, less what independent actions would show by chance; and the 95 % quantile of chance. */
  readonly together: readonly number[];
  readonly chance: readonly number[];
  readonly episodes: number;
  readonly steps: number;
  readonly messages: readonly MessageUse[];
}

/** src/core/explain/coordination.ts */
export const COORDINATION: ExplainerRef<CoordinationQuestion, Coordination> = { id: 'coordination' };
