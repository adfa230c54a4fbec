/** Messages between the agents of a team: what is sent in one frame and what it changes, and what the channel is worth. Plain data. */
import type { ExplainerRef } from './explain-api.ts';

export interface MessageFrame {
  /**
   * peer: agents send messages to each other. central: one messenger sends each agent its message. environment: symbols that agents send
   * as actions and receive as observations.
   */
  readonly kind: 'peer' | 'central' | 'environment';
  readonly size: number; // M numbers per agent
  /** [A, M] the message each agent sends in this step; 'central' and 'environment': the one it receives, NaN where there is none. */
  readonly messages: Float32Array;
  /** [A, A] KL(pi || pi without the message), nats, of the column's agent without the row's message; of 'peer' only, empty for large teams. */
  readonly influence: Float32Array;
  /** [A] KL(pi || pi without messages), nats, of each agent without any message. */
  readonly influenceOfAll: Float32Array;
  /** [A, D] greedy actions with messages and without. */
  readonly actions: Float32Array;
  readonly actionsMuted: Float32Array;
}

/** Greedy episodes on the same seeds, with messages and without. */
export interface ChannelValue {
  readonly episodes: number;
  readonly withMessages: number; // mean score
  readonly muted: number;
  /** Half of the 95 % interval of the mean difference, pair by pair. */
  readonly halfWidth: number;
}

/** src/core/explain/communication.ts */
export const COMMUNICATION: ExplainerRef<object, MessageFrame> = { id: 'communication' };

/** src/core/explain/channel-value.ts */
export const CHANNEL_VALUE: ExplainerRef<{ readonly episodes: number }, ChannelValue> = { id: 'channel-value' };
