import { emptyRoom } from '#core/envs/minigrid/lib/plain-rooms.ts';
import { minigridWorld } from './minigrid.ts';

export const minigridEmpty = minigridWorld('minigrid-empty', emptyRoom);
