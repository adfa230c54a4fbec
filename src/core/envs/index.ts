/** Every environment, sorted by id: one import and one line each. */
import { fail } from '#contract/errors.ts';
import { acrobot } from './acrobot.ts';
import { cartpole } from './cartpole.ts';
import { catchBall } from './catch.ts';
import { cliffWalking } from './cliff-walking.ts';
import { frozenLake } from './frozen-lake.ts';
import { minatarBreakout } from './minatar-breakout.ts';
import { minigridCustom } from './minigrid-custom.ts';
import { minigridDoorkey } from './minigrid-doorkey.ts';
import { minigridEmpty } from './minigrid-empty.ts';
import { minigridFourRooms } from './minigrid-four-rooms.ts';
import { minigridLavaCrossing } from './minigrid-lava-crossing.ts';
import { minigridMemory } from './minigrid-memory.ts';
import { minigridMultiRoom } from './minigrid-multi-room.ts';
import { minigridSimpleCrossing } from './minigrid-simple-crossing.ts';
import { mountainCar } from './mountain-car.ts';
import { mountainCarContinuous } from './mountain-car-continuous.ts';
import { pendulum } from './pendulum.ts';
import type { EnvEntry } from './types.ts';

export const envs: readonly EnvEntry[] = [
  acrobot,
  cartpole,
  catchBall,
  cliffWalking,
  frozenLake,
  minatarBreakout,
  minigridCustom,
  minigridDoorkey,
  minigridEmpty,
  minigridFourRooms,
  minigridLavaCrossing,
  minigridMemory,
  minigridMultiRoom,
  minigridSimpleCrossing,
  mountainCar,
  mountainCarContinuous,
  pendulum,
];

const byId = new Map(envs.map((entry) => [entry.id, entry]));

/** Throws LabError('unknown-id') with the ids there are. */
export function getEnv(id: string): EnvEntry {
  const entry = byId.get(id);
  if (entry === undefined) throw fail('unknown-id', `There is no environment "${id}".`, `Use one of: ${[...byId.keys()].join(', ')}.`);
  return entry;
}
