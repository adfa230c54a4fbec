/** Every environment: one import, and one name in the family it belongs to. */
import { fail } from '#contract/errors.ts';
import type { EnvEntry } from './api/types.ts';
import { contextualBandit } from './bandits/contextual-bandit.ts';
import { noisyBandit } from './bandits/noisy-bandit.ts';
import { bandit } from './bsuite/bandit.ts';
import { bsuiteCartpole } from './bsuite/bsuite-cartpole.ts';
import { catchBall } from './bsuite/catch.ts';
import { deepSea } from './bsuite/deep-sea.ts';
import { discountingChain } from './bsuite/discounting-chain.ts';
import { memoryChain } from './bsuite/memory-chain.ts';
import { umbrellaChain } from './bsuite/umbrella-chain.ts';
import { acrobot } from './classic/acrobot.ts';
import { cartpole } from './classic/cartpole.ts';
import { mountainCar } from './classic/mountain-car.ts';
import { mountainCarContinuous } from './classic/mountain-car-continuous.ts';
import { pendulum } from './classic/pendulum.ts';
import { droneFormation } from './drones/drone-formation.ts';
import { droneFreeFlight } from './drones/drone-free-flight.ts';
import { droneGates } from './drones/drone-gates.ts';
import { droneHover } from './drones/drone-hover.ts';
import { droneLearningToFly } from './drones/drone-learning-to-fly.ts';
import { droneMultiHover } from './drones/drone-multi-hover.ts';
import { droneTrack } from './drones/drone-track.ts';
import { buildingEnergy } from './energy/building-energy.ts';
import { connectFour } from './games/connect-four.ts';
import { kuhnPoker } from './games/kuhn-poker.ts';
import { leducPoker } from './games/leduc-poker.ts';
import { matrixGames } from './games/matrix-games.ts';
import { ticTacToe } from './games/tic-tac-toe.ts';
import { gridworldMemory } from './grids/gridworld-memory.ts';
import { snake } from './grids/snake.ts';
import { sokoban } from './grids/sokoban.ts';
import { lookupWorlds } from './language/lookup-worlds.ts';
import { tHouse } from './language/t-house.ts';
import { tReason } from './language/t-reason.ts';
import { tSearch } from './language/t-search.ts';
import { tSteps } from './language/t-steps.ts';
import { tTalk } from './language/t-talk.ts';
import { tTools } from './language/t-tools.ts';
import { tTurns } from './language/t-turns.ts';
import { toolWorlds } from './language/tool-worlds.ts';
import { minatarAsterix } from './minatar/minatar-asterix.ts';
import { minatarBreakout } from './minatar/minatar-breakout.ts';
import { minatarFreeway } from './minatar/minatar-freeway.ts';
import { minatarSeaquest } from './minatar/minatar-seaquest.ts';
import { minatarSpaceInvaders } from './minatar/minatar-space-invaders.ts';
import { babyai } from './minigrid/babyai.ts';
import { minigridBlockedUnlockPickup } from './minigrid/minigrid-blocked-unlock-pickup.ts';
import { minigridCustom } from './minigrid/minigrid-custom.ts';
import { minigridDistShift } from './minigrid/minigrid-dist-shift.ts';
import { minigridDoorkey } from './minigrid/minigrid-doorkey.ts';
import { minigridDynamicObstacles } from './minigrid/minigrid-dynamic-obstacles.ts';
import { minigridEmpty } from './minigrid/minigrid-empty.ts';
import { minigridFetch } from './minigrid/minigrid-fetch.ts';
import { minigridFourRooms } from './minigrid/minigrid-four-rooms.ts';
import { minigridGoToDoor } from './minigrid/minigrid-go-to-door.ts';
import { minigridGoToObject } from './minigrid/minigrid-go-to-object.ts';
import { minigridKeyCorridor } from './minigrid/minigrid-key-corridor.ts';
import { minigridLavaCrossing } from './minigrid/minigrid-lava-crossing.ts';
import { minigridLavaGap } from './minigrid/minigrid-lava-gap.ts';
import { minigridLockedRoom } from './minigrid/minigrid-locked-room.ts';
import { minigridMemory } from './minigrid/minigrid-memory.ts';
import { minigridMultiRoom } from './minigrid/minigrid-multi-room.ts';
import { minigridObstructedMaze } from './minigrid/minigrid-obstructed-maze.ts';
import { minigridPlayground } from './minigrid/minigrid-playground.ts';
import { minigridPutNear } from './minigrid/minigrid-put-near.ts';
import { minigridRedBlueDoors } from './minigrid/minigrid-red-blue-doors.ts';
import { minigridSimpleCrossing } from './minigrid/minigrid-simple-crossing.ts';
import { minigridUnlock } from './minigrid/minigrid-unlock.ts';
import { minigridUnlockPickup } from './minigrid/minigrid-unlock-pickup.ts';
import { mpeSimple } from './mpe/mpe-simple.ts';
import { mpeSimpleAdversary } from './mpe/mpe-simple-adversary.ts';
import { mpeSimpleCrypto } from './mpe/mpe-simple-crypto.ts';
import { mpeSimpleFormation } from './mpe/mpe-simple-formation.ts';
import { mpeSimpleLine } from './mpe/mpe-simple-line.ts';
import { mpeSimplePush } from './mpe/mpe-simple-push.ts';
import { mpeSimpleReference } from './mpe/mpe-simple-reference.ts';
import { mpeSimpleSpeakerListener } from './mpe/mpe-simple-speaker-listener.ts';
import { mpeSimpleSpread } from './mpe/mpe-simple-spread.ts';
import { mpeSimpleTag } from './mpe/mpe-simple-tag.ts';
import { mpeSimpleWorldComm } from './mpe/mpe-simple-world-comm.ts';
import { deepSeaTreasure } from './multi-objective/deep-sea-treasure.ts';
import { moItemGathering } from './multi-objective/mo-item-gathering.ts';
import { cleanup } from './social/cleanup.ts';
import { coinGame } from './social/coin-game.ts';
import { commonsHarvest } from './social/commons-harvest.ts';
import { gathering } from './social/gathering.ts';
import { populationDilemma } from './social/population-dilemma.ts';
import { boids } from './swarms/boids.ts';
import { kuramoto } from './swarms/kuramoto.ts';
import { rendezvous } from './swarms/rendezvous.ts';
import { vicsekSwarm } from './swarms/vicsek-swarm.ts';
import { cliffWalking } from './tabular/cliff-walking.ts';
import { frozenLake } from './tabular/frozen-lake.ts';
import { hiddenChain } from './tabular/hidden-chain.ts';
import { keyGrid } from './tabular/key-grid.ts';
import { randomMdp } from './tabular/random-mdp.ts';
import { taxi } from './tabular/taxi.ts';
import { levelBasedForaging } from './teams/level-based-foraging.ts';
import { lifelongMapf } from './teams/lifelong-mapf.ts';
import { overcooked } from './teams/overcooked.ts';
import { predatorPrey } from './teams/predator-prey.ts';
import { vmasBalance } from './vmas/vmas-balance.ts';
import { vmasDiscovery } from './vmas/vmas-discovery.ts';
import { vmasDispersion } from './vmas/vmas-dispersion.ts';
import { vmasFlocking } from './vmas/vmas-flocking.ts';
import { vmasNavigation } from './vmas/vmas-navigation.ts';
import { vmasTransport } from './vmas/vmas-transport.ts';
import { vmasWheel } from './vmas/vmas-wheel.ts';
import { droneVolleyball } from './volleyball/drone-volleyball.ts';
import { slimeVolley } from './volleyball/slime-volley.ts';
import { volleyBackAndForth } from './volleyball/volley-back-and-forth.ts';
import { volleyBumpAndPass } from './volleyball/volley-bump-and-pass.ts';
import { volleyHitTheBall } from './volleyball/volley-hit-the-ball.ts';
import { volleySetAndSpike } from './volleyball/volley-set-and-spike.ts';
import { volleySoloBump } from './volleyball/volley-solo-bump.ts';

