/** Recorded datasets on this device, newest first, and what is being done with them. Views read; only the client changes it. */
import { createStore } from 'zustand/vanilla';
import { canonicalJson } from '#contract/canonical.ts';
import type { DatasetCard } from '#contract/dataset.ts';
import type { Failure } from '#contract/errors.ts';
import type { Replay } from '#contract/events.ts';

export interface DatasetsState {
  /** null: not read yet. */
  readonly entries: readonly DatasetCard[] | null;
  /** What is going on, in words; '': nothing. */
  readonly busy: string;
  readonly failure: Failure | null;
  /** What a person played in this visit, in one world: a part of an episode that was taken over counts as one. */
  readonly games: readonly Replay[];
}

export const datasetsStore = createStore<DatasetsState>(() => ({ entries: null, busy: '', failure: null, games: [] }));

/** A person's game joins those before it in the same world; another world begins anew. */
export function addGame(replay: Replay): void {
  const { games } = datasetsStore.getState();
  const world = ({ env }: Replay): string => canonicalJson([env.id, env.config]);
  const [first] = games;
  datasetsStore.setState({ games: first === undefined || world(first) === world(replay) ? [...games, replay] : [replay] });
}
