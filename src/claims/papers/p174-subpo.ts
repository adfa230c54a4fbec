/** P174: a policy gradient on what a cell adds to all visited before, against one on what it would be worth alone, on three kinds of tasks. */
import type { Arm } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';

const TASKS = ['cover', 'items', 'sense'] as const;

/** What the planner covers, mean over 100 episodes. */
const PLANNED = [0.956, 0.858, 0.623];

const arms = TASKS.flatMap((task, k): readonly Arm[] => {
  const arm = (id: string, pays: string): Arm => ({
    id: `${id}-${task}`,
    title: `paid ${id === 'gain' ? 'gains' : 'every state alone'}, ${task}`,
    trials: 5,
    differs: { env: { config: { task, pays } } },
  });
  return [
    arm('gain', 'gain'),
    arm('alone', 'alone'),
    {
      ...arm('greedy', 'gain'),
      title: `goes where most is gained a step, ${task}`,
      trials: 0,
      script: 'greedy',
      competent: PLANNED[k]! - 0.05,
    },
  ];
});

export const subPo = definePaper({
  id: 'P174',
  title: 'Submodular Reinforcement Learning',
  authors: 'Prajapat et al.',
  year: 2024,
  link: 'https://arxiv.org/abs/2307.13372',
  claim:
    'Rewards with diminishing returns depend on all that was visited before, and in general cannot be optimised even approximately; a policy gradient that is paid marginal gains recovers constant-factor guarantees under assumptions, and does well in biodiversity monitoring, experiment design, path planning and coverage.',
  leftOut: 'Its plain policy gradient is not run: PPO takes its place.',
  source: {
    read: 'Authors’ code, manish-pra/non-additive-RL at ef8ea29.',
    table: [
      {
        of: 'utils/environment.py, ret_cell_coverage: worth of the cells seen, each once',
        ours: 'src/core/envs/grids/lib/cover/worth.ts (worthOf)',
        state: 'kept',
      },
      {
        of: 'the same, type SRL: the sum over steps, cells seen again count again',
        ours: 'env.config.pays',
        state: 'kept',
        note: 'The arms that are paid every state alone.',
      },
      {
        of: 'the same: tasks cover, items of several kinds, a field',
        ours: 'env.config.task',
        state: 'kept',
        note: 'Maps and kernel are ours.',
      },
      {
        of: 'main.py: ln p of each step times the worth of all that was visited up to it',
        ours: 'env.config.pays',
        state: 'changed',
        note: 'Times the gain of that step and of those after it, as the text has it; there the subtraction is commented out.',
      },
      {
        of: 'main.py: a policy of place and time, or of the whole path',
        ours: 'src/core/envs/grids/coverage.ts (coverage)',
        state: 'changed',
        note: 'A map of the visited cells.',
      },
      {
        of: 'main.py: plain policy gradient by Adam, an entropy bonus that fades',
        ours: 'src/core/algos/on-policy/ppo.ts (ppo)',
        state: 'changed',
        note: 'PPO.',
      },
    ],
  },
  differs: [
    'grids of 36 cells and walks of 16 steps',
    'PPO in place of the paper’s plain policy gradient',
    'a map of the visited cells in place of the whole history',
  ],
  found: {
    outcome: 'mixed',
    text: 'Rewards of the whole cover 0.43 more than modular ones in all three cells; that they stay within 5 % of a planner is open by a hair.',
  },
  question:
    'Does the same learner cover more if its reward is what a cell adds to the cells visited before, and not what the cell is worth alone? Does it come within 5 % of a greedy planner?',
  idea: 'Ground that was already seen, a second apple, a measurement close to an old one: each adds less than the first. A reward that depends on the state alone cannot express this, and an agent that learns from it stays where the reward is highest. If each step is rewarded with what it adds, the return is exactly the worth of the whole walk.',
  equation: 'r_t = F({s_0 .. s_t}) - F({s_0 .. s_t-1}), in place of r_t = F({s_t})',
  /**
   * Of the learner paid gains five settings were tried on two tuning seeds of the first task, by what it covers: step sizes of 3e-4, 1e-3 and 2.5e-3,
   * entropy of 0, 0.003, 0.01 and 0.02, discounts of 0.95, 0.97 and 1. Without discount some seeds fall back to half; both arms have the same settings.
   */
  config: {
    v: 1,
    env: { id: 'coverage' },
    algo: { id: 'ppo', config: { lr: 1e-3, entropyCoef: 0.01, gamma: 0.95 } },
    run: { steps: 400_000, evalEpisodes: 100 },
  },
  arms,
  quantity: { title: 'covered in greedy episodes, share of all there is', measured: 'covered' },
  contrasts: [
    {
      id: 'covers more, all three',
      kind: 'cells',
      cells: TASKS.map((task) => [`gain-${task}`, `alone-${task}`]),
      of: 3,
      claim: 'above',
      // a tenth of all there is, about a sixth of what the planner covers
      size: 0.1,
    },
    {
      id: 'at most 5 % behind the planner, all three',
      kind: 'cells',
      cells: TASKS.map((task) => [`gain-${task}`, `greedy-${task}`]),
      of: 3,
      claim: 'above',
      none: -0.05,
      units: PLANNED,
    },
  ],
  // a share of all there is
  scale: { better: 'more', ceiling: 1 },
  exempt: [
    {
      check: 'random',
      arms: TASKS.map((task) => `alone-${task}`),
      why: 'that it stays where one cell is richest, and covers no more than chance, is what the claim is about',
    },
  ],
  tunedOn: [901, 905],
  quick: { run: { steps: 50_000, evalEpisodes: 20 }, seeds: 2 },
  scaledDown:
    'PPO takes the place of a plain policy gradient, and a map of the visited cells that of the whole history. Both arms see this map and the worth of each cell alone. Grids of 36 cells, walks of 16 steps from a cell drawn for each episode; cells, items and field are drawn once (map seed 1). Items lie on half of the cells, and the n-th item of a kind counts 1/n. The field is measured once in each cell, with a squared-exponential kernel of our own. The planner is not optimal: in tests on grids of 16 cells it covers at least 1 - 1/e of what the best walk covers.',
  dishonest: 'A rival that cannot see which cells it has visited; tasks in which a single cell is worth as much as a whole walk.',
  next: 'Move the walker yourself against both; or lengthen the walk until everything can be seen, where the two should meet.',
});
