/** Exploring buys information, and how much of it is a choice. Figures: measured with ten seeds. */
import { type Arm, defineLesson, type Expectation } from './define.ts';

const ends = (min: number, max: number): readonly Expectation[] => [{ measure: 'finalReturn', of: 'mean', min, max }];
const exploring = (epsilon: number, expect: readonly Expectation[]): Arm => ({
  label: `epsilon ${epsilon}`,
  config: { algo: { config: { epsilon } } },
  expect,
});

export const bandit = defineLesson({
  id: 'bandit',
  version: 1,
  title: 'The lever nobody pulled',
  goal: 'Exploring buys information; how much of it to buy is a choice.',
  belief: 'The best lever so far is the best lever; a little luck always suffices.',
  minutes: [15, 20],
  age: '12 and older',
  config: {
    env: { id: 'bandit' },
    algo: { id: 'q-learning', config: { alpha: 0.1, epsilon: 0.1, decay: { kind: 'linear', epsilonFinal: null } } },
    run: { steps: 2000, seeds: 10 },
  },
  steps: [
    {
      title: 'Play it',
      say: 'Eleven levers, each pays its own amount every time. Pull fifteen times with the number keys. Which lever is best, and are you sure?',
      show: [],
      hidePayouts: true,
      play: true,
    },
    {
      title: 'Never try anything new',
      say: 'The agent always pulls the lever with the highest estimate. All estimates start at 0, so it pulls the first. The best lever pays 1.',
      show: [],
      hidePayouts: true,
      predict: {
        kind: 'choice',
        ask: 'What does it earn per pull after 2,000 pulls without exploring?',
        options: ['less than 0.25', 'about 0.5', 'about 0.75', 'almost 1'],
        answer: { arm: 0, bounds: [0.375, 0.625, 0.875] },
      },
      arms: [exploring(0, [{ measure: 'finalReturn', of: 'each', min: 0.499, max: 0.501 }])],
    },
    {
      title: 'How much exploring?',
      say: 'Epsilon is the share of pulls at random. Sketch what the agent earns for each, then run all five.',
      show: [],
      hidePayouts: true,
      predict: {
        kind: 'sketch',
        ask: 'Pay per pull at the end, for each epsilon',
        x: ['0', '0.01', '0.1', '0.3', '1'],
        y: 'pay per pull',
        min: 0,
        max: 1,
      },
      arms: [
        exploring(0, ends(0.499, 0.501)),
        exploring(0.01, ends(0.45, 0.65)),
        exploring(0.1, ends(0.93, 0.98)),
        exploring(0.3, ends(0.83, 0.9)),
        exploring(1, ends(0.45, 0.55)),
      ],
      surprise: 'Which of the five differs most from your line? What did the agent know at the end that it did not use?',
    },
    {
      title: 'Optimistic start',
      say: 'Back to no exploring. This time every estimate starts at 2, more than any lever pays, so each lever is tried until its estimate has fallen. The bars now show what each really pays.',
      show: [],
      predict: {
        kind: 'choice',
        ask: 'Does it find the best lever without a single random pull?',
        options: ['yes, on every seed', 'on about half of the seeds', 'no'],
        answer: { arm: 0, reach: 0.99, bounds: [1, 0.25] },
      },
      arms: [
        {
          label: 'initial value 2',
          config: { algo: { config: { epsilon: 0, initialValue: 2 } } },
          expect: [{ measure: 'finalReturn', of: 'each', min: 0.99 }],
        },
      ],
    },
    {
      title: 'Your own settings',
      say: 'Find settings that earn at least 0.95 per pull on every one of ten seeds. Epsilon 0.1 misses it on some.',
      show: ['algo.epsilon', 'algo.decay.epsilonFinal', 'algo.decay.episodes', 'algo.alpha', 'algo.initialValue'],
      own: [{ label: 'my settings', config: {} }],
      check: { say: 'at least 0.95 per pull on every seed', measure: 'finalReturn', of: 'each', min: 0.95 },
    },
  ],
  plan: [
    '3 min, screens closed: three paper cups with coins; one pull a pupil, the class says when it would stop.',
    "8 min, steps 1 to 3: everybody predicts before the run. Collect the sketches' tallest place by show of hands.",
    '4 min, screens closed: “At epsilon 1 it knows everything. Why does it earn so little?”',
    '8 min, steps 4 and 5; who has reached the goal looks for a second way.',
    '5 min, the board: which settings reached it? Most are of two kinds: fading exploration, or high hopes at the start.',
  ],
  teacher: [
    'At epsilon 1 the agent knows everything (its greedy test earns 1) and uses none of it.',
    'The pay has no noise here, so a step size of 1 is right. Ask when it would be wrong.',
    'Epsilon from 1 to 0 within 500 pulls with step size 0.5 earns 1 on every seed.',
  ],
  extend: 'Deep sea: the treasure lies behind ten right moves. Why does random exploring fail there?',
});
