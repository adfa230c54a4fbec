/** Knows the catalogue, plays, replays and inspects; never trains: see host/watch-host.ts. */
import { expose } from 'comlink';
import { hostWasmFiles } from '#core/engine/tfjs/hosted.ts';
import { holdLock } from '#storage/locks.ts';
import { carryFailures } from './host/failures.ts';
import { createWatchHost } from './host/watch-host.ts';

carryFailures();
hostWasmFiles(); // the executor race
// Held for life under this worker's own name: when it is free, the page knows that the worker is gone.
holdLock(self.name).catch(() => {}); // without locks the page hears of errors only
expose(createWatchHost());
