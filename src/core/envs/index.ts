/** Every environment, sorted by id: one import and one line each. */
import { fail } from '#contract/errors.ts';
import { acrobot } from './acrobot.ts';
import { bandit } from './bandit.ts';
import { bsuiteCartpole } from './bsuite-cartpole.ts';
import { cartpole } from './cartpole.ts';
import { catchBall } from './catch.ts';
import { cliffWalking } from './cliff-walking.ts';
import { coinGame } from './coin-game.ts';
import { deepSea } from './deep-sea.ts';
import { deepSeaTreasure } from './deep-sea-treasure.ts';
import { discountingChain } from './discounting-chain.ts';
import { frozenLake } from './frozen-lake.ts';
import { kuhnPoker } from './kuhn-poker.ts';
import { leducPoker } from './leduc-poker.ts';
import { levelBasedForaging } from './level-based-foraging.ts';
import { lifelongMapf } from './lifelong-mapf.ts';
import { matrixGames } from './matrix-games.ts';
import { memoryChain } from './memory-chain.ts';
import { minatarAsterix } from './minatar-asterix.ts';
import { minatarBreakout } from './minatar-breakout.ts';
import { minatarFreeway } from './minatar-freeway.ts';
import { minatarSeaquest } from './minatar-seaquest.ts';
import { minatarSpaceInvaders } from './minatar-space-invaders.ts';
import { minigridBlockedUnlockPickup } from './minigrid-blocked-unlock-pickup.ts';
import { minigridCustom } from './minigrid-custom.ts';
import { minigridDistShift } from './minigrid-dist-shift.ts';
import { minigridDoorkey } from './minigrid-doorkey.ts';
import { minigridEmpty } from './minigrid-empty.ts';
import { minigridFetch } from './minigrid-fetch.ts';
import { minigridFourRooms } from './minigrid-four-rooms.ts';
import { minigridGoToDoor } from './minigrid-go-to-door.ts';
import { minigridKeyCorridor } from './minigrid-key-corridor.ts';
import { minigridLavaCrossing } from './minigrid-lava-crossing.ts';
import { minigridLavaGap } from './minigrid-lava-gap.ts';
import { minigridMemory } from './minigrid-memory.ts';
import { minigridMultiRoom } from './minigrid-multi-room.ts';
import { minigridPutNear } from './minigrid-put-near.ts';
import { minigridRedBlueDoors } from './minigrid-red-blue-doors.ts';
import { minigridSimpleCrossing } from './minigrid-simple-crossing.ts';
import { minigridUnlock } from './minigrid-unlock.ts';
import { minigridUnlockPickup } from './minigrid-unlock-pickup.ts';
import { moItemGathering } from './mo-item-gathering.ts';
import { mountainCar } from './mountain-car.ts';
import { mountainCarContinuous } from './mountain-car-continuous.ts';
import { mpeSimple } from './mpe-simple.ts';
import { mpeSimpleSpread } from './mpe-simple-spread.ts';
import { overcooked } from './overcooked.ts';
import { pendulum } from './pendulum.ts';
import { slimeVolley } from './slime-volley.ts';
import { taxi } from './taxi.ts';
import type { EnvEntry } from './types.ts';
import { umbrellaChain } from './umbrella-chain.ts';

export const envs: readonly EnvEntry[] = [
  acrobot,
  bandit,
  bsuiteCartpole,
  cartpole,
  catchBall,
  cliffWalking,
  coinGame,
  deepSea,
  deepSeaTreasure,
  discountingChain,
  frozenLake,
  kuhnPoker,
  leducPoker,
  levelBasedForaging,
  lifelongMapf,
  matrixGames,
  memoryChain,
  minatarAsterix,
  minatarBreakout,
  minatarFreeway,
  minatarSeaquest,
  minatarSpaceInvaders,
  minigridBlockedUnlockPickup,
  minigridCustom,
  minigridDistShift,
  minigridDoorkey,
  minigridEmpty,
  minigridFetch,
  minigridFourRooms,
  minigridGoToDoor,
  minigridKeyCorridor,
  minigridLavaCrossing,
  minigridLavaGap,
  minigridMemory,
  minigridMultiRoom,
  minigridPutNear,
  minigridRedBlueDoors,
  minigridSimpleCrossing,
  minigridUnlock,
  minigridUnlockPickup,
  moItemGathering,
  mountainCar,
  mountainCarContinuous,
  mpeSimple,
  mpeSimpleSpread,
  overcooked,
  pendulum,
  slimeVolley,
  taxi,
  umbrellaChain,
];

const byId = new Map(envs.map((entry) => [entry.id, entry]));

/** Throws LabError('unknown-id') with the ids there are. */
export function getEnv(id: string): EnvEntry {
  const entry = byId.get(id);
  if (entry === undefined) throw fail('unknown-id', `There is no environment "${id}".`, `Use one of: ${[...byId.keys()].join(', ')}.`);
  return entry;
}