export interface EnvFamily {
  readonly title: string;
  readonly envs: readonly EnvEntry[];
}

/** As choosers show them. */
export const envFamilies: readonly EnvFamily[] = [
  {
    title: 'Classic control',
    envs: [acrobot, cartpole, bsuiteCartpole, mountainCar, mountainCarContinuous, pendulum],
  },
  {
    title: 'Energy',
    envs: [buildingEnergy],
  },
  {
    title: 'Bandits',
    envs: [bandit, contextualBandit, noisyBandit],
  },
  {
    title: 'Tables and chains',
    envs: [
      catchBall,
      cliffWalking,
      deepSea,
      discountingChain,
      frozenLake,
      hiddenChain,
      keyGrid,
      memoryChain,
      randomMdp,
      taxi,
      umbrellaChain,
    ],
  },
  {
    title: 'Grids',
    envs: [gridworldMemory, snake, sokoban],
  },
  {
    title: 'MiniGrid and BabyAI',
    envs: [
      babyai,
      minigridBlockedUnlockPickup,
      minigridCustom,
      minigridDistShift,
      minigridDoorkey,
      minigridDynamicObstacles,
      minigridEmpty,
      minigridFetch,
      minigridFourRooms,
      minigridGoToDoor,
      minigridGoToObject,
      minigridKeyCorridor,
      minigridLavaCrossing,
      minigridLavaGap,
      minigridLockedRoom,
      minigridMemory,
      minigridMultiRoom,
      minigridObstructedMaze,
      minigridPlayground,
      minigridPutNear,
      minigridRedBlueDoors,
      minigridSimpleCrossing,
      minigridUnlock,
      minigridUnlockPickup,
    ],
  },
  {
    title: 'MinAtar',
    envs: [minatarAsterix, minatarBreakout, minatarFreeway, minatarSeaquest, minatarSpaceInvaders],
  },
  {
    title: 'Team grids',
    envs: [levelBasedForaging, lifelongMapf, overcooked, predatorPrey],
  },
  {
    title: 'Social dilemmas',
    envs: [cleanup, coinGame, commonsHarvest, gathering, populationDilemma],
  },
  {
    title: 'Games',
    envs: [connectFour, kuhnPoker, leducPoker, matrixGames, ticTacToe],
  },
  {
    title: 'Language',
    envs: [lookupWorlds, tHouse, tReason, tSearch, tSteps, tTalk, tTools, tTurns, toolWorlds],
  },
  {
    title: 'Several objectives',
    envs: [deepSeaTreasure, moItemGathering],
  },
  {
    title: 'Particles',
    envs: [
      mpeSimple,
      mpeSimpleAdversary,
      mpeSimpleCrypto,
      mpeSimpleFormation,
      mpeSimpleLine,
      mpeSimplePush,
      mpeSimpleReference,
      mpeSimpleSpeakerListener,
      mpeSimpleSpread,
      mpeSimpleTag,
      mpeSimpleWorldComm,
    ],
  },
  {
    title: 'Teams with physics (VMAS)',
    envs: [vmasBalance, vmasDiscovery, vmasDispersion, vmasFlocking, vmasNavigation, vmasTransport, vmasWheel],
  },
  {
    title: 'Swarms',
    envs: [boids, kuramoto, rendezvous, vicsekSwarm],
  },
  {
    title: 'Drones',
    envs: [droneFormation, droneFreeFlight, droneGates, droneHover, droneLearningToFly, droneMultiHover, droneTrack],
  },
  {
    title: 'Volleyball',
    envs: [droneVolleyball, slimeVolley, volleyBackAndForth, volleyBumpAndPass, volleyHitTheBall, volleySetAndSpike, volleySoloBump],
  },
];

export const envs: readonly EnvEntry[] = envFamilies.flatMap((family) => family.envs).sort((a, b) => (a.id < b.id ? -1 : 1));

const byId = new Map(envs.map((entry) => [entry.id, entry]));

/** Throws LabError('unknown-id') with the ids there are. */
export function getEnv(id: string): EnvEntry {
  const entry = byId.get(id);
  if (entry === undefined) throw fail('unknown-id', `There is no environment "${id}".`, `Use one of: ${[...byId.keys()].join(', ')}.`);
  return entry;
}

/** The environment with all that `create` needs (EnvEntry.prepare). Throws LabError('unknown-id') with the ids there are. */
export async function loadEnv(id: string): Promise<EnvEntry> {
  const entry = getEnv(id);
  await entry.prepare?.();
  return entry;
}
