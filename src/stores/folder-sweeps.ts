/** Sweeps of the command line whose folder is looked at: read-only, newest first. Views read; only the client changes them. */
import { createStore } from 'zustand/vanilla';
import type { Failure } from '#contract/kit/errors.ts';
import type { FiledSweep } from '#contract/sweep/folder.ts';
import type { Setup } from '#contract/sweep/run.ts';

export interface FolderSweep {
  /** Folder below the opened one; "" for itself. */
  readonly path: string;
  /** null: it could not be read, see `failure`. */
  readonly filed: FiledSweep | null;
  readonly setups: readonly Setup[];
  readonly failure: Failure | null;
}

export interface FolderSweepsState {
  /** null: none is open. `live`: it is read again while it changes. */
  readonly source: { readonly name: string; readonly live: boolean } | null;
  readonly sweeps: readonly FolderSweep[];
  /** Why the folder could not be read last time; what was read before stays. */
  readonly failure: Failure | null;
  /** Whether it was read once. */
  readonly ready: boolean;
}

export const NO_FOLDER: FolderSweepsState = { source: null, sweeps: [], failure: null, ready: false };

export const folderSweepsStore = createStore<FolderSweepsState>(() => NO_FOLDER);

/** Nothing of the folder is read yet. */
export function openFolder(source: NonNullable<FolderSweepsState['source']>): void {
  folderSweepsStore.setState({ ...NO_FOLDER, source });
}

export function folderRead(sweeps: readonly FolderSweep[], failure: Failure | null): void {
  folderSweepsStore.setState({ sweeps, failure, ready: true });
}

/** What was read before stays. */
export function folderNotRead(failure: Failure): void {
  folderSweepsStore.setState({ failure, ready: true });
}

/** `failure`: why none could be opened. */
export function closeFolder(failure: Failure | null = null): void {
  folderSweepsStore.setState({ ...NO_FOLDER, failure });
}
