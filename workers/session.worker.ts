/** Trains one seed of one run: see host/session-host.ts. */
import { expose } from 'comlink';
import { hostWasmFiles } from '#core/engine/tfjs/hosted.ts';
import { openLibrary } from '#storage/open.ts';
import { carryFailures } from './host/failures.ts';
import { hostGym } from './host/gym-link.ts';
import { hostMujocoFile } from './host/mujoco-file.ts';
import { namespaceOf } from './host/namespace.ts';
import { createSessionHost } from './host/session-host.ts';
import { engineOn } from './host/threads.ts';

carryFailures();
hostWasmFiles();
hostMujocoFile();
hostGym();
const namespace = namespaceOf(self.name);
const clocks = { now: () => performance.now(), wall: () => Date.now() };
expose(createSessionHost({ library: openLibrary(namespace), namespace, clocks, engineOn }));
