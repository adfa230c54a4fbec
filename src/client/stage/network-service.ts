/** The network of the shown policy: its numbers at the shown frame, and edits of what it is given. Loaded with the first view or link that is about it. */
import { workers } from '#client/workers/service.ts';
import { NetworkReader } from './network.ts';
import { stageController } from './service.ts';

export const network: Pick<NetworkReader, 'edit' | 'stepNumbers'> = new NetworkReader(workers.player, stageController, () =>
  performance.now(),
);
