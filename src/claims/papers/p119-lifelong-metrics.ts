/** P119: what a stronger hold on earlier tasks costs later ones, in three domains, by two metrics of lifelong learning. */
import type { JsonObject } from '#contract/kit/json.ts';
import type { Task } from '#contract/papers/forms.ts';
import type { Arm, Quantity } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';
import { defineBuilt, headOf } from '../define-forms.ts';

const ROWS = 4;
/** A lake with its way over one of four rows, from left to right or back; holes lie between the rows. */
const lake = (row: number, way: string): readonly string[] =>
  Array.from({ length: 2 * ROWS - 1 }, (_, y) => (y === 2 * row ? way : y % 2 === 1 ? 'HHHHHHH' : 'FFFFFFF'));
const LAKES = [lake(0, 'SFFFFFG'), lake(2, 'GFFFFFS'), lake(1, 'SFFFFFG'), lake(3, 'GFFFFFS')];

interface Domain {
  readonly title: string;
  readonly env: string;
  readonly base: JsonObject;
  /** One after the other. */
  readonly tasks: readonly JsonObject[];
  /** Whether the agent sees the number that a task sets: where nothing else tells tasks apart. */
  readonly tell: boolean;
  /** Steps of each task. */
  readonly block: number;
  readonly learner: JsonObject;
  readonly evalEpisodes: number;
  /** From random play to what training on one task alone ends with. */
  readonly way: number;
}

/** Domains and learners were chosen by plain training alone: it learns every task and loses the first ones. */
const DOMAINS: Readonly<Record<string, Domain>> = {
  grid: {
    title: 'ways over ice',
    env: 'frozen-lake',
    base: { map: LAKES[0]!, slippery: false },
    tasks: LAKES.map((map) => ({ map })),
    tell: false,
    block: 16_000,
    learner: { gamma: 0.9 },
    evalEpisodes: 5,
    way: 1,
  },
  control: {
    title: 'poles on carts',
    env: 'cartpole',
    base: { maxSteps: 200 },
    tasks: [
      { force: 2, halfLength: 0.05 },
      { force: 10, halfLength: 0.5 },
    ],
    tell: true,
    block: 16_000,
    learner: { gamma: 0.98, hidden: [32], epsilonStart: 0.2, epsilonEnd: 0.1 },
    evalEpisodes: 5,
    way: 180,
  },
  choice: {
    title: 'one choice by what is shown',
    env: 'contextual-bandit',
    base: { arms: 4, features: 4 },
    tasks: [0, 1, 2, 3].map((mappingSeed) => ({ mappingSeed })),
    tell: true,
    block: 8000,
    learner: { gamma: 0.5 },
    evalEpisodes: 50,
    way: 0.55,
  },
};

/** Strengths within the published range, and rehearsal beside them, each tried once on tuning seeds; none was chosen by it. */
const REMEDIES: readonly (readonly [id: string, title: string, forgetting: JsonObject])[] = [
  ['plain', 'plain training', { kind: 'none' }],
  ['held', 'weights held (strength 1,000)', { kind: 'EWC', strength: 1000 }],
  ['loose', 'weights held loosely (strength 10)', { kind: 'EWC', strength: 10 }],
  ['rehearsal', 'rehearsal of 250 transitions', { kind: 'rehearsal', capacity: 250 }],
];

const kept: Quantity = { title: 'kept of earlier tasks, greedy', tasks: 'kept' };

/** Every arm is read twice: for how fast later tasks are learned, and for what is kept of earlier ones. */
const arms = Object.entries(DOMAINS).flatMap(([id, { title, env, base, tasks, tell, block, learner, evalEpisodes }]) =>
  REMEDIES.flatMap(([remedy, what, forgetting]): readonly Arm[] => {
    const contexts = { list: tasks, order: { by: 'blocks', steps: block }, ...(tell && { tell }) };
    const arm: Arm = {
      id: `${remedy}-${id}`,
      title: `${what}, ${title}`,
      trials: 1,
      differs: {
        env: { id: env, config: { ...base, contexts } },
        algo: { config: { ...learner, forgetting } },
        run: { steps: tasks.length * block, evalEvery: block / 8, evalEpisodes },
      },
    };
    return [arm, { ...arm, id: `${remedy}-${id}-kept`, title: `${arm.title}: kept`, quantity: kept }];
  }),
);

const units = Object.values(DOMAINS).map(({ way }) => way);

/** In each domain one arm over another. */
const cells = (arm: string, over: string, read = ''): readonly (readonly string[])[] =>
  Object.keys(DOMAINS).map((id) => [`${arm}-${id}${read}`, `${over}-${id}${read}`]);

