/** Every environment: one line in the family it belongs to. Its code is loaded when it is first used. */

import { isGymEnv } from '#contract/game/gym-id.ts';
import { fail } from '#contract/kit/errors.ts';
import { isOwnWorld } from '#contract/run/own-world.ts';
import { type LateEntries, lateEntries } from '../state/late-entries.ts';
import type { EnvEntry } from './api/types.ts';

export interface EnvFamily {
  readonly title: string;
  readonly envs: LateEntries<EnvEntry>;
}

/** As choosers show them. */
export const envFamilies: readonly EnvFamily[] = [
  {
    title: 'Classic control',
    envs: {
      acrobot: async () => (await import('./classic/acrobot.ts')).acrobot,
      cartpole: async () => (await import('./classic/cartpole.ts')).cartpole,
      'bsuite-cartpole': async () => (await import('./bsuite/bsuite-cartpole.ts')).bsuiteCartpole,
      'mountain-car': async () => (await import('./classic/mountain-car.ts')).mountainCar,
      'mountain-car-continuous': async () => (await import('./classic/mountain-car-continuous.ts')).mountainCarContinuous,
      pendulum: async () => (await import('./classic/pendulum.ts')).pendulum,
    },
  },
  {
    title: 'Bodies with joints (MuJoCo)',
    envs: {
      'ant-maze': async () => (await import('./mujoco/ant-maze.ts')).antMaze,
      'ogbench-ant-maze': async () => (await import('./mujoco/ogbench-ant-maze.ts')).ogbenchAntMaze,
      'point-maze': async () => (await import('./mujoco/point-maze.ts')).pointMaze,
      'ogbench-point-maze': async () => (await import('./mujoco/ogbench-point-maze.ts')).ogbenchPointMaze,
      'safety-navigation': async () => (await import('./mujoco/safety-navigation.ts')).safetyNavigation,
      'mujoco-ant': async () => (await import('./mujoco/mujoco-ant.ts')).mujocoAnt,
      'mujoco-half-cheetah': async () => (await import('./mujoco/mujoco-half-cheetah.ts')).mujocoHalfCheetah,
      'mujoco-hopper': async () => (await import('./mujoco/mujoco-hopper.ts')).mujocoHopper,
      'mujoco-humanoid': async () => (await import('./mujoco/mujoco-humanoid.ts')).mujocoHumanoid,
      'mujoco-humanoid-standup': async () => (await import('./mujoco/mujoco-humanoid-standup.ts')).mujocoHumanoidStandup,
      'mujoco-inverted-double-pendulum': async () =>
        (await import('./mujoco/mujoco-inverted-double-pendulum.ts')).mujocoInvertedDoublePendulum,
      'mujoco-inverted-pendulum': async () => (await import('./mujoco/mujoco-inverted-pendulum.ts')).mujocoInvertedPendulum,
      'mujoco-pusher': async () => (await import('./mujoco/mujoco-pusher.ts')).mujocoPusher,
      'mujoco-reacher': async () => (await import('./mujoco/mujoco-reacher.ts')).mujocoReacher,
      'mujoco-swimmer': async () => (await import('./mujoco/mujoco-swimmer.ts')).mujocoSwimmer,
      'mujoco-table-pick': async () => (await import('./mujoco/mujoco-table-pick.ts')).mujocoTablePick,
      'mujoco-table-push': async () => (await import('./mujoco/mujoco-table-push.ts')).mujocoTablePush,
      'mujoco-table-reach': async () => (await import('./mujoco/mujoco-table-reach.ts')).mujocoTableReach,
      'mujoco-walker2d': async () => (await import('./mujoco/mujoco-walker2d.ts')).mujocoWalker2d,
    },
  },
  {
    title: 'Bodies from the side (Box2D)',
    envs: {
      'lunar-lander': async () => (await import('./box2d/lunar-lander.ts')).lunarLander,
      'bipedal-walker': async () => (await import('./box2d/bipedal-walker.ts')).bipedalWalker,
    },
  },
  {
    title: 'Energy',
    envs: {
      'building-energy': async () => (await import('./energy/building-energy.ts')).buildingEnergy,
    },
  },
  {
    title: 'Bandits',
    envs: {
      bandit: async () => (await import('./bsuite/bandit.ts')).bandit,
      'contextual-bandit': async () => (await import('./bandits/contextual-bandit.ts')).contextualBandit,
      'noisy-bandit': async () => (await import('./bandits/noisy-bandit.ts')).noisyBandit,
    },
  },
  {
    title: 'Tables and chains',
    envs: {
      'bit-flip': async () => (await import('./tabular/bit-flip.ts')).bitFlip,
      catch: async () => (await import('./bsuite/catch.ts')).catchBall,
      'cliff-walking': async () => (await import('./tabular/cliff-walking.ts')).cliffWalking,
      'deep-sea': async () => (await import('./bsuite/deep-sea.ts')).deepSea,
      'discounting-chain': async () => (await import('./bsuite/discounting-chain.ts')).discountingChain,
      'frozen-lake': async () => (await import('./tabular/frozen-lake.ts')).frozenLake,
      'hidden-chain': async () => (await import('./tabular/hidden-chain.ts')).hiddenChain,
      'key-grid': async () => (await import('./tabular/key-grid.ts')).keyGrid,
      'memory-chain': async () => (await import('./bsuite/memory-chain.ts')).memoryChain,
      'off-switch': async () => (await import('./tabular/off-switch.ts')).offSwitch,
      'random-mdp': async () => (await import('./tabular/random-mdp.ts')).randomMdp,
      taxi: async () => (await import('./tabular/taxi.ts')).taxi,
      'umbrella-chain': async () => (await import('./bsuite/umbrella-chain.ts')).umbrellaChain,
    },
  },
  {
    title: 'Grids',
    envs: {
      coverage: async () => (await import('./grids/coverage.ts')).coverage,
      'goal-sequence': async () => (await import('./grids/goal-sequence.ts')).goalSequence,
      'gridworld-memory': async () => (await import('./grids/gridworld-memory.ts')).gridworldMemory,
      snake: async () => (await import('./grids/snake.ts')).snake,
      sokoban: async () => (await import('./grids/sokoban.ts')).sokoban,
      'task-choice': async () => (await import('./grids/task-choice.ts')).taskChoice,
      'xland-minigrid': async () => (await import('./xland/xland-minigrid.ts')).xlandMinigrid,
    },
  },
  {
    title: 'MiniGrid and BabyAI',
    envs: {
      babyai: async () => (await import('./minigrid/babyai.ts')).babyai,
      'minigrid-blocked-unlock-pickup': async () =>
        (await import('./minigrid/minigrid-blocked-unlock-pickup.ts')).minigridBlockedUnlockPickup,
      'minigrid-custom': async () => (await import('./minigrid/minigrid-custom.ts')).minigridCustom,
      'minigrid-dist-shift': async () => (await import('./minigrid/minigrid-dist-shift.ts')).minigridDistShift,
      'minigrid-doorkey': async () => (await import('./minigrid/minigrid-doorkey.ts')).minigridDoorkey,
      'minigrid-dynamic-obstacles': async () => (await import('./minigrid/minigrid-dynamic-obstacles.ts')).minigridDynamicObstacles,
      'minigrid-empty': async () => (await import('./minigrid/minigrid-empty.ts')).minigridEmpty,
      'minigrid-fetch': async () => (await import('./minigrid/minigrid-fetch.ts')).minigridFetch,
      'minigrid-four-rooms': async () => (await import('./minigrid/minigrid-four-rooms.ts')).minigridFourRooms,
      'minigrid-go-to-door': async () => (await import('./minigrid/minigrid-go-to-door.ts')).minigridGoToDoor,
      'minigrid-go-to-object': async () => (await import('./minigrid/minigrid-go-to-object.ts')).minigridGoToObject,
      'minigrid-key-corridor': async () => (await import('./minigrid/minigrid-key-corridor.ts')).minigridKeyCorridor,
      'minigrid-lava-crossing': async () => (await import('./minigrid/minigrid-lava-crossing.ts')).minigridLavaCrossing,
      'minigrid-lava-gap': async () => (await import('./minigrid/minigrid-lava-gap.ts')).minigridLavaGap,
      'minigrid-locked-room': async () => (await import('./minigrid/minigrid-locked-room.ts')).minigridLockedRoom,
      'minigrid-maze': async () => (await import('./minigrid/minigrid-maze.ts')).minigridMaze,
      'minigrid-memory': async () => (await import('./minigrid/minigrid-memory.ts')).minigridMemory,
      'minigrid-multi-room': async () => (await import('./minigrid/minigrid-multi-room.ts')).minigridMultiRoom,
      'minigrid-obstructed-maze': async () => (await import('./minigrid/minigrid-obstructed-maze.ts')).minigridObstructedMaze,
      'minigrid-playground': async () => (await import('./minigrid/minigrid-playground.ts')).minigridPlayground,
      'minigrid-put-near': async () => (await import('./minigrid/minigrid-put-near.ts')).minigridPutNear,
      'minigrid-red-blue-doors': async () => (await import('./minigrid/minigrid-red-blue-doors.ts')).minigridRedBlueDoors,
      'minigrid-simple-crossing': async () => (await import('./minigrid/minigrid-simple-crossing.ts')).minigridSimpleCrossing,
      'minigrid-unlock': async () => (await import('./minigrid/minigrid-unlock.ts')).minigridUnlock,
      'minigrid-unlock-pickup': async () => (await import('./minigrid/minigrid-unlock-pickup.ts')).minigridUnlockPickup,
    },
  },
  {
    title: 'MinAtar',
    envs: {
      'minatar-asterix': async () => (await import('./minatar/minatar-asterix.ts')).minatarAsterix,
      'minatar-breakout': async () => (await import('./minatar/minatar-breakout.ts')).minatarBreakout,
      'minatar-freeway': async () => (await import('./minatar/minatar-freeway.ts')).minatarFreeway,
      'minatar-seaquest': async () => (await import('./minatar/minatar-seaquest.ts')).minatarSeaquest,
      'minatar-space-invaders': async () => (await import('./minatar/minatar-space-invaders.ts')).minatarSpaceInvaders,
    },
  },
  {
    title: 'Team grids',
    envs: {
      'level-based-foraging': async () => (await import('./teams/level-based-foraging.ts')).levelBasedForaging,
      'lifelong-mapf': async () => (await import('./teams/lifelong-mapf.ts')).lifelongMapf,
      overcooked: async () => (await import('./teams/overcooked.ts')).overcooked,
      'planned-kitchen': async () => (await import('./teams/planned-kitchen.ts')).plannedKitchen,
      'predator-prey': async () => (await import('./teams/predator-prey.ts')).predatorPrey,
    },
  },
  {
    title: 'Social dilemmas',
    envs: {
      cleanup: async () => (await import('./social/cleanup.ts')).cleanup,
      'coin-game': async () => (await import('./social/coin-game.ts')).coinGame,
      'commons-harvest': async () => (await import('./social/commons-harvest.ts')).commonsHarvest,
      gathering: async () => (await import('./social/gathering.ts')).gathering,
      'population-dilemma': async () => (await import('./social/population-dilemma.ts')).populationDilemma,
    },
  },
  {
    title: 'Games',
    envs: {
      'connect-four': async () => (await import('./games/connect-four.ts')).connectFour,
      'kuhn-poker': async () => (await import('./games/kuhn-poker.ts')).kuhnPoker,
      'leduc-poker': async () => (await import('./games/leduc-poker.ts')).leducPoker,
      'markov-game': async () => (await import('./games/markov-game.ts')).markovGame,
      'matrix-games': async () => (await import('./games/matrix-games.ts')).matrixGames,
      'tic-tac-toe': async () => (await import('./games/tic-tac-toe.ts')).ticTacToe,
    },
  },
  {
    title: 'Language',
    envs: {
      'lookup-worlds': async () => (await import('./language/lookup-worlds.ts')).lookupWorlds,
      't-house': async () => (await import('./language/t-house.ts')).tHouse,
      't-reason': async () => (await import('./language/t-reason.ts')).tReason,
      't-search': async () => (await import('./language/t-search.ts')).tSearch,
      't-steps': async () => (await import('./language/t-steps.ts')).tSteps,
      't-talk': async () => (await import('./language/t-talk.ts')).tTalk,
      't-tools': async () => (await import('./language/t-tools.ts')).tTools,
      't-turns': async () => (await import('./language/t-turns.ts')).tTurns,
      'tool-worlds': async () => (await import('./language/tool-worlds.ts')).toolWorlds,
      'w-stories': async () => (await import('./language/w-stories.ts')).wStories,
    },
  },
  {
    title: 'Multi-objective',
    envs: {
      'deep-sea-treasure': async () => (await import('./multi-objective/deep-sea-treasure.ts')).deepSeaTreasure,
      'mo-item-gathering': async () => (await import('./multi-objective/mo-item-gathering.ts')).moItemGathering,
    },
  },
  {
    title: 'Particles',
    envs: {
      'mpe-simple': async () => (await import('./mpe/mpe-simple.ts')).mpeSimple,
      'mpe-simple-adversary': async () => (await import('./mpe/mpe-simple-adversary.ts')).mpeSimpleAdversary,
      'mpe-simple-crypto': async () => (await import('./mpe/mpe-simple-crypto.ts')).mpeSimpleCrypto,
      'mpe-simple-formation': async () => (await import('./mpe/mpe-simple-formation.ts')).mpeSimpleFormation,
      'mpe-simple-line': async () => (await import('./mpe/mpe-simple-line.ts')).mpeSimpleLine,
      'mpe-simple-push': async () => (await import('./mpe/mpe-simple-push.ts')).mpeSimplePush,
      'mpe-simple-reference': async () => (await import('./mpe/mpe-simple-reference.ts')).mpeSimpleReference,
      'mpe-simple-speaker-listener': async () => (await import('./mpe/mpe-simple-speaker-listener.ts')).mpeSimpleSpeakerListener,
      'mpe-simple-spread': async () => (await import('./mpe/mpe-simple-spread.ts')).mpeSimpleSpread,
      'mpe-simple-tag': async () => (await import('./mpe/mpe-simple-tag.ts')).mpeSimpleTag,
      'mpe-simple-world-comm': async () => (await import('./mpe/mpe-simple-world-comm.ts')).mpeSimpleWorldComm,
    },
  },
  {
    title: 'Teams with physics (VMAS)',
    envs: {
      'vmas-balance': async () => (await import('./vmas/vmas-balance.ts')).vmasBalance,
      'vmas-discovery': async () => (await import('./vmas/vmas-discovery.ts')).vmasDiscovery,
      'vmas-dispersion': async () => (await import('./vmas/vmas-dispersion.ts')).vmasDispersion,
      'vmas-flocking': async () => (await import('./vmas/vmas-flocking.ts')).vmasFlocking,
      'vmas-navigation': async () => (await import('./vmas/vmas-navigation.ts')).vmasNavigation,
      'vmas-transport': async () => (await import('./vmas/vmas-transport.ts')).vmasTransport,
      'vmas-wheel': async () => (await import('./vmas/vmas-wheel.ts')).vmasWheel,
    },
  },
  {
    title: 'Arenas',
    envs: {
      smax: async () => (await import('./arenas/smax.ts')).smax,
    },
  },
  {
    title: 'Swarms',
    envs: {
      boids: async () => (await import('./swarms/boids.ts')).boids,
      kuramoto: async () => (await import('./swarms/kuramoto.ts')).kuramoto,
      rendezvous: async () => (await import('./swarms/rendezvous.ts')).rendezvous,
      'vicsek-swarm': async () => (await import('./swarms/vicsek-swarm.ts')).vicsekSwarm,
    },
  },
  {
    title: 'Cities',
    envs: {
      'base-stations': async () => (await import('./networks/base-stations.ts')).baseStations,
      'demand-routing': async () => (await import('./networks/demand-routing.ts')).demandRouting,
      'ride-dispatch': async () => (await import('./networks/ride-dispatch.ts')).rideDispatch,
    },
  },
  {
    title: 'Limits on cost',
    envs: {
      'quick-safety': async () => (await import('./safety/quick-safety.ts')).quickSafety,
    },
  },
  {
    title: 'Mazes',
    envs: {
      'quick-point-maze': async () => (await import('./mazes/quick-point-maze.ts')).quickPointMaze,
    },
  },
  {
    title: 'Drones',
    envs: {
      'drone-formation': async () => (await import('./drones/drone-formation.ts')).droneFormation,
      'drone-free-flight': async () => (await import('./drones/drone-free-flight.ts')).droneFreeFlight,
      'drone-gates': async () => (await import('./drones/drone-gates.ts')).droneGates,
      'drone-hover': async () => (await import('./drones/drone-hover.ts')).droneHover,
      'drone-learning-to-fly': async () => (await import('./drones/drone-learning-to-fly.ts')).droneLearningToFly,
      'drone-multi-hover': async () => (await import('./drones/drone-multi-hover.ts')).droneMultiHover,
      'drone-track': async () => (await import('./drones/drone-track.ts')).droneTrack,
    },
  },
  {
    title: 'Volleyball',
    envs: {
      'drone-volleyball': async () => (await import('./volleyball/drone-volleyball.ts')).droneVolleyball,
      'slime-volley': async () => (await import('./volleyball/slime-volley.ts')).slimeVolley,
      'volley-back-and-forth': async () => (await import('./volleyball/volley-back-and-forth.ts')).volleyBackAndForth,
      'volley-bump-and-pass': async () => (await import('./volleyball/volley-bump-and-pass.ts')).volleyBumpAndPass,
      'volley-hit-the-ball': async () => (await import('./volleyball/volley-hit-the-ball.ts')).volleyHitTheBall,
      'volley-set-and-spike': async () => (await import('./volleyball/volley-set-and-spike.ts')).volleySetAndSpike,
      'volley-solo-bump': async () => (await import('./volleyball/volley-solo-bump.ts')).volleySoloBump,
    },
  },
  {
    title: 'Mine',
    envs: { 'mujoco-robot': async () => (await import('./mujoco/mujoco-robot.ts')).mujocoRobot },
  },
];

