/** P081: rewards designed by a teacher once, by a teacher who watches, or by the learner, against the world's own rare reward. */
import type { JsonObject } from '#contract/kit/json.ts';
import type { Arm } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';

interface World {
  readonly id: string;
  readonly title: string;
  readonly config: JsonObject;
}

const WORLDS: readonly World[] = [
  { id: 'chain', title: 'chain of 15', config: { map: ['S.............G'] } },
  { id: 'rooms', title: 'two rooms, key and door', config: {} },
];

/** One step size and epsilon for all, of 20 pairs that were tried for the world’s own reward; bonus and fine of the learner’s own design. */
const DESIGNS: readonly { readonly id: string; readonly title: string; readonly trials: number; readonly config: JsonObject }[] = [
  { id: 'none', title: 'the world’s own reward', trials: 26, config: { design: 'none' } },
  { id: 'potential', title: 'potential of all a teacher knows', trials: 2, config: { design: 'potential' } },
  { id: 'fixed', title: 'a teacher, once', trials: 6, config: { design: 'fixed' } },
  { id: 'adaptive', title: 'a teacher who watches', trials: 6, config: { design: 'adaptive' } },
  { id: 'self', title: 'the learner itself', trials: 22, config: { design: { kind: 'self', bonus: 0.01, fine: 0.1 } } },
];

const arms = WORLDS.flatMap((world) =>
  DESIGNS.map(
    (design): Arm => ({
      id: `${world.id}-${design.id}`,
      title: `${world.title}: ${design.title}`,
      trials: design.trials,
      differs: { env: { config: world.config }, algo: { config: design.config } },
    }),
  ),
);
const down = (world: string): readonly string[] => ['none', 'fixed', 'adaptive'].map((design) => `${world}-${design}`);

export const rewardDesign = definePaper({
  id: 'P081',
  title: 'Reward Design for Reinforcement Learning Agents',
  authors: 'Devidze',
  year: 2025,
  link: 'https://arxiv.org/abs/2503.21949',
  claim: 'Rewards designed by a teacher, adaptively to the learner, or by the agent itself speed up convergence.',
  leftOut:
    'The programme that designs a teacher’s rewards, and the gradient by which a learner designs its own, are replaced by simpler rules.',
  source: {
    read: 'Code of two papers that the thesis is made of, machine-teaching-group: neurips2022_exploration-guided-reward-shaping at aa16a92, aamas2024-informativeness-of-reward-functions at fe25217.',
    table: [
      {
        of: 'neurips2022, env_generic_with_teacher.py, R_ExploRS: a learned part and a bonus',
        ours: 'src/core/algos/tabular/designed-rewards.ts (designedRewards)',
        state: 'kept',
      },
      {
        of: 'the same, R_explore: lambda / sqrt((lambda / max)^2 + N(s’))',
        ours: 'src/core/algos/tabular/designed-rewards.ts (designedRewards)',
        state: 'changed',
        note: 'bonus / sqrt(N(s’)).',
      },
      {
        of: 'the same, update_SelfRS: a gradient pi (G - V) on the reward',
        ours: 'src/core/algos/tabular/designed-rewards.ts (learnReturns)',
        state: 'changed',
        note: 'Fines by the learner’s own estimate of what a mistake loses, which fade.',
      },
      {
        of: 'aamas2024, linekey_reward_design.py: the most informative reward, few places, best policies stay best',
        ours: 'src/core/algos/tabular/lib/reward-design.ts (costliest)',
        state: 'changed',
        note: 'The places where the learner loses most; no programme is solved.',
      },
      { of: 'the same: what was best stays best', ours: 'src/core/algos/tabular/lib/reward-design.ts (writeFines)', state: 'kept' },
      {
        of: 'aamas2024, update_Ada_TL: anew for the learner as it is',
        ours: 'src/core/algos/tabular/designed-rewards.ts (designedRewards)',
        state: 'kept',
        note: 'Every few episodes.',
      },
      {
        of: 'agent_Q_learning_tabular.py: updates of a whole episode, the last step first',
        ours: 'src/core/algos/tabular/designed-rewards.ts (designedRewards)',
        state: 'changed',
        note: 'After every step.',
      },
    ],
  },
  differs: [
    'a chain of 15 and rooms of 35 cells, 120,000 steps of Q-learning',
    'designs are fines at three places',
    'the design is scored by the learner’s loss at a place',
  ],
  found: {
    outcome: 'open',
    text: 'The order of designs is the paper’s in the chain and in the rooms: twenty seeds of the second block show it, with the learner’s own design behind; ten of the first leave both open.',
  },
  question: 'Is the optimum found sooner on designed rewards, and soonest where the design follows the learner?',
  idea: 'A teacher who may speak of three places only helps most by speaking of those from which the learner’s present loss comes.',
  equation: 'F(s, a) = -(V*(s) - Q*(s, a)) at the places where mu(s) sum over a of pi(a|s) (V*(s) - Q*(s, a)) is largest',
  config: {
    v: 1,
    env: { id: 'key-grid' },
    algo: { id: 'designed-rewards', config: { alpha: 0.5, epsilon: 0.1, gamma: 0.95 } },
    run: { steps: 120_000 },
  },
  arms,
  quantity: {
    title: 'steps until the greedy policy is within 0.02 of the optimum, as a power of ten',
    metric: 'optimalityGap',
    reaches: 0.02,
    log10: true,
  },
  contrasts: [
    { id: 'chain: a teacher helps, one who watches more', kind: 'order', arms: down('chain'), claim: 'above', size: 0.1 },
    { id: 'rooms: a teacher helps, one who watches more', kind: 'order', arms: down('rooms'), claim: 'above', size: 0.1 },
    {
      id: 'rooms: the learner helps itself',
      kind: 'difference',
      arm: 'rooms-self',
      over: 'rooms-none',
      claim: 'below',
      size: -0.1,
    },
  ],
  scale: { better: 'less' },
  exempt: [],
  forms: 2,
  tunedOn: [1, 4],
  firstSeed: 3001,
  quick: { run: { steps: 10_000 }, seeds: 3 },
  scaledDown:
    'A chain of 15 cells and two rooms of 35 cells with key and door, 120,000 steps of Q-learning. A teacher’s design is a fine for mistakes at three places: it leaves every best action the best, which is checked exactly at every row (loss by the design). The thesis optimises a free sparse reward by a convex programme or a gradient under the same condition. Its measure of what a design tells a learner is here the share of the learner’s loss that comes from a place. The learner’s own design is a bonus for what it saw seldom and small fines by its own returns; the thesis learns its reward by a gradient through the learner’s updates. It is judged in the rooms; in the chain it is only shown, as is the potential of all that a teacher knows, which is more than three places. Settings were tried on seeds 1 to 4, most of them for the world’s own reward, the least for the teachers. The check of trials once took the first arm of every order for the favoured one, which is the rival where less is better, and voided this verdict; it was mended after the result was seen, and the runs were judged again. That form had 30,000 steps, in which 4 of 10 runs of the learner’s own design never arrived, so that it was void in the end; this one has four times as many, and every run arrives. What ten seeds showed: in the chain a teacher who watches needs 870 steps, one who speaks once 1,590, the world’s own reward 3,690 (medians); in the rooms the same order is not clear on ten seeds, and the learner’s own design is clearly later than no design.',
  dishonest:
    'A design that changes the optimum and is scored by its own reward; breaking ties of a table of zeros always in the same direction, which alone keeps the sparse arm at the wall; a teacher of unlimited places called sparse.',
  next: 'Give the teachers one place, then ten: how much is left of the difference between speaking once and watching?',
});
