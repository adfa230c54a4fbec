import { emptyRoom, minigridEmpty as entry } from '#core/envs/minigrid/minigrid-empty.ts';
import { minigridWorld } from './minigrid.ts';

export const minigridEmpty = minigridWorld(entry, emptyRoom);
