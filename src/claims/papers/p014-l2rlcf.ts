/** P014: three parts against forgetting, each on or off in one learner, on four tasks one after the other. */
import type { JsonObject } from '#contract/kit/json.ts';
import type { Arm, Quantity } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';

/** Steps of a block. */
const BLOCK = 16_000;

const ROWS = 4;
/** A lake with its way over one of four rows, from left to right or back; holes lie between the rows. */
const lake = (row: number, way: string): readonly string[] =>
  Array.from({ length: 2 * ROWS - 1 }, (_, y) => (y === 2 * row ? way : y % 2 === 1 ? 'HHHHHHH' : 'FFFFFFF'));

const TASKS = [lake(0, 'SFFFFFG'), lake(2, 'GFFFFFS'), lake(1, 'SFFFFFG'), lake(3, 'GFFFFFS')];

/** Parts that are on; 0: off. Borders are where the loss jumps by five deviations: no arm is given them. */
interface Parts {
  /** Strength of the penalty on weights. */
  readonly strength?: number;
  /** Transitions that are rehearsed; 60 in all arms that have any, a tenth of a percent of those met. */
  readonly capacity?: number;
  /** Their share of a minibatch. */
  readonly share?: number;
  /** At or below which activation units are started anew. */
  readonly resets?: number;
}
const parts = (on: Parts): JsonObject => ({ forgetting: { kind: 'several', strength: 0, capacity: 0, resets: 0, jump: 5, ...on } });

/**
 * Three settings of each were tried on five tuning seeds; taken is the one with the largest sum of what is kept and what is learned. Plain: step
 * sizes 1e-3, 3e-3, 5e-3. Penalty alone, and with one or two others: 300, 1,000, 3,000. Rehearsal alone and with resets: shares 0.25, 0.5, 0.75.
 * Resets alone: 0.03, 0.1, 0.3. In combinations the other parts stand at a share of 0.5 and resets at 0.1.
 */
const LEARNERS: readonly (readonly [id: string, title: string, config: JsonObject])[] = [
  ['plain', 'none of the three', { lr: 5e-3 }],
  ['penalty', 'penalty on weights', parts({ strength: 1000 })],
  ['rehearsal', 'rehearsal', parts({ capacity: 60, share: 0.5 })],
  ['resets', 'resets of dormant units', parts({ resets: 0.03 })],
  ['penalty-rehearsal', 'penalty and rehearsal', parts({ strength: 300, capacity: 60, share: 0.5 })],
  ['penalty-resets', 'penalty and resets', parts({ strength: 1000, resets: 0.1 })],
  ['rehearsal-resets', 'rehearsal and resets', parts({ capacity: 60, share: 0.5, resets: 0.1 })],
  ['all', 'all three', parts({ strength: 300, capacity: 60, share: 0.5, resets: 0.1 })],
];

/** The combination that kept and learned most on the tuning seeds. */
const CHOSEN = 'penalty-resets';

const learned: Quantity = { title: 'learned in the own block, greedy', tasks: 'learned' };
const arms = LEARNERS.map(([id, title, config]): Arm => ({ id, title, trials: 3, differs: { algo: { config } } }));
const shown = arms.map(
  (arm): Arm => ({
    ...arm,
    id: `${arm.id}-learned`,
    title: `${arm.title}: learned`,
    quantity: learned,
    scale: { random: 0, ceiling: 1 },
    ...(arm.id === 'plain' && { competent: 0.8 }),
  }),
);

