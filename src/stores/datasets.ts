/** Recorded datasets on this device, newest first, and what is being done with them. Views read; only the client changes it. */
import { createStore } from 'zustand/vanilla';
import type { DatasetCard } from '#contract/files/dataset.ts';
import { canonicalJson } from '#contract/kit/canonical.ts';
import type { Failure } from '#contract/kit/errors.ts';
import type { Replay } from '#contract/run/events.ts';

/** A policy that was cloned from a person's games of this visit. */
export interface Copy {
  readonly runId: string;
  /** Sources of the cloned policy: whole games, and episodes in which the person took over. */
  readonly games: number;
  readonly corrections: number;
}

export interface DatasetsState {
  /** null: not read yet. */
  readonly entries: readonly DatasetCard[] | null;
  /** What is going on, in words; '': nothing. */
  readonly busy: string;
  readonly failure: Failure | null;
  /** What a person played in this visit, in one world: a part of an episode that was taken over counts as one. */
  readonly games: readonly Replay[];
  /** Cloned from them, oldest first. */
  readonly copies: readonly Copy[];
}

export const datasetsStore = createStore<DatasetsState>(() => ({ entries: null, busy: '', failure: null, games: [], copies: [] }));

/** A person's game joins those before it in the same world; another world begins anew. */
export function addGame(replay: Replay): void {
  const { games } = datasetsStore.getState();
  const world = ({ env }: Replay): string => canonicalJson([env.id, env.config]);
  const [first] = games;
  const same = first === undefined || world(first) === world(replay);
  datasetsStore.setState(same ? { games: [...games, replay] } : { games: [replay], copies: [] });
}

/** Whether a policy played part of it, and the person took over. */
export const tookOver = ({ human }: Replay): boolean => human?.some((agent) => agent < 0) ?? false;

/** Whole games among a person's, and episodes in which they took over. */
export function countGames(games: readonly Replay[]): Pick<Copy, 'games' | 'corrections'> {
  const corrections = games.filter(tookOver).length;
  return { games: games.length - corrections, corrections };
}

/** The list was read. */
export function listDatasets(entries: readonly DatasetCard[]): void {
  datasetsStore.setState({ entries });
}

/** Something goes on with them, in words; until `datasetsRest`. */
export function datasetsWork(busy: string): void {
  datasetsStore.setState({ busy, failure: null });
}

export function datasetsRest(): void {
  datasetsStore.setState({ busy: '' });
}

export function datasetsFailed(failure: Failure): void {
  datasetsStore.setState({ failure });
}

/** A policy is cloned from the games of this visit; answers how many there are. */
export function addCopy(runId: string): number {
  const { games, copies } = datasetsStore.getState();
  datasetsStore.setState({ copies: [...copies, { runId, ...countGames(games) }] });
  return copies.length + 1;
}
