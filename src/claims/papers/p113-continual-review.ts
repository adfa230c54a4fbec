/** P113: two families of the review against plain training, on three sequences of two tasks. */
import type { JsonObject } from '#contract/kit/json.ts';
import type { Arm, Quantity } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';
import { defineMap, headOf } from '../define-forms.ts';
import { continualReviewBranches } from '../taxonomies/p113.ts';

/** Steps of a block. */
const BLOCK = 16_000;

/** Two ways over the same ice, one after the other. */
const sequence = (first: readonly string[], second: readonly string[]): JsonObject => ({
  map: first,
  slippery: false,
  contexts: { list: [{ map: first }, { map: second }], order: { by: 'blocks', steps: BLOCK } },
});

const WORLDS: Readonly<Record<string, { readonly title: string; readonly env: JsonObject }>> = {
  rows: {
    title: 'two rows',
    env: sequence(['SFFFFFG', 'HHHHHHH', 'FFFFFFF'], ['FFFFFFF', 'HHHHHHH', 'GFFFFFS']),
  },
  columns: {
    title: 'two columns',
    env: sequence(['SHF', 'FHF', 'FHF', 'FHF', 'FHF', 'FHF', 'GHF'], ['FHG', 'FHF', 'FHF', 'FHF', 'FHF', 'FHF', 'FHS']),
  },
  long: {
    title: 'two long rows',
    env: sequence(['SFFFFFFFG', 'HHHHHHHHH', 'FFFFFFFFF'], ['FFFFFFFFF', 'HHHHHHHHH', 'GFFFFFFFS']),
  },
};

/**
 * Tried on five tuning seeds: of plain training six step sizes from 3e-4 to 1e-2, of which 5e-3 keeps most; of the penalty six strengths from 100
 * to 100,000, of which 3,000 keeps most and costs the second task least; of rehearsal six (100, 250 and 500 transitions, a share of 0.25 and 0.75, cloning), of which five keep all.
 */
const REMEDIES: readonly (readonly [id: string, title: string, config: JsonObject, trials: number])[] = [
  ['plain', 'plain', { lr: 5e-3 }, 6],
  ['ewc', 'elastic weight consolidation', { forgetting: { kind: 'EWC', strength: 3000 } }, 6],
  ['rehearsal', 'rehearsal of 250 transitions', { forgetting: { kind: 'rehearsal', capacity: 250 } }, 6],
];

const second: Quantity = { title: 'second task at the end, greedy', metric: 'task.1', take: 'last' };

/** Every arm is read twice: for the first task, which is judged, and for the second, which is shown. */
const arms = Object.entries(WORLDS).flatMap(([world, { title, env }]) =>
  REMEDIES.flatMap(([id, what, config, trials]): readonly Arm[] => {
    const arm: Arm = {
      id: `${id}-${world}`,
      title: `${what}, ${title}`,
      trials,
      differs: { env: { config: env }, algo: { config } },
    };
    return [arm, { ...arm, id: `${id}-${world}-second`, title: `${arm.title}: second task`, quantity: second }];
  }),
);

const cells = (remedies: readonly string[]): readonly (readonly string[])[] =>
  Object.keys(WORLDS).flatMap((world) => remedies.map((remedy) => [`${remedy}-${world}`, `plain-${world}`]));

