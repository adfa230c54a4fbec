/** P039: twenty tasks made by hand, and learners that differ in which drawn tasks they trained on. */
import { HELD_OUT, heldOutPresets } from '#contract/catalog/rule-tasks.ts';
import { type JsonObject, objectOf } from '#contract/kit/json.ts';
import type { Task } from '#contract/papers/forms.ts';
import type { Arm } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';
import { defineBuilt, headOf } from '../define-forms.ts';

/** Those of the preset "robust-plr" of PPO with twice as many copies and the bonus of MiniGrid's rooms for entropy. */
const COMMON = { envs: 32, rolloutSteps: 256, minibatches: 8, epochs: 4, lr: 5e-4, gamma: 0.99, lambda: 0.95, entropyCoef: 0.01 };
const levels = (kind: object) => ({ algo: { config: objectOf({ levels: { ...kind } }) } });

interface Method {
  readonly id: string;
  readonly title: string;
  readonly trials: number;
  readonly differs?: NonNullable<Arm['differs']>;
}

const METHODS: readonly Method[] = [
  { id: 'random', title: 'random play', trials: 0, differs: { algo: { id: 'random' }, run: { steps: 8192 } } },
  { id: 'fixed', title: 'two hundred tasks', trials: 2, differs: levels({ kind: 'fixed', count: 200 }) },
  { id: 'regret', title: 'tasks of most regret', trials: 1, differs: levels({ kind: 'replay' }) },
  { id: 'frontier', title: 'tasks at the frontier', trials: 2, differs: levels({ kind: 'replay', score: 'frontier' }) },
  { id: 'uniform', title: 'tasks drawn evenly', trials: 2 },
  {
    id: 'easy',
    title: 'tasks without rules, drawn evenly',
    trials: 2,
    differs: { env: { config: { task: { kind: 'drawn', benchmark: 'trivial' } } } },
  },
];

/** The twenty by what is to be done, five each. */
const FAMILIES: readonly (readonly [id: string, title: string, tasks: readonly string[]])[] = [
  ['touched', 'Things that change in the hand or when they are touched', ['touch-once', 'three-in-hand', 'wrong-order', 'tag', 'tag-side']],
  ['joined', 'Two things that belong side by side', ['right-two', 'two-of-a-kind', 'wasted', 'capture', 'tower']],
  ['made', 'Something is made first, then used', ['key-to-star', 'capture-two', 'hide', 'tag-all', 'tower-of-made']],
  ['rooms', 'Doors, keys and rooms', ['hide-away', 'locked', 'key-made', 'two-rooms', 'four-rooms']],
];
const configsOf = (tasks: readonly string[]): readonly JsonObject[] =>
  tasks.map((task) => heldOutPresets.find(({ id }) => id === `held-out-${task}`)?.config ?? {});

const SHARE = 'share of episodes that meet the goal, actions drawn';

/** Each method is trained once, and measured in all twenty tasks and in each family. */
const arms = METHODS.flatMap(({ id, title, ...method }): readonly Arm[] => [
  { id, title, ...method, against: configsOf(HELD_OUT.map((task) => task.id)) },
  ...FAMILIES.map(
    ([family, name, tasks]): Arm => ({
      id: `${id}-${family}`,
      title: `${title}: ${name.toLowerCase()}`,
      ...method,
      against: configsOf(tasks),
      quantity: { title: SHARE, elsewhere: 'solved', drawn: true },
    }),
  ),
]);
const armsOf = (method: string): readonly string[] => arms.flatMap(({ id }) => (id === method || id.startsWith(`${method}-`) ? id : []));

