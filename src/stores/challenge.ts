/** The challenge that is being tried: games in its world begin with its seed until another one is opened. */
import { createStore } from 'zustand/vanilla';
import type { JsonObject } from '#contract/kit/json.ts';
import type { Replay } from '#contract/run/events.ts';

export interface ChallengeState {
  /** null: none was opened in this visit. */
  readonly tried: {
    /** Complete. */
    readonly env: { readonly id: string; readonly config: JsonObject };
    readonly seed: number;
    /** The agent that a person plays, and who plays each seat (WatchApi.play); missing: a world of one agent. */
    readonly seat?: { readonly agent: number; readonly players: readonly (string | null)[] };
    /** Address of its page. */
    readonly address: string;
  } | null;
  /** Games on a seat that were played to their end by hand, with the address of their challenge. */
  readonly seated: readonly { readonly address: string; readonly replay: Replay }[];
}

export const challengeStore = createStore<ChallengeState>(() => ({ tried: null, seated: [] }));

export function tryChallenge(tried: ChallengeState['tried']): void {
  challengeStore.setState({ tried });
}

/** A game on the seat of this challenge has ended. */
export function seatPlayed(address: string, replay: Replay): void {
  challengeStore.setState(({ seated }) => ({ seated: [...seated, { address, replay }] }));
}
