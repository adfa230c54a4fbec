/** Environments whose copies can live on a graphics device, by id: one file each, loaded when a run asks for it. */
import type { World } from '../world.ts';

export const worlds: { readonly [env: string]: () => Promise<World> } = {
  cartpole: async () => (await import('./cartpole.ts')).cartpole,
  'minigrid-doorkey': async () => (await import('./minigrid-doorkey.ts')).minigridDoorkey,
  'minigrid-empty': async () => (await import('./minigrid-empty.ts')).minigridEmpty,
  snake: async () => (await import('./snake.ts')).snake,
};
