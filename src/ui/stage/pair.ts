/**
 * Two scenes side by side over the stage: whether they are there (what is said of the scene below waits meanwhile), and the two runs of a step of a
 * lesson that are to be shown so.
 */
import { createStore } from 'zustand/vanilla';

interface PairState {
  readonly open: boolean;
  readonly arms: readonly { readonly runId: string; readonly label: string }[];
}

export const pairStore = createStore<PairState>(() => ({ open: false, arms: [] }));

/** The two runs that a step of a lesson shows; none: one scene again. */
export function pairArms(arms: PairState['arms']): void {
  pairStore.setState({ arms });
}

/** Two scenes are shown. Returns the function that closes them. */
export function openPair(): () => void {
  pairStore.setState({ open: true });
  return () => pairStore.setState({ open: false });
}