const judged = definePaper({
  id: 'P039',
  title: 'Open-Ended Learning Leads to Generally Capable Agents',
  authors: 'Open Ended Learning Team et al.',
  year: 2021,
  link: 'https://arxiv.org/abs/2107.12808',
  claim:
    'Training that changes its tasks and aims with the learner, so that learning never stops, in generations of agents, scores reward in every humanly solvable evaluation level of a vast space of games for several players.',
  source: {
    read: 'The abstract, and notes of a reader on how tasks are chosen (domrigby.github.io, August 2025); code of two repositories that stand in for the paper’s, which is not public: XLand-MiniGrid 0.9.3, commit 0d306d14, and jaxued, commit 0f8f1284 (maze_plr.py).',
    table: [
      {
        of: 'which tasks are trained on changes with the learner (abstract)',
        ours: 'src/core/algos/extensions/levels/level-replay.ts (levelPlaces)',
        state: 'kept',
      },
      {
        of: 'a task is played before it is trained on, and taken if the learner neither always wins nor always loses it and random play does badly (notes)',
        ours: 'src/core/algos/extensions/levels/level-replay.ts (levelPlaces)',
        state: 'changed',
        note: 'Taken by p (1 - p), against those that are kept; no thresholds, and random play is not asked.',
      },
      {
        of: 'a vast space of tasks from a generator (abstract)',
        ours: 'src/core/envs/xland/lib/rulesets.ts (drawTask)',
        state: 'changed',
        note: 'Goals and trees of rules on grids, as XLand-MiniGrid draws them.',
      },
      {
        of: 'evaluation levels made by hand (abstract)',
        ours: 'src/contract/catalog/rule-tasks.ts (HELD_OUT)',
        state: 'changed',
        note: 'Twenty of our own.',
      },
      {
        of: 'several players, generations, the goal as an observation (abstract, notes)',
        ours: '',
        state: 'left out',
        note: 'One player and one generation, told neither goal nor rules.',
      },
    ],
  },
  differs: ['rule grids of 9 x 9 cells, one player', 'the goal is not told: a player has to try', 'one generation; PPO without a memory'],
  found: {
    outcome: 'open',
    text: 'On five seeds tasks at the frontier (0.18) end between two hundred tasks (0.14) and tasks drawn evenly (0.20), too close together for five seeds to tell. Easy tasks without rules teach most: 0.35 of the twenty, where random play has 0.14.',
  },
  question:
    'Does training on the drawn tasks that are sometimes solved meet the goals of more tasks made by hand than training on two hundred of them, and than training on all that are drawn?',
  idea: 'Of tasks from a wide generator most are hopeless at first, and some are soon trivial. So each is tried first, and training goes on those that are solved about half of the time, which change with what the learner can do. Whether it learned to play, or only its tasks, is asked of twenty tasks that the generator had no part in.',
  equation: 'worth of a task = p (1 - p),   p the share of its episodes that meet the goal',
  touch: 'held-out',
  config: {
    v: 1,
    env: { id: 'xland-minigrid', config: { task: { kind: 'drawn', benchmark: 'high' } } },
    algo: { id: 'ppo', config: COMMON },
    run: { steps: 2_000_000, evalEpisodes: 50 },
  },
  arms,
  quantity: { title: `${SHARE}, of twenty tasks made by hand`, elsewhere: 'solved', drawn: true },
  contrasts: [
    // two thirds of what the tuning seeds showed
    { id: 'over two hundred tasks', kind: 'difference', arm: 'frontier', over: 'fixed', claim: 'above', size: 0.06, paired: true },
    // half of the other
    { id: 'over tasks drawn evenly', kind: 'difference', arm: 'frontier', over: 'uniform', claim: 'above', size: 0.03, paired: true },
  ],
  // the planner, which is told goal and rules, met every goal of twenty episodes of each task
  scale: { better: 'more', ceiling: 1 },
  exempt: [
    {
      check: 'random',
      arms: [...armsOf('fixed'), ...armsOf('regret')],
      why: 'what is asked of them is whether they learn more than their own tasks',
    },
    { check: 'steps', arms: armsOf('random'), why: 'it learns nothing' },
    { check: 'parameters', arms: armsOf('random'), why: 'it has none' },
  ],
  leftOut:
    'One player, one generation and no distillation; of how the paper changes its tasks the choice of those between always and never alone.',
  tunedOn: [901, 902],
  looks: [5, 10],
  secondLook: 'full',
  quick: { run: { steps: 300_000, evalEpisodes: 10 }, seeds: 2 },
  scaledDown:
    'Tasks of the benchmark “high”: trees of rules of depth 3, of which random play meets one in 28. A feed-forward PPO, by which it learns at all: on tuning seed 901 it met 0.27 of the twenty after two million steps on tasks without rules, recurrent PPO 0.23 after one million. Actions are drawn, because the best action alone repeats itself: lost episodes of it see 15 arrangements of the room in the middle, those with drawn actions 148, and recurrent PPO is no better (22). That is why a policy may solve many trials while it explores and hardly any greedily. On seed 901 tasks at the frontier came out at 0.27 after two million steps and 0.21 after four, tasks drawn evenly at 0.22 and 0.26: the second contrast was not expected to hold when this rule was written. With updates on new tasks as well the frontier had 0.22. Fifty tasks, tried before two hundred, came out below random play, 0.09 against 0.14. Tasks without rules were tried with the frontier too (0.24 and 0.28, drawn evenly 0.36).',
  dishonest:
    'Test tasks from the generator that draws the training tasks; “every task” for a share of episodes; greedy play of a policy that has to try, called what it can do.',
  next: 'Open a task whose lamp is dark, take a rule out, and hand it over again.',
});

const tasks: readonly Task[] = [['', 'All twenty', []] as const, ...FAMILIES].map(([family, title]) => ({
  title,
  env: 'xland-minigrid',
  unit: `${SHARE}; the planner, told goal and rules: 1`,
  scores: METHODS.map(({ id }) => ({ result: 'P039', arm: family === '' ? id : `${id}-${family}` })),
}));

export const openEnded = defineBuilt({
  ...headOf(judged),
  noVerdict:
    'Reward in every solvable level would need several players, generations and far more steps: of twenty tasks made by hand it is shown how often each learner meets the goal.',
  asked: {
    ask: 'Twenty tasks made by hand, and no player is told what to do. Whose training meets most of their goals?',
    choices: [
      'None: random play',
      'Two hundred tasks, again and again',
      'Kept tasks of most regret',
      'Kept tasks that are solved half of the time',
      'Tasks drawn evenly',
      'Easy tasks without rules',
      'About the same',
    ],
    most: 'more',
    alike: 0.03,
  },
  about: 'All twenty',
  methods: METHODS.map(({ title }) => title),
  tasks,
  earlier: judged,
});
