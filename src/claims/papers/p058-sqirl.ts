/** P058: whether worlds that are hard for random play with a few backups are those that are hard for PPO and DQN. */
import type { JsonObject } from '#contract/kit/json.ts';
import type { Arm } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';

interface World {
  readonly id: string;
  readonly title: string;
  readonly env: { readonly id: string; readonly config: JsonObject };
  /** Eight tenths of the way from random play to the optimum, by the exact values. */
  readonly solved: number;
}

const ice = (id: string, title: string, map: readonly string[], maxSteps: number, solved: number): World => ({
  id,
  title,
  env: { id: 'frozen-lake', config: { map, successRate: 0.9, maxSteps } },
  solved,
});
const keyed = (id: string, title: string, map: readonly string[], keyAtGoal: boolean, moves: number, solved: number): World => ({
  id,
  title,
  env: { id: 'key-grid', config: { map, keyAtGoal, slip: 0.2, maxSteps: 8 * moves } },
  solved,
});
/** There and back along two rows of `width` cells. */
const bend = (width: number, solved: number): World => {
  const floor = '.'.repeat(width - 1);
  const map = [`S${floor}`, `${'W'.repeat(width - 1)}.`, `G${floor}`];
  return keyed(`bend-${2 * width}`, `bent corridor, ${2 * width} moves`, map, false, 2 * width, solved);
};
/** The key so far behind the start as the goal lies ahead of it. */
const key = (far: number, solved: number): World => {
  const floor = '.'.repeat(far - 1);
  return keyed(`key-${3 * far}`, `key behind, goal ahead, ${3 * far} moves`, [`K${floor}S${floor}G`], true, 3 * far, solved);
};
const lake = (id: string, map: readonly string[], solved: number): World =>
  ice(`lake-${id}`, `drawn lake ${id}, ${map.length}x${map.length}`, map, 10 * map.length, solved);
const stair = (map: readonly string[], moves: number, solved: number): World =>
  ice(`stair-${moves}`, `stair between holes, ${moves} moves`, map, 50, solved);
const drawn = (states: number, sparsity: number, modelSeed: number, solved: number): World => ({
  id: `mdp-${states}-${Math.round(100 * sparsity)}`,
  title: `random world of ${states}, ${Math.round(100 - 100 * sparsity)} % of its pairs pay`,
  env: { id: 'random-mdp', config: { states, sparsity, discount: 0.9, modelSeed } },
  solved,
});

/** Families are the sample: within one, longer worlds are harder by construction. */
const FAMILIES = 5;

/** Five families from short to long, fixed before any reported run. No map is solved by one action alone, as straight chains would be. */
const WORLDS: readonly World[] = [
  bend(2, 0.907),
  bend(3, 0.876),
  bend(4, 0.854),
  bend(5, 0.839),
  bend(6, 0.829),
  bend(8, 0.816),
  key(1, 0.942),
  key(2, 0.882),
  key(3, 0.849),
  key(4, 0.83),
  key(5, 0.819),
  lake('3', ['SFF', 'HFF', 'FFG'], 0.819),
  lake('4', ['SFFF', 'FFHF', 'FFHF', 'FFFG'], 0.804),
  lake('5', ['SHFFF', 'FFFFF', 'FFFFF', 'FFFFF', 'FFFHG'], 0.797),
  lake('5b', ['SFFFF', 'FFFFF', 'FFFFF', 'FFFFF', 'FFFFG'], 0.863),
  lake('6', ['SFFHFF', 'FFFHHF', 'FFFFFF', 'FFFHFF', 'FHFFFF', 'FFFFFG'], 0.781),
  stair(['SFH', 'HFG'], 3, 0.766),
  stair(['SFH', 'HFF', 'HHG'], 4, 0.712),
  stair(['SFHH', 'HFFH', 'HHFG'], 5, 0.67),
  drawn(10, 0.8, 1, 5.47),
  drawn(10, 0.95, 2, 5.402),
  drawn(20, 0.8, 3, 3.88),
  drawn(20, 0.95, 4, 1.052),
  drawn(30, 0.8, 5, 4.565),
  drawn(30, 0.95, 6, 1.833),
];

const METHODS = [
  { id: 'sqirl', title: 'SQIRL', algo: { id: 'sqirl', config: { backups: 5, episodes: 20, gamma: 0.95 } } },
  {
    id: 'ppo',
    title: 'PPO',
    algo: { id: 'ppo', config: { lr: 0.001, envs: 8, rolloutSteps: 32, minibatches: 4, entropyCoef: 0.01, gamma: 0.95 } },
  },
  {
    id: 'dqn',
    title: 'DQN',
    algo: {
      id: 'dqn',
      config: {
        lr: 0.001,
        bufferSize: 20_000,
        learningStarts: 500,
        targetEvery: 500,
        trainEvery: 2,
        batchSize: 32,
        hidden: [64, 64],
        double: true,
        gamma: 0.95,
      },
    },
  },
] as const;

const arms = METHODS.flatMap((method) =>
  WORLDS.map(
    (world): Arm => ({
      id: `${method.id}-${world.id}`,
      title: `${method.title}, ${world.title}`,
      trials: 2,
      differs: { env: world.env, algo: method.algo },
      quantity: { title: 'steps until solved, as a power of ten', metric: 'evalReturn', reaches: world.solved, log10: true },
    }),
  ),
);
const of = (method: string): readonly string[] => WORLDS.map(({ id }) => `${method}-${id}`);

