import { doorkeyRoom, minigridDoorkey as entry } from '#core/envs/minigrid/minigrid-doorkey.ts';
import { minigridWorld } from './minigrid.ts';

export const minigridDoorkey = minigridWorld(entry, doorkeyRoom);
