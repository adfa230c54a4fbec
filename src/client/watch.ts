/** The watch worker, started at the first question and started anew if it dies; questions it took with it are lost, not the page. */
import type { WatchApi } from '#contract/session.ts';
import { spawnWatch, type WatchWorker } from './workers.ts';

const MOST_RESTARTS = 5;

export class WatchHandle {
  private readonly namespace: string;
  private readonly onRestart: () => void;
  private worker: WatchWorker | null = null;
  private restarts = 0;

  constructor(namespace: string, onRestart: () => void) {
    this.namespace = namespace;
    this.onRestart = onRestart;
  }

  readonly api = (): WatchApi => {
    this.worker ??= spawnWatch(this.namespace, () => this.restart());
    return this.worker.api;
  };

  private restart(): void {
    if (this.restarts++ >= MOST_RESTARTS) return; // it cannot live here; the page says what failed
    this.worker?.terminate();
    this.worker = null;
    this.onRestart();
  }
}
