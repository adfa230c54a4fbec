/** What the agents of a team tell each other, and what their talking is worth: asked of the watch worker about the shown policy. */

import type { PolicySnapshot, Replay } from './events.ts';

export interface Talk {
  /** channel: messages of the policy's own; messenger: the same, but one who sees everything tells each agent something; environment: symbols that agents say as actions and hear as observations. */
  readonly kind: 'channel' | 'messenger' | 'environment';
  readonly size: number; // M numbers per agent
  /** [A, M] what each agent says in this step; 'messenger': what each is told; 'environment': what each hears, NaN where it hears nothing. */
  readonly messages: Float32Array;
  /** [A, A] nats: how much the choice of the column's agent changes if the row's agent is not heard; of 'channel' only, empty for large teams. */
  readonly effect: Float32Array;
  /** [A] nats: how much its choice changes if nobody is heard. */
  readonly silence: Float32Array;
  /** [A, D] what each would do, greedily, hearing the others and hearing nobody. */
  readonly chosen: Float32Array;
  readonly unheard: Float32Array;
}

/** Greedy episodes on the same seeds, with messages and without. */
export interface MuteTest {
  readonly episodes: number;
  readonly heard: number; // mean score
  readonly muted: number;
  /** Half of the 95 % interval of the mean difference, pair by pair. */
  readonly halfWidth: number;
}

export interface TalkApi {
  /** null: this policy says nothing and the environment has no symbols. */
  talk(replay: Replay, t: number, policy: string): Promise<Talk | null>;
  muteTest(snapshot: PolicySnapshot, episodes: number): Promise<MuteTest>;
}