const judged = definePaper({
  id: 'P113',
  title: 'Continual Lifelong Learning with Neural Networks: A Review',
  authors: 'Parisi et al.',
  year: 2019,
  link: 'https://arxiv.org/abs/1802.07569',
  sign: 'ours',
  claim:
    'A review: networks that learn one task after another forget the earlier ones, and penalties on weights, networks that grow and replay reduce it. The abstract claims no measured result.',
  source: {
    read: 'Of the methods that the review names: equations 3 and 4 of Kirkpatrick et al. 2017, held against reference numbers; Rolnick et al. 2019.',
    table: [
      {
        of: 'Kirkpatrick, equations 3 and 4: the penalty on weights',
        ours: 'src/core/algos/extensions/forgetting/ewc.ts (keepWeights)',
        state: 'kept',
      },
      {
        of: 'Rolnick: rehearsal from a reservoir, half of each minibatch',
        ours: 'src/core/algos/extensions/forgetting/rehearsal.ts (batchOf)',
        state: 'kept',
      },
      { of: 'networks that grow', ours: '', state: 'left out', note: 'Not built.' },
    ],
  },
  differs: ['two tasks of one kind in each sequence', 'networks that grow are no arm', 'a network of 16 units'],
  found: {
    outcome: 'shown',
    text: 'Both remedies keep the first task on more seeds than none in each of three sequences (30 and 70 points of a hundred more).',
  },
  question: 'Does a penalty on weights, and does rehearsal, keep the first task where plain training loses it?',
  idea: 'What a network learns today is written over what it learned yesterday. Either the weights that mattered are held, or examples of yesterday are learned again beside those of today.',
  equation: 'L(w) = L_new(w) + lambda / 2 sum_i F_i (w_i - w*_i)^2, or L over new transitions and kept ones',
  config: {
    v: 1,
    env: { id: 'frozen-lake', config: WORLDS.rows?.env ?? {} },
    algo: {
      id: 'dqn',
      config: {
        lr: 1e-3,
        gamma: 0.9,
        epsilonStart: 0.6,
        epsilonEnd: 0.6,
        hidden: [16],
        batchSize: 32,
        trainEvery: 2,
        targetEvery: 100,
        learningStarts: 200,
        bufferSize: 500,
      },
    },
    run: { steps: 2 * BLOCK, evalEpisodes: 20 },
  },
  arms,
  quantity: { title: 'first task at the end, greedy', metric: 'task.0', take: 'last' },
  contrasts: [
    {
      id: 'both remedies, all three',
      kind: 'cells',
      cells: cells(['ewc', 'rehearsal']),
      of: 6,
      claim: 'above',
      share: { atLeast: 1 },
      size: 0.3,
    },
    { id: 'penalty on weights, all three', kind: 'cells', cells: cells(['ewc']), of: 3, claim: 'above', share: { atLeast: 1 }, size: 0.3 },
    { id: 'rehearsal, all three', kind: 'cells', cells: cells(['rehearsal']), of: 3, claim: 'above', share: { atLeast: 1 }, size: 0.3 },
  ],
  scale: { better: 'more', random: 0, ceiling: 1 },
  exempt: [
    {
      check: 'random',
      arms: Object.keys(WORLDS).map((world) => `plain-${world}`),
      why: 'that nothing is left of the first task is what the remedies are held against',
    },
    {
      check: 'parameters',
      arms: REMEDIES.map(([id]) => `${id}-long`),
      why: 'a larger lake has more cells to read; within each sequence all arms have as many',
    },
  ],
  leftOut: 'Of the three families that the review names, networks that grow are not tested.',
  firstSeed: 4001,
  tunedOn: [901, 905],
  quick: { run: { evalEpisodes: 5 }, seeds: 2 },
  scaledDown:
    'DQN with 16 hidden units and a buffer of 500 transitions in place of large networks; three sequences of two ways over ice that share no cell, 16,000 steps each. No arm is told which task it is in. The size, 30 of 100 seeds, is the least loss by which plain training makes a sequence a test. Of the review’s families those that grow a network, and those after the brain (two memories, curricula, curiosity), are left out. The learner’s settings are those of the lesson “Does it forget?”; all arms have had as many tries. The second task is shown beside: a strong penalty costs it. A first form, on seeds 3,001 to 3,020, was void because the arms had had unequal numbers of tries; this one was fixed before seeds 4,001 to 4,040 ran, but for the part that is not tested, which was named afterwards and lowers the word.',
  dishonest: 'A task’s name for some arms only; memories as large as all that was met; tasks in which nothing is lost.',
  next: 'Lower the strength of the penalty to 100 and look what becomes of either task.',
});

export const continualReview = defineMap({
  ...headOf(judged),
  noVerdict: 'A review measures nothing: it orders what others found.',
  asked: {
    ask: 'A small network learns one way over the ice, then another. Which of three ways of training keeps the first way on most seeds?',
    choices: ['Plain training', 'Holding the weights that mattered', 'Learning old steps again beside new ones', 'About the same'],
    most: 'more',
    alike: 0.05,
  },
  shown: [
    { result: 'P113', arm: 'plain-rows' },
    { result: 'P113', arm: 'ewc-rows' },
    { result: 'P113', arm: 'rehearsal-rows' },
  ],
  branches: continualReviewBranches,
  earlier: judged,
});