const judged = definePaper({
  id: 'P119',
  title: 'A Domain-Agnostic Approach for Characterization of Lifelong Learning Systems',
  authors: 'Baker et al.',
  year: 2023,
  link: 'https://arxiv.org/abs/2301.07799',
  sign: 'ours',
  claim:
    'A suite of metrics for learners that meet one task after another, which works across domains and shows trade-offs such as that of stability and plasticity.',
  source: {
    read: 'Performance maintenance as New et al. 2022 write it and equations 3 and 4 of Kirkpatrick et al. 2017, both held against reference numbers; Rolnick et al. 2019.',
    table: [
      { of: 'performance maintenance', ours: 'src/math/measures-continual.ts (performanceMaintenance)', state: 'kept' },
      {
        of: 'Kirkpatrick, equations 3 and 4: the penalty on weights',
        ours: 'src/core/algos/extensions/forgetting/ewc.ts (keepWeights)',
        state: 'kept',
      },
      { of: 'Rolnick: rehearsal from a reservoir', ours: 'src/core/algos/extensions/forgetting/rehearsal.ts (batchOf)', state: 'kept' },
      { of: 'the other metrics and the domains of the suite', ours: '', state: 'left out', note: 'Two metrics, three small domains.' },
    ],
  },
  differs: ['three small domains, none of a team', 'two of the metrics are judged', 'one learner, DQN, and one penalty on weights'],
  found: {
    outcome: 'open',
    text: 'Holding weights keeps more in all three domains (0.25); plain training learns later tasks faster in two of three.',
  },
  question:
    'In a grid, in control and in single choices: does holding weights keep more of earlier tasks, and are later tasks learned more slowly for it?',
  idea: 'A learner that holds what it knows has less room for what comes. If that is a law of lifelong learning and no matter of one world, the same two numbers, what is kept and how fast new tasks are learned, move against each other in every domain.',
  equation:
    'kept = mean change of a task from the end of its own block to the ends of later ones; area = mean greedy return within a later task’s own block',
  config: {
    v: 1,
    env: { id: 'frozen-lake' },
    algo: {
      id: 'dqn',
      config: {
        lr: 1e-3,
        hidden: [16],
        epsilonStart: 0.6,
        epsilonEnd: 0.6,
        batchSize: 32,
        trainEvery: 2,
        targetEvery: 100,
        learningStarts: 200,
        bufferSize: 500,
      },
    },
    run: { steps: 64_000 },
  },
  arms,
  quantity: { title: 'area under later tasks in their own block, greedy', tasks: 'area' },
  contrasts: [
    {
      id: 'plain training learns later tasks faster, all three',
      kind: 'cells',
      cells: cells('plain', 'held'),
      of: 3,
      claim: 'above',
      middle: 'mean',
      // a tenth of the way from random play to what one task alone is learned to
      size: 0.1,
      units,
    },
    {
      id: 'the same in two of three',
      kind: 'cells',
      cells: cells('plain', 'held'),
      of: 2,
      claim: 'above',
      middle: 'mean',
      size: 0.1,
      units,
    },
    {
      id: 'holding weights keeps more, all three',
      kind: 'cells',
      cells: cells('held', 'plain', '-kept'),
      of: 3,
      claim: 'above',
      middle: 'mean',
      // thirty points of a hundred: the least loss by which plain training makes a sequence a test
      size: 0.3,
      units,
    },
  ],
  scale: { better: 'more' },
  exempt: [
    { check: 'parameters', arms: arms.map(({ id }) => id), why: 'domains differ in what is seen; within each all arms have as many' },
    { check: 'steps', arms: arms.map(({ id }) => id), why: 'domains differ in their tasks; within each all arms have as many' },
  ],
  leftOut: 'Of the suite’s metrics two are judged, and none of its domains is one of those here.',
  tunedOn: [901, 905],
  quick: { run: { evalEpisodes: 2 }, seeds: 2 },
  scaledDown:
    'Four ways over ice, two poles and four bandits, each sequence in blocks, with a DQN of 16 or 32 units and a buffer of 500 transitions. Where nothing else tells tasks apart (poles, bandits) all arms see the numbers that the task sets. Domains were chosen by plain training, which must lose at least 30 of 100 points (a form of the poles with 500 steps lost 8 on a pilot and was left); the strength of the penalty lies within its published range and is the same in all three. On the tuning seeds the later pole was learned no more slowly, but faster, with weights held: the claim was expected to fail there when this rule was written. A weaker penalty and rehearsal are shown beside.',
  dishonest: 'One domain called all of them; a sequence in which nothing is forgotten; a strength chosen for each domain so that it costs.',
  next: 'Move the strength of the penalty in the lesson “Does it forget?” and watch both numbers; or open an arm of the poles, where what was kept seems to help.',
});

/** A row of the table: one domain, read in one of two ways. */
const row = (id: string, read: '' | '-kept'): Task => ({
  title: `${DOMAINS[id]?.title ?? id}: ${read === '' ? 'learning later tasks' : 'keeping earlier ones'}`,
  env: DOMAINS[id]?.env ?? '',
  unit: read === '' ? 'greedy return in a later task’s own block' : 'change of greedy return since a task’s own block; 0: nothing lost',
  scores: REMEDIES.map(([remedy]) => ({ result: 'P119', arm: `${remedy}-${id}${read}` })),
});

export const lifelongMetrics = defineBuilt({
  ...headOf(judged),
  noVerdict: 'A suite of metrics: its abstract shows that they apply, and claims no comparison.',
  asked: {
    ask: 'Four bandits, one after the other. Which way of training keeps most of the earlier ones?',
    choices: ['Plain training', 'Weights held', 'Weights held loosely', 'Rehearsal', 'About the same'],
    most: 'more',
    alike: 0.05,
  },
  about: row('choice', '-kept').title,
  methods: REMEDIES.map(([, title]) => title),
  tasks: Object.keys(DOMAINS).flatMap((id) => [row(id, ''), row(id, '-kept')]),
  earlier: judged,
});
