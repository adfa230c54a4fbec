/** The episode on the stage in its tokens, where the environment is written in them. Filled by client/tokens.ts. */
import { createStore } from 'zustand/vanilla';
import type { Replay } from '#contract/events.ts';
import type { StripValues, TokenStrip } from '#contract/tokens.ts';

export interface TokensState {
  /** What `strip` and `values` are about; null: no such episode. */
  readonly replay: Replay | null;
  readonly strip: TokenStrip | null;
  /** Come after the strip; null: not yet, or no learned policy. */
  readonly values: StripValues | null;
}

export const NO_TOKENS: TokensState = { replay: null, strip: null, values: null };
export const tokensStore = createStore<TokensState>(() => NO_TOKENS);
