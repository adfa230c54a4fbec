/** How fast each executor trains the draft here, when a person asks. */
import { Measuring } from './measuring.ts';
import { workers } from './service.ts';

export const measuring: Pick<Measuring, 'start' | 'cancel'> = new Measuring(workers.spawnRacer);