export const sqirl = definePaper({
  id: 'P058',
  title: 'The Effective Horizon Explains Deep RL Performance in Stochastic Environments',
  authors: 'Laidlaw, Zhu, Russell and Dragan',
  year: 2024,
  link: 'https://arxiv.org/abs/2312.08369',
  claim: 'The number of samples that SQIRL needs correlates strongly with what PPO and DQN need across stochastic environments.',
  leftOut: 'Of the paper’s suite, arcade games among it, no world is an arm here.',
  source: {
    read: 'Authors’ code, cassidylaidlaw/effective-horizon at 1a83eb7.',
    table: [
      {
        of: 'effective_horizon/sb3/algorithms/sqirl.py, learn(): episodes, then a fit, for each step of an episode in turn',
        ours: 'src/core/algos/tabular/sqirl.ts (sqirl)',
        state: 'kept',
      },
      {
        of: 'the same, train(): first values from returns of random play',
        ours: 'src/core/algos/tabular/sqirl.ts (addReturns)',
        state: 'kept',
      },
      {
        of: 'the same: the k-th from r + gamma max of the one before',
        ours: 'src/core/algos/tabular/sqirl.ts (fittedBackup)',
        state: 'kept',
      },
      {
        of: 'the same: regression by a network',
        ours: 'src/core/algos/tabular/sqirl.ts (sqirl)',
        state: 'changed',
        note: 'Means in a table.',
      },
      {
        of: 'the same: one frozen network for each step of an episode',
        ours: 'src/core/algos/tabular/sqirl.ts (sqirl)',
        state: 'changed',
        note: 'One table serves all steps, because the state says all; behind the last step it begins again.',
      },
      { of: 'the same: older samples are drawn less often', ours: '', state: 'left out', note: 'All rounds count alike.' },
      { of: 'planning_depth', ours: 'algo.config.backups', state: 'kept', note: 'The same number for all worlds.' },
    ],
  },
  differs: [
    '25 small worlds with tables in place of a large suite, no arcade game',
    '30,000 steps',
    'one number of backups for all worlds',
  ],
  found: {
    outcome: 'open',
    text: 'How hard a world is for random play with backups goes with how hard it is for PPO and DQN (0.8), but within five families longer worlds are harder anyway, and five families are too few.',
  },
  question: 'Are worlds hard for PPO and DQN where SQIRL, which acts on the values of random play after a few backups, needs many steps?',
  idea: 'Where acting greedily on the values of random play, after a few backups, is already good, exploring at random is enough, for a table and for a network.',
  equation: 'Q1 = Q of random play, Qk+1 = r + gamma E max Qk; steps about A^H, H the effective horizon',
  config: {
    v: 1,
    env: { id: 'random-mdp' },
    algo: { id: 'sqirl' },
    run: { steps: 30_000, evalEvery: 256, evalEpisodes: 100 },
  },
  arms,
  quantity: { title: 'steps until solved, as a power of ten', metric: 'evalReturn', reaches: 1, log10: true },
  // Sizes: "correlates strongly" is read as a rank correlation of 0.6. Where PPO and DQN do not agree, there is nothing to be tracked.
  contrasts: [
    { id: 'as PPO', kind: 'agree', arms: of('sqirl'), others: of('ppo'), claim: 'above', size: 0.6, clusters: FAMILIES },
    { id: 'as DQN', kind: 'agree', arms: of('sqirl'), others: of('dqn'), claim: 'above', size: 0.6, clusters: FAMILIES },
    { id: 'PPO as DQN', kind: 'agree', arms: of('ppo'), others: of('dqn'), claim: 'above', control: true },
  ],
  scale: { better: 'more' },
  exempt: [
    {
      check: 'parameters',
      arms: arms.map(({ id }) => id),
      why: 'a table of the world’s own size stands against one network for all worlds: the claim is about the worlds',
    },
  ],
  looks: [5],
  firstSeed: 3001,
  forms: 2,
  tunedOn: [901, 901],
  quick: { run: { steps: 8000, evalEvery: 500, evalEpisodes: 20 }, seeds: 2 },
  scaledDown:
    '25 worlds, which are the sample: the intervals draw the worlds anew, then the seeds. Six bent corridors, five lines with a key behind and a goal ahead, five lakes (holes drawn with a chance of 0.15 a cell; one has none), three stairs between holes, six random worlds of three sizes and two sparsities. They follow 25 others, tried on tuning seed 901 alone: of those some were solved by one action for all states, some by no method, and DQN unlearned; the steps of all three methods on that seed had been seen by then, in both sets. No map is solved by one action now. One setting of each method for all worlds, the second that was tried (five backups, a discount of 0.95, small networks), where the paper takes the best number of backups for each. Solved is eight tenths of the way from random play to the exact optimum, in 100 greedy episodes about every 250 steps (DQN: 500); of a world that is not solved in 30,000 steps only that is known.',
  dishonest: 'Worlds chosen after seeing the scatter; the number of backups chosen for each world by what PPO needs there.',
  next: 'Open a pair of arms in the laboratory and set backups to 0: which worlds are then no longer solved?',
});
