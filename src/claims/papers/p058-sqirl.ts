/** P058: whether worlds that are hard for random play with a few backups are those that are hard for PPO and DQN. */
import type { JsonObject } from '#contract/json.ts';
import { ABSTRACT_ONLY, type Arm } from '#contract/papers.ts';
import { definePaper } from '../define.ts';

interface World {
  readonly id: string;
  readonly title: string;
  readonly env: { readonly id: string; readonly config: JsonObject };
  /** Nine tenths of the way from random play to the optimum, by the exact values. */
  readonly solved: number;
}

const ice = (map: readonly string[], successRate: number, maxSteps = 100) => ({
  id: 'frozen-lake',
  config: { map, successRate, maxSteps },
});
const drawn = (config: JsonObject) => ({ id: 'random-mdp', config });

/** Fixed before any run on them. */
const WORLDS: readonly World[] = [
  { id: 'chain-9', title: 'chain of 9', env: ice(['SFFFFFFFG'], 0.8, 40), solved: 0.912 },
  { id: 'chain-15', title: 'chain of 15', env: ice(['SFFFFFFFFFFFFFG'], 0.8, 60), solved: 0.902 },
  { id: 'open-4', title: 'open ice, 4x4', env: ice(['SFFF', 'FFFF', 'FFFF', 'FFFG'], 0.8, 30), solved: 0.934 },
  { id: 'lake-4', title: 'lake with holes, 4x4', env: ice(['SFFF', 'FHFH', 'FFFH', 'HFFG'], 0.9), solved: 0.85 },
  { id: 'ridge-6', title: 'ridge between holes, 6 long', env: ice(['HHHHHH', 'SFFFFG', 'HHHHHH'], 0.9), solved: 0.532 },
  { id: 'mdp-12', title: 'random world of 12', env: drawn({ states: 12, sparsity: 0.8, discount: 0.9, modelSeed: 31 }), solved: 2.144 },
  { id: 'mdp-20', title: 'random world of 20', env: drawn({ states: 20, sparsity: 0.9, discount: 0.95, modelSeed: 32 }), solved: 4.448 },
  {
    id: 'mdp-36',
    title: 'sparse random world of 36',
    env: drawn({ states: 36, branching: 2, sparsity: 0.97, discount: 0.95, modelSeed: 33 }),
    solved: 4.571,
  },
];

const METHODS = [
  { id: 'sqirl', title: 'SQIRL', trials: 0, algo: { id: 'sqirl', config: { backups: 5, episodes: 20 } } },
  {
    id: 'ppo',
    title: 'PPO',
    trials: 0,
    algo: { id: 'ppo', config: { lr: 0.001, envs: 8, rolloutSteps: 64, minibatches: 4, entropyCoef: 0.01, gamma: 0.99 } },
  },
  {
    id: 'dqn',
    title: 'DQN',
    trials: 0,
    algo: { id: 'dqn', config: { lr: 0.001, bufferSize: 20_000, learningStarts: 500, targetEvery: 250, gamma: 0.99 } },
  },
] as const;

const arms = METHODS.flatMap((method) =>
  WORLDS.map(
    (world): Arm => ({
      id: `${method.id}-${world.id}`,
      title: `${method.title}, ${world.title}`,
      trials: method.trials,
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
  mechanism: ABSTRACT_ONLY,
  differs: ['eight worlds in place of a large suite, no arcade game', '40,000 steps', 'one number of backups for all worlds'],
  question: 'Are worlds hard for PPO and DQN where SQIRL, which acts on the values of random play after a few backups, needs many steps?',
  idea: 'Where acting greedily on the values of random play, after a few backups, is already good, exploring at random is enough, for a table and for a network.',
  equation: 'Q1 = Q of random play, Qk+1 = r + gamma E max Qk; steps about A^H, H the effective horizon',
  config: {
    v: 1,
    env: { id: 'random-mdp' },
    algo: { id: 'sqirl' },
    run: { steps: 40_000, evalEvery: 500, evalEpisodes: 200 },
  },
  arms,
  quantity: { title: 'steps until solved, as a power of ten', metric: 'evalReturn', reaches: 1, log10: true },
  contrasts: [
    { id: 'as PPO', kind: 'agree', arms: of('sqirl'), others: of('ppo'), claim: 'above', size: 0.6 },
    { id: 'as DQN', kind: 'agree', arms: of('sqirl'), others: of('dqn'), claim: 'above', size: 0.6 },
  ],
  scale: { better: 'more' },
  exempt: [
    {
      check: 'parameters',
      arms: arms.map(({ id }) => id),
      why: 'a table of the world’s own size stands against one network for all worlds: the claim is about the worlds',
    },
  ],
  atMost: null,
  quick: { run: { steps: 8000, evalEvery: 500, evalEpisodes: 20 }, seeds: 2 },
  scaledDown:
    'Eight worlds in place of 25 and no MinAtar game, 40,000 steps; a world that is not solved by then counts as 40,000 steps. The worlds were fixed before any run on them. One setting of each method for all worlds, none of them tuned (small networks, a step of 0.001; five backups), where the paper takes the best number of backups for each. Solved is nine tenths of the way from random play to the exact optimum, in 200 greedy episodes. The intervals cover seeds, not the choice of the worlds: eight are few for a rank correlation.',
  dishonest: 'Worlds chosen after seeing the scatter; the number of backups chosen for each world by what PPO needs there.',
  next: 'Open a pair of arms in the laboratory and set backups to 0: which worlds are then no longer solved?',
});