export const l2rlcf = definePaper({
  id: 'P014',
  title: 'System Design for an Integrated Lifelong Reinforcement Learning Agent for Real-Time Strategy Games',
  authors: 'Sur et al.',
  year: 2022,
  link: 'https://arxiv.org/abs/2212.04603',
  sign: 'ours',
  claim:
    'A framework with one interface lets lifelong-learning parts that were built apart work in one reinforcement learner and be compared; a case study shows it. The abstract claims no measured result.',
  source: {
    read: 'Of the parts, not the framework: equations 3 and 4 of Kirkpatrick et al. 2017 and the score of Sokar et al. 2023, both held against reference numbers; Rolnick et al. 2019.',
    table: [
      {
        of: 'Kirkpatrick, equations 3 and 4: the penalty on weights',
        ours: 'src/core/algos/extensions/forgetting/ewc.ts (keepWeights)',
        state: 'kept',
      },
      { of: 'Sokar: the score of a dormant unit', ours: 'src/core/algos/extensions/forgetting/resets.ts (dormancy)', state: 'kept' },
      { of: 'Rolnick: rehearsal from a reservoir', ours: 'src/core/algos/extensions/forgetting/rehearsal.ts (batchOf)', state: 'kept' },
      {
        of: 'where a task ends',
        ours: 'src/core/algos/extensions/forgetting/loss-jump.ts (taskEnds)',
        state: 'changed',
        note: 'By jumps of the loss, our own.',
      },
      { of: 'one interface for parts of several authors', ours: '', state: 'left out', note: 'Switches of one method.' },
    ],
  },
  differs: [
    'four ways over ice in place of games of strategy',
    'DQN with 16 hidden units in place of PPO',
    'three parts that are switches of one method',
  ],
  found: {
    outcome: 'open',
    text: 'Three remedies together keep 0.54 more than none and learn later tasks worse; beside the best single remedy nothing shows.',
  },
  question:
    'Does a combination of parts against forgetting keep more of four tasks than none of them, and than any part alone, and learn them no worse?',
  idea: 'Each part was built for itself: one holds weights that mattered, one rehearses old steps, one frees units that do nothing, one finds where a task ends. Switched on together in one learner they may help each other or stand in each other’s way.',
  equation: 'kept = mean over tasks of (greedy return at the end of later blocks - the same at the end of the own block)',
  config: {
    v: 1,
    env: {
      id: 'frozen-lake',
      config: {
        map: TASKS[0]!,
        slippery: false,
        contexts: { list: TASKS.map((map) => ({ map })), order: { by: 'blocks', steps: BLOCK } },
      },
    },
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
    run: { steps: TASKS.length * BLOCK, evalEpisodes: 5 },
  },
  arms: [...arms, ...shown],
  quantity: { title: 'kept of earlier tasks, greedy', tasks: 'kept' },
  contrasts: [
    // ten points of a hundred, as the plan of this form said before any run
    { id: 'the combination keeps more', kind: 'difference', arm: CHOSEN, over: 'plain', claim: 'above', size: 0.1 },
    {
      id: 'and learns no worse',
      kind: 'difference',
      arm: `${CHOSEN}-learned`,
      over: 'plain-learned',
      claim: 'above',
      none: -0.05,
      middle: 'mean',
    },
    {
      id: 'more than any part alone',
      kind: 'cells',
      cells: [[CHOSEN, 'penalty', 'rehearsal', 'resets']],
      of: 1,
      claim: 'above',
      size: 0.1,
    },
  ],
  scale: { better: 'more' },
  leftOut: 'That parts of several authors fit one interface is not tested: the three are switches of one method.',
  firstSeed: 3001,
  tunedOn: [801, 905],
  quick: { run: { evalEpisodes: 2 }, seeds: 2 },
  scaledDown:
    'DQN with 16 hidden units and a buffer of 500 transitions on four ways over ice that share no cell, 16,000 steps each; the learner’s settings are those of the lesson “Does it forget?”. No arm is given the task or its borders: the penalty and the resets act where the loss jumps. All eight combinations of the three parts run, with as many tries each; the one that is judged was named before the runs. Rehearsal is held at 60 transitions in all arms, since 250 alone lose nothing and leave no room. Tasks in turn in place of blocks, and experts of one task, are not run. It found, of a hundred points: the combination loses 22 of what it had learned where plain training loses 73, but learns 86 in place of 99, and no more is seen to be kept than by the penalty alone. What holds weights costs new tasks; rehearsal costs none and keeps nearly as much; resets alone keep nothing.',
  dishonest: 'The best of eight combinations chosen on the seeds that are reported; a task’s name or its borders for some arms only.',
  next: 'Switch one part off and look which task is lost first; or give the borders (no jump) and see what finding them costs.',
});
