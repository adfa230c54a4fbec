/** Short films of policies, scripts and replays. Loaded with the first view of one. */
import { workers } from '#client/workers/service.ts';
import { Clips } from './clips.ts';

export const clips: Pick<Clips, 'clip'> = new Clips(workers.player);
