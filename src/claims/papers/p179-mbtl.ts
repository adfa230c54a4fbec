/** P179: which setting to train on next: a Gaussian process against chance, equal gaps and the choice that sees everything, on recorded training. */
import type { Arm } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';

/** With what chance needs, mean over drawn orders of each recording, and what the choice that sees everything needs: the references of the world. */
const BOUNDS = {
  'pole length': { random: 10.87, ceiling: 1.17 },
  'cart mass': { random: 10.01, ceiling: 1.33 },
  'pole mass': { random: 10.52, ceiling: 1.33 },
} as const;
const SETTINGS = ['pole length', 'cart mass', 'pole mass'] as const;
const CHOOSERS = {
  model: 'Gaussian process',
  drawn: 'drawn evenly',
  'equal gaps': 'equal gaps',
  'gains most': 'sees everything',
} as const;
/** Recordings of a setting that its seeds draw from. */
const RECORDINGS = 12;
type Chooser = keyof typeof CHOOSERS;

const idOf = (script: Chooser, setting: string): string => `${script}-${setting}`.replaceAll(' ', '-');
const cellsOf = (...scripts: readonly Chooser[]): readonly (readonly string[])[] =>
  SETTINGS.map((setting) => scripts.map((script) => idOf(script, setting)));

const arms = SETTINGS.flatMap((setting) =>
  (['model', 'drawn', 'equal gaps', 'gains most'] as const).map(
    (script): Arm => ({
      id: idOf(script, setting),
      title: `${CHOOSERS[script]}, ${setting}`,
      trials: 0,
      script,
      scale: BOUNDS[setting],
      differs: { env: { config: { setting } } },
    }),
  ),
);

export const mbtl = definePaper({
  id: 'P179',
  title: 'Model-Based Transfer Learning for Contextual Reinforcement Learning',
  authors: 'Cho, Jayawardana, Li and Wu',
  year: 2024,
  link: 'https://arxiv.org/abs/2408.04498',
  claim:
    'To choose training tasks by a model, a Gaussian process of how well training goes plus a generalisation gap that grows linearly with the distance between contexts, has sublinear regret, and on urban traffic and continuous control needs up to 50 times fewer samples than independent or multi-task training.',
  source: {
    read: 'Authors’ code, jhoon-cho/MBTL at 671f0e0, MBTL/utils.py and MBTL/collect_result.py.',
    table: [
      { of: 'first the middle of the range', ours: 'src/core/envs/grids/lib/task-choice/choosers.ts (middle)', state: 'kept' },
      {
        of: 'a Gaussian process, a constant times a squared exponential, noise, by its likelihood',
        ours: 'src/core/envs/grids/lib/task-choice/choosers.ts (byModel)',
        state: 'changed',
        note: 'Kernels of a grid of 35.',
      },
      {
        of: 'the largest mean over the range of max(0, mu + sqrt(log(k + 1)) sigma - gap - best so far)',
        ours: 'src/core/envs/grids/lib/task-choice/choosers.ts (expectedGains)',
        state: 'kept',
      },
      { of: 'slope 0.005: a gap that grows linearly', ours: 'src/core/envs/grids/lib/task-choice/choosers.ts (byModel)', state: 'kept' },
      { of: 'every task by itself, all together', ours: '', state: 'left out', note: 'No arms here.' },
    ],
  },
  differs: [
    'twenty settings of CartPole in place of a hundred, trained for 20,000 steps, not five million',
    'no multi-task training beside it',
    'kernels of a grid of 35',
  ],
  leftOut: 'Training of every task by itself and of all together, the rivals of the paper, are no arms here.',
  found: {
    outcome: 'open',
    text: 'A model of transfer needs 6.7 trainings fewer than equal gaps and 3.9 fewer than chance, on twelve recordings: too few to decide.',
  },
  question:
    'Does a Gaussian process that chooses what to train on next need fewer trainings than chance to come within 5 % of what training on all twenty settings gives?',
  idea: 'A policy trained with one pole also balances others, the better the more alike. So few trainings can serve a whole range, if they are the right ones. After each training the model knows how well that one went and what it is worth elsewhere, expects that near settings do alike, and takes the one that should add most.',
  equation: 'next = argmax_i mean_j max(0, mu_i + sqrt(log(k + 1)) sigma_i - gap |i - j| - best_j)',
  /** The world was chosen by what chance needs on five recordings of seeds 901 to 905: 9.0, 10.7 and 10.8 choices of twenty. */
  config: { v: 1, env: { id: 'task-choice' }, algo: { id: 'ppo' }, run: { steps: 1000, evalEpisodes: 1 } },
  arms,
  quantity: { title: 'settings trained until good enough', measured: 'choices' },
  contrasts: [
    {
      id: 'fewer than by chance, two of three',
      kind: 'cells',
      cells: cellsOf('model', 'drawn'),
      of: 2,
      claim: 'below',
      // half of what chance needed on the tuning seeds: the ratio of two of the recipe
      size: -5,
      middle: 'mean', // what a training costs is paid for each of them
      paired: true,
      clusters: RECORDINGS,
    },
    {
      id: 'fewer than by chance, all three',
      kind: 'cells',
      cells: cellsOf('model', 'drawn'),
      of: 3,
      claim: 'below',
      size: -5,
      middle: 'mean',
      paired: true,
      clusters: RECORDINGS,
    },
    {
      id: 'fewer than by equal gaps, two of three',
      kind: 'cells',
      cells: cellsOf('model', 'equal gaps'),
      of: 2,
      claim: 'below',
      // a tenth of the range
      size: -2,
      middle: 'mean',
      paired: true,
      clusters: RECORDINGS,
    },
  ],
  scale: { better: 'less' },
  exempt: [
    {
      check: 'random',
      arms: arms.map(({ id }) => id),
      why: 'chance is an arm: what is no better than it loses its cell',
    },
  ],
  forms: 2,
  tunedOn: [901, 905],
  firstSeed: 3041,
  looks: [20, 40],
  quick: { run: { steps: 1000 }, seeds: 5 },
  scaledDown:
    'PPO on CartPole with its usual settings was trained with each of twenty values of one setting, from half of the usual value to ten times as much as in the paper, and every policy tested in all twenty, two greedy episodes each: twelve recordings, of training seeds 3,013 to 3,024 (`tools/task-choice.mjs`; 720 trainings, 8 core-minutes). As in the authors’ own code choices are replayed on what is recorded; a chooser sees a row only once it has taken it. Each seed draws one of the twelve recordings of a setting, so that intervals speak of these recordings. Rules and sizes were fixed on five others (seeds 901 to 905). A first form, on recordings of the seeds 3,001 to 3,012, was void, because the model was no better than chance for the mass of the cart, which is the arm it is compared with: 4.2 choices fewer (1.6 to 7.0) in two of three settings. This form, with the same rules otherwise, has recordings of its own. A training of 20,000 steps does not converge where the pole is long or heavy: there the policy that serves such a setting best was trained elsewhere.',
  dishonest: 'A chooser that reads rows it has not trained; a range so narrow that any training serves all of it.',
  next: 'Choose yourself before the model does: play the world and press the key of a setting. Or train for longer, until most settings can be learned where they are.',
});
