/** Every environment: one import, and one name in the family it belongs to. */
import { fail } from '#contract/errors.ts';
import { acrobot } from './acrobot.ts';
import { babyai } from './babyai.ts';
import { bandit } from './bandit.ts';
import { boids } from './boids.ts';
import { bsuiteCartpole } from './bsuite-cartpole.ts';
import { buildingEnergy } from './building-energy.ts';
import { cartpole } from './cartpole.ts';
import { catchBall } from './catch.ts';
import { cleanup } from './cleanup.ts';
import { cliffWalking } from './cliff-walking.ts';
import { coinGame } from './coin-game.ts';
import { commonsHarvest } from './commons-harvest.ts';
import { connectFour } from './connect-four.ts';
import { deepSea } from './deep-sea.ts';
import { deepSeaTreasure } from './deep-sea-treasure.ts';
import { discountingChain } from './discounting-chain.ts';
import { droneFormation } from './drone-formation.ts';
import { droneFreeFlight } from './drone-free-flight.ts';
import { droneGates } from './drone-gates.ts';
import { droneHover } from './drone-hover.ts';
import { droneLearningToFly } from './drone-learning-to-fly.ts';
import { droneMultiHover } from './drone-multi-hover.ts';
import { droneTrack } from './drone-track.ts';
import { droneVolleyball } from './drone-volleyball.ts';
import { frozenLake } from './frozen-lake.ts';
import { gathering } from './gathering.ts';
import { gridworldMemory } from './gridworld-memory.ts';
import { kuhnPoker } from './kuhn-poker.ts';
import { kuramoto } from './kuramoto.ts';
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
import { minigridDynamicObstacles } from './minigrid-dynamic-obstacles.ts';
import { minigridEmpty } from './minigrid-empty.ts';
import { minigridFetch } from './minigrid-fetch.ts';
import { minigridFourRooms } from './minigrid-four-rooms.ts';
import { minigridGoToDoor } from './minigrid-go-to-door.ts';
import { minigridGoToObject } from './minigrid-go-to-object.ts';
import { minigridKeyCorridor } from './minigrid-key-corridor.ts';
import { minigridLavaCrossing } from './minigrid-lava-crossing.ts';
import { minigridLavaGap } from './minigrid-lava-gap.ts';
import { minigridLockedRoom } from './minigrid-locked-room.ts';
import { minigridMemory } from './minigrid-memory.ts';
import { minigridMultiRoom } from './minigrid-multi-room.ts';
import { minigridObstructedMaze } from './minigrid-obstructed-maze.ts';
import { minigridPlayground } from './minigrid-playground.ts';
import { minigridPutNear } from './minigrid-put-near.ts';
import { minigridRedBlueDoors } from './minigrid-red-blue-doors.ts';
import { minigridSimpleCrossing } from './minigrid-simple-crossing.ts';
import { minigridUnlock } from './minigrid-unlock.ts';
import { minigridUnlockPickup } from './minigrid-unlock-pickup.ts';
import { moItemGathering } from './mo-item-gathering.ts';
import { mountainCar } from './mountain-car.ts';
import { mountainCarContinuous } from './mountain-car-continuous.ts';
import { mpeSimple } from './mpe-simple.ts';
import { mpeSimpleAdversary } from './mpe-simple-adversary.ts';
import { mpeSimpleCrypto } from './mpe-simple-crypto.ts';
import { mpeSimpleFormation } from './mpe-simple-formation.ts';
import { mpeSimpleLine } from './mpe-simple-line.ts';
import { mpeSimplePush } from './mpe-simple-push.ts';
import { mpeSimpleReference } from './mpe-simple-reference.ts';
import { mpeSimpleSpeakerListener } from './mpe-simple-speaker-listener.ts';
import { mpeSimpleSpread } from './mpe-simple-spread.ts';
import { mpeSimpleTag } from './mpe-simple-tag.ts';
import { mpeSimpleWorldComm } from './mpe-simple-world-comm.ts';
import { overcooked } from './overcooked.ts';
import { pendulum } from './pendulum.ts';
import { populationDilemma } from './population-dilemma.ts';
import { predatorPrey } from './predator-prey.ts';
import { rendezvous } from './rendezvous.ts';
import { slimeVolley } from './slime-volley.ts';
import { snake } from './snake.ts';
import { sokoban } from './sokoban.ts';
import { taxi } from './taxi.ts';
import { ticTacToe } from './tic-tac-toe.ts';
import type { EnvEntry } from './types.ts';
import { umbrellaChain } from './umbrella-chain.ts';
import { vicsekSwarm } from './vicsek-swarm.ts';
import { vmasBalance } from './vmas-balance.ts';
import { vmasDiscovery } from './vmas-discovery.ts';
import { vmasDispersion } from './vmas-dispersion.ts';
import { vmasFlocking } from './vmas-flocking.ts';
import { vmasNavigation } from './vmas-navigation.ts';
import { vmasTransport } from './vmas-transport.ts';
import { vmasWheel } from './vmas-wheel.ts';
import { volleyBackAndForth } from './volley-back-and-forth.ts';
import { volleyBumpAndPass } from './volley-bump-and-pass.ts';
import { volleyHitTheBall } from './volley-hit-the-ball.ts';
import { volleySetAndSpike } from './volley-set-and-spike.ts';
import { volleySoloBump } from './volley-solo-bump.ts';

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
    title: 'Tables and chains',
    envs: [bandit, catchBall, cliffWalking, deepSea, discountingChain, frozenLake, memoryChain, taxi, umbrellaChain],
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
