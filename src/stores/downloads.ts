/** The large file that a worker is fetching because something that was opened needs it. */
import { createStore } from 'zustand/vanilla';
import type { Download } from '#contract/files/downloads.ts';

export const downloadStore = createStore<{
  /** Of several workers that fetch the same file the one that has most of it; null: none does. */
  readonly download: Download | null;
  /** Stops it in all workers. */
  readonly stop: () => void;
}>(() => ({ download: null, stop: () => {} }));

/** `download`: of several workers that fetch the same file the one that has most of it; null: none does. `stop` ends it in all of them. */
export function followDownload(download: Download | null, stop: () => void): void {
  downloadStore.setState({ download, stop });
}
