/** The network of the policy on the stage, what it does at the shown state, and a change of that state made by hand. */
import { createStore } from 'zustand/vanilla';
import type { Failure } from '#contract/errors.ts';
import type { NetworkView, SlopeQuestion, StateEdit } from '#contract/network-view.ts';
import type { Look } from '#contract/session.ts';

export interface NetworkState {
  /** Views that are open: nothing is asked for without any. `drawn`: also the network is, not the decision alone. */
  readonly open: number;
  readonly drawn: number;
  /** The policy on the stage, or the newest one of its run while that trains. */
  readonly follow: 'stage' | 'newest';
  readonly slope: SlopeQuestion | null;
  /** Changes of the frame on the stage, in order; gone when another one is shown. */
  readonly edits: readonly StateEdit[];
  /** Whose network `view` is. */
  readonly policy: { readonly key: string; readonly step: number; readonly agent: number } | null;
  readonly view: NetworkView | null;
  /** The newest answer, and what it was about. */
  readonly look: (Look & { readonly t: number; readonly edits: readonly StateEdit[] }) | null;
  /** Why there is no network to draw, or why the change cannot be made. */
  readonly failure: Failure | null;
}

export const NO_NETWORK = { policy: null, view: null, look: null, failure: null } as const;

export const networkStore = createStore<NetworkState>(() => ({
  open: 0,
  drawn: 0,
  follow: 'stage',
  slope: null,
  edits: [],
  ...NO_NETWORK,
}));
