/** Which of a run's policies a person wants to see act, as weights of its rewards: for runs that learned one for every weighting. */
import { createStore } from 'zustand/vanilla';

export interface PreferencesState {
  /** By run. A run that is not there shows its policy as it came. */
  readonly weights: { readonly [runId: string]: readonly number[] };
  prefer(runId: string, weights: readonly number[]): void;
}

export const preferencesStore = createStore<PreferencesState>((set, get) => ({
  weights: {},
  prefer: (runId, weights) => set({ weights: { ...get().weights, [runId]: weights } }),
}));
