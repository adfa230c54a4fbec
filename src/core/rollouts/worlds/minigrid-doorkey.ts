import { doorkeyRoom } from '#core/envs/minigrid/lib/plain-rooms.ts';
import { minigridWorld } from './minigrid.ts';

export const minigridDoorkey = minigridWorld('minigrid-doorkey', doorkeyRoom);
