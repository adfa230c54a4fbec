import { workers } from '#client/workers/service.ts';
import { Links } from './links.ts';

/** The page's own address, which follows what is set up. */
export const addressBar = new Links(workers.player);