const { get, load, loadAll, give, giveLater } = lateEntries(
  envFamilies.map(({ envs }) => envs),
  'environment',
  'env.id',
  (id) =>
    isGymEnv(id)
      ? fail(
          'unknown-id',
          `The environment "${id.slice(0, 60)}" runs in Python, which is not here.`,
          'The command line reaches it: "rl train --gym NAME", or "rl gym NAME --serve" for a page with it.',
          'env.id',
        )
      : null,
);

/** Makes a world that a person wrote (core/own) known by its id, beside those of the families. */
export const giveWorld = (entry: EnvEntry): void => give(entry.id, entry);

/** Makes an environment that runs in Python known by its id. What it is like is asked for when it is first used. */
export const giveGymWorld: (id: string, load: () => Promise<EnvEntry>) => void = giveLater;

/** Loads every environment's code, without what `create` needs. */
export const loadEnvs = loadAll;

/** An environment that was loaded before. Throws LabError('unknown-id') with the ids there are, and LabError('internal') for one that was not. */
export const getEnv: (id: string) => EnvEntry = get;

/** The environment with all that `create` needs (EnvEntry.prepare). Throws LabError('unknown-id') with the ids there are. */
export async function loadEnv(id: string): Promise<EnvEntry> {
  const entry = await load(id);
  await entry.prepare?.();
  return entry;
}

/** Title of the family, and the ids in it. An id that is not listed has none. */
export function envFamilyOf(id: string): { readonly title: string; readonly ids: readonly string[] } {
  const family = envFamilies.find(({ envs }) => Object.hasOwn(envs, id));
  const given = isGymEnv(id) ? 'Python' : isOwnWorld(id) ? 'Mine' : '';
  return { title: family?.title ?? given, ids: Object.keys(family?.envs ?? {}) };
}
