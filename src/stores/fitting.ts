/**
 * Which methods can act in the draft's environment; null until the client has asked. Answering loads the code of every method, so it is asked when a
 * person comes to choose one.
 */
import { createStore } from 'zustand/vanilla';
import type { Fitting } from '#contract/run/fitting.ts';

export interface FittingState {
  /** Id of the environment it is about. */
  readonly env: string;
  readonly fitting: Fitting | null;
  /** A person comes to choose a method; from then on each environment is asked about. */
  readonly wanted: boolean;
}

export const fittingStore = createStore<FittingState>(() => ({ env: '', fitting: null, wanted: false }));

/** null: not known, so every method is offered. */
export function fittingKnown(env: string, fitting: Fitting | null): void {
  fittingStore.setState({ env, fitting });
}

export function wantFitting(): void {
  if (!fittingStore.getState().wanted) fittingStore.setState({ wanted: true });
}
