/** DQN on two ways over ice, one after the other: what is not met any more is overwritten. Figures: measured with ten seeds. */
import { defineLesson } from './define.ts';

const UPPER = ['SFFFFFG', 'HHHHHHH', 'FFFFFFF'];
const LOWER = ['FFFFFFF', 'HHHHHHH', 'GFFFFFS'];

/** Steps of a block: on every seed the first task is learned at its end. */
const BLOCK = 16_000;

export const forgets = defineLesson({
  id: 'forgets',
  version: 2,
  title: 'Does it forget?',
  goal: 'What a network learns today is written over what it learned yesterday, unless yesterday is still among its examples.',
  belief: 'What was learned once stays learned; other places need other knowledge, so they cannot harm it.',
  minutes: [20, 25],
  age: '15 and older',
  config: {
    env: {
      id: 'frozen-lake',
      config: {
        map: UPPER,
        slippery: false,
        contexts: { list: [{ map: UPPER }, { map: LOWER }], order: { by: 'blocks', steps: BLOCK } },
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
    run: { steps: 2 * BLOCK, seeds: 5, evalEpisodes: 20 },
  },
  steps: [
    {
      title: 'Two tasks',
      say: 'The first task: from S along the upper row to G. The second, on the same lake: along the lower row, from right to left. Between them lies a row of holes. Walk the first one.',
      show: [],
      play: true,
    },
    {
      title: 'One after the other',
      say: 'A small network learns the first task for 16,000 steps, then the second for as many. It sees its cell only, not which task it is. It never meets a cell of the upper row again.',
      show: [],
      predict: {
        kind: 'choice',
        ask: 'At the end it plays both tasks. Which can it do?',
        options: ['both', 'only the first', 'only the second', 'neither'],
      },
      arms: [{ label: 'one after the other', config: {}, expect: [{ measure: 'evalReturn', of: 4, max: 0.6 }] }],
      surprise: 'After the first block it walked the upper row without a fault. No step was taken there since. What changed its actions?',
    },
    {
      title: 'What it would do now',
      say: 'The arrows are its best actions. In the lower row they point to the goal. Find the cell of the upper row whose arrow has turned: one is enough to lose the whole way.',
      show: [],
      overlays: ['values', 'policy'],
    },
    {
      title: 'In turns',
      say: 'The same steps, but the task changes with every episode.',
      show: [],
      predict: {
        kind: 'number',
        ask: 'In how many of 100 episodes does it now reach the goal?',
        unit: 'episodes',
        min: 0,
        max: 100,
        answer: { arm: 0, times: 100 },
      },
      arms: [
        {
          label: 'in turns',
          config: { env: { config: { contexts: { order: { by: 'turns' } } } } },
          expect: [{ measure: 'evalReturn', of: 'each', min: 1 }],
        },
      ],
      overlays: ['policy'],
    },
    {
      title: 'Let it remember',
      say: 'One after the other again, and now it is told which task it is in. It learns from the last 500 steps that it kept; older ones are dropped. Change how many it keeps, or another setting, until it can do both tasks.',
      show: ['algo.forgetting', 'algo.bufferSize', 'algo.lr', 'algo.hidden'],
      own: [{ label: 'my settings', config: { env: { config: { contexts: { tell: true } } } } }],
      check: { say: 'every episode of both tasks reaches the goal, on all 5 seeds', measure: 'evalReturn', of: 'each', min: 1 },
    },
  ],
  plan: [
    '3 min, step 1: walk it. Ask whether somebody who learns the second way can lose the first.',
    '6 min, step 2: predict, run. In the training panel stands the return of each task after each block.',
    '4 min, step 3: the arrows. Which part of the network do both rows share?',
    '5 min, step 4: in turns. Why does the order matter when the steps are the same?',
    '6 min, step 5: how much must be kept? Let groups try different sizes and put them on the board.',
  ],
  teacher: [
    'How many of ten seeds can do both tasks at the end: with 500 steps kept, 1; in turns, 10. In the last step, of twenty: with 500 steps kept, 4; with 2,000, 19; with all 32,000, 20; with 500 and heads, 16; EWC or online EWC, 18; packed masks, rehearsal or several remedies, 20. All can do the first task after the first block.',
    'A score near 0.5 means one of the two tasks: both are drawn equally often.',
    'Cells have weights of their own in the first layer, which the second task never changes. The layer behind it is shared: that is where the first task is lost.',
  ],
  extend: 'A table has no shared part. Train Q-learning on rows of five cells, one after the other: does it forget?',
});
