/** Which methods can act in the draft's environment; null until the client has asked. */
import { createStore } from 'zustand/vanilla';
import type { Fitting } from '#contract/run/fitting.ts';

export interface FittingState {
  /** Id of the environment it is about. */
  readonly env: string;
  readonly fitting: Fitting | null;
}

export const fittingStore = createStore<FittingState>(() => ({ env: '', fitting: null }));

/** null: not known, so every method is offered. */
export function fittingKnown(env: string, fitting: Fitting | null): void {
  fittingStore.setState({ env, fitting });
}
