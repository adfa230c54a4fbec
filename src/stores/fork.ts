/** The fork that is being set up: which run it goes on from, and where. It holds as long as the draft is that run's config with changes. */
import { createStore } from 'zustand/vanilla';
import { sameJson } from '#contract/kit/canonical.ts';
import type { RunConfig } from '#contract/run/config.ts';

export interface Fork {
  readonly runId: string;
  readonly step: number;
  /** What the run was trained with up to there: the draft began as it. */
  readonly config: RunConfig;
}

export interface ForkState {
  readonly fork: Fork | null;
}

export const forkStore = createStore<ForkState>(() => ({ fork: null }));

/** null where another config has been opened since, or another environment or algorithm was chosen. */
export function forkOf({ fork }: ForkState, draft: { readonly base: RunConfig }): Fork | null {
  return fork !== null && sameJson(fork.config, draft.base) ? fork : null;
}

export function beginFork(fork: Fork): void {
  forkStore.setState({ fork });
}

/** The draft stays and trains a run of its own. */
export function cancelFork(): void {
  forkStore.setState({ fork: null });
}
