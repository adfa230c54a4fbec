/** Knows the catalogue, plays, replays, inspects and explains; never trains: see host/watch-host.ts. */
import { expose } from 'comlink';
import type { PageApi } from '#contract/session/opened.ts';
import { hostWasmFiles } from '#core/engine/tfjs/hosted.ts';
import { holdLock } from '#storage/locks.ts';
import { carryFailures } from './host/failures.ts';
import { hostGym } from './host/gym-link.ts';
import { hostMujocoFile } from './host/mujoco-file.ts';
import { createWatchHost } from './host/watch-host.ts';

carryFailures();
hostWasmFiles(); // the executor race
hostMujocoFile();
hostGym();
// Held for life under this worker's own name: when it is free, the page knows that the worker is gone.
const held = holdLock(self.name).catch(() => {}); // without locks the page hears of errors only
const host = createWatchHost();
// Nothing is answered before the lock is held, so after an answer a free lock means a lost worker.
expose(
  new Proxy(host, {
    get: (_, method: keyof PageApi) => {
      const call = host[method] as (...given: unknown[]) => Promise<unknown>;
      return async (...given: unknown[]) => {
        await held;
        return call(...given);
      };
    },
  }),
);
