/** The challenge that is being tried: games in its world begin with its seed until another one is opened. */
import { createStore } from 'zustand/vanilla';
import type { JsonObject } from '#contract/kit/json.ts';

export interface ChallengeState {
  /** null: none was opened in this visit. */
  readonly tried: {
    /** Complete. */
    readonly env: { readonly id: string; readonly config: JsonObject };
    readonly seed: number;
    /** Address of its page. */
    readonly address: string;
  } | null;
}

export const challengeStore = createStore<ChallengeState>(() => ({ tried: null }));

export function tryChallenge(tried: ChallengeState['tried']): void {
  challengeStore.setState({ tried });
}
