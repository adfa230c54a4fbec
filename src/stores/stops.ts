/** When the runs that are trained next end early. Not part of the config, and so not of its link. */
import { createStore } from 'zustand/vanilla';
import type { StopRules } from '#contract/game/stop-rules.ts';

export interface StopsState {
  readonly rules: StopRules;
}

export const stopsStore = createStore<StopsState>(() => ({ rules: {} }));

export function stopWhen(rules: StopRules): void {
  stopsStore.setState({ rules });
}
