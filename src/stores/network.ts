/** The network of the policy on the stage, what it does at the shown state, and a change of that state made by hand. */
import { createStore } from 'zustand/vanilla';
import type { NetworkView, SlopeQuestion, StateEdit } from '#contract/game/network-view.ts';
import type { Failure } from '#contract/kit/errors.ts';
import type { Look } from '#contract/session/session.ts';

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

/** A view opens; `drawn`: one of the network itself. Returns the function that closes it. */
export function openNetworkView(drawn: boolean): () => void {
  const change = (by: number): void =>
    networkStore.setState((before) => ({ open: before.open + by, drawn: before.drawn + (drawn ? by : 0) }));
  change(1);
  return () => change(-1);
}

/** While its run trains the newest policy is followed, or the one on the stage. */
export function followNewest(on: boolean): void {
  networkStore.setState({ follow: on ? 'newest' : 'stage' });
}

export function chooseSlope(slope: SlopeQuestion | null): void {
  networkStore.setState({ slope });
}

/** Changes of the shown frame; none: it is as it was. */
export function changeFrame(edits: readonly StateEdit[]): void {
  if (edits.length > 0 || networkStore.getState().edits.length > 0) networkStore.setState({ edits, failure: null });
}

/** Another agent is asked about: nothing that was answered or chosen is about it. */
export function networkOfAnother(): void {
  networkStore.setState({ ...NO_NETWORK, slope: null, edits: [] });
}

/** No policy is on the stage. */
export function networkGone(): void {
  const { look, view } = networkStore.getState();
  if (look !== null || view !== null) networkStore.setState({ ...NO_NETWORK, edits: [] });
}

export function networkCame(policy: NetworkState['policy'], view: NetworkView): void {
  networkStore.setState({ policy, view, failure: null });
}

export function networkAnswered(look: NonNullable<NetworkState['look']>): void {
  networkStore.setState({ look, failure: null });
}

/** A change that cannot be made leaves the network that is drawn. */
export function networkFailed(failure: Failure, changed: boolean): void {
  networkStore.setState({ ...(!changed && NO_NETWORK), failure });
}
