/** The episode on the stage in its tokens, where the environment is written in them. Filled by client/tokens.ts and client/inspector.ts. */
import { createStore } from 'zustand/vanilla';
import type { Replay } from '#contract/run/events.ts';
import type { StripValues, TokenInspection, TokenStrip } from '#contract/run/tokens.ts';

export interface TokensState {
  /** What `strip` and `values` are about; null: no such episode. */
  readonly replay: Replay | null;
  readonly strip: TokenStrip | null;
  /** Come after the strip; null: not yet, or no learned policy. */
  readonly values: StripValues | null;
  /** Inside the network where the token of the shown frame was written; null: none was, or not answered yet. */
  readonly inside: TokenInspection | null;
  /** `inside` is being looked at: without that nothing is asked. */
  readonly looking: boolean;
  /** Whose attention is shown, from 0. A layer beyond the last: the last. Head -1: the mean of all. */
  readonly layer: number;
  readonly head: number;
}

/** What is looked at stays as chosen. */
export const NO_TOKENS = { replay: null, strip: null, values: null, inside: null } as const;
export const tokensStore = createStore<TokensState>(() => ({
  ...NO_TOKENS,
  looking: false,
  layer: Number.POSITIVE_INFINITY,
  head: -1,
}));

/** The episode on the stage has none, or they cannot be read. */
export function tokensGone(): void {
  tokensStore.setState(NO_TOKENS);
}

export function tokensRead(replay: Replay, strip: TokenStrip): void {
  tokensStore.setState({ replay, strip, values: null, inside: null });
}

export function tokenValuesCame(values: StripValues): void {
  tokensStore.setState({ values });
}

/** The inside of the network at the shown frame of this episode; of another one it is dropped. */
export function tokenInspected(replay: Replay, inside: TokenInspection | null): void {
  if (tokensStore.getState().replay === replay) tokensStore.setState({ inside });
}

/** `looking`: the inside of the network is looked at. */
export function lookInside(looking: boolean): void {
  tokensStore.setState({ looking });
}

/** Whose attention is shown: what is not named stays. */
export function attendTo(chosen: Partial<Pick<TokensState, 'layer' | 'head'>>): void {
  tokensStore.setState(chosen);
}
