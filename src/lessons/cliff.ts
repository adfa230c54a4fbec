/** Q-learning and SARSA on one map: what a method learns depends on whose future it counts. Figures: measured with ten seeds. */
import { defineLesson } from './define.ts';

/** Three rows between two cliffs: here SARSA trains worse. */
export const CORRIDOR = ['CCCCCCCCCC', '..........', 'S........G', '..........', 'CCCCCCCCCC'];

export const cliff = defineLesson({
  id: 'cliff',
  version: 2,
  title: 'Two walkers, one cliff',
  goal: 'What a method learns depends on whose future it counts.',
  belief: 'The training curve shows how good the policy is; on-policy and off-policy is jargon.',
  minutes: [15, 20],
  age: '14 and older',
  config: {
    env: { id: 'cliff-walking' },
    algo: { id: 'q-learning', config: { alpha: 0.5, gamma: 1, epsilon: 0.1 } },
    run: { steps: 30_000, seeds: 10 },
  },
  steps: [
    {
      title: 'Walk it',
      say: 'From the ring to the green goal, along the cliff: a step costs 1, a fall costs 100 and starts again. Walk once by hand. What if a friend nudged you at every tenth step?',
      show: [],
      play: true,
    },
    {
      title: 'Two ways to learn',
      say: 'Both agents step at random once in ten steps. Q-learning counts the best next step; SARSA counts the step it will really take, random ones included.',
      show: [],
      predict: {
        kind: 'choice',
        ask: 'Which paths do they learn?',
        options: [
          'both along the edge',
          'Q-learning along the edge, SARSA further away',
          'SARSA along the edge, Q-learning further away',
          'both far from the edge',
        ],
      },
      arms: [
        {
          label: 'Q-learning',
          config: {},
          expect: [
            { measure: 'finalReturn', of: 'mean', min: -64, max: -38 },
            { measure: 'evalReturn', of: 'each', min: -13, max: -13 },
          ],
        },
        {
          label: 'SARSA',
          config: { algo: { id: 'sarsa' } },
          expect: [
            { measure: 'finalReturn', of: 'mean', min: -34, max: -22 },
            { measure: 'evalReturn', of: 7, min: -19, max: -15 },
          ],
        },
      ],
      surprise: 'SARSA earns more while it learns, and its path is longer. Which of the two is better?',
    },
    {
      title: 'See what they estimate',
      say: 'The colours are values, the arrows the best step. Compare the row above the cliff for both: the buttons in the table choose which one is shown.',
      show: [],
      overlays: ['values', 'policy'],
      again: true,
    },
    {
      title: 'More exploring',
      say: 'Now three steps in ten are random.',
      show: [],
      predict: {
        kind: 'number',
        ask: 'What does Q-learning earn per episode while it learns?',
        unit: 'return',
        min: -300,
        max: 0,
        answer: { arm: 0 },
      },
      arms: [
        {
          label: 'Q-learning, epsilon 0.3',
          config: { algo: { config: { epsilon: 0.3 } } },
          expect: [{ measure: 'finalReturn', of: 'mean', min: -170, max: -105 }],
        },
        {
          label: 'SARSA, epsilon 0.3',
          config: { algo: { id: 'sarsa', config: { epsilon: 0.3 } } },
          expect: [{ measure: 'finalReturn', of: 'mean', min: -80, max: -45 }],
        },
      ],
    },
    {
      title: 'Draw a map',
      say: 'On the map so far SARSA earns more while it learns. Draw a map on which it earns less, by at least 5: it exists. Both methods are trained on your map.',
      show: ['env.map'],
      overlays: ['policy'],
      own: [
        { label: 'SARSA on my map', config: { algo: { id: 'sarsa' } } },
        { label: 'Q-learning on my map', config: {} },
      ],
      check: {
        say: 'SARSA earns at least 5 less than Q-learning while it learns on your map',
        measure: 'finalReturn',
        of: 'mean',
        than: 'Q-learning on my map',
        max: -5,
      },
    },
  ],
  plan: [
    '4 min, step 1, then once more with a friend who nudges you at every tenth step: did you keep away from the edge?',
    '6 min, step 2: predict, run. Ask who is better before anybody opens step 3.',
    '6 min, steps 3 and 4: the row above the cliff in both maps; then the numbers at epsilon 0.3.',
    '10 min, step 5: own maps. Where must the cliff lie so that keeping away from it costs more than falling? Maps that differ are worth more than one that is best.',
    '4 min, the board: put one map on the wall and let its author say why SARSA loses on it.',
  ],
  teacher: [
    'Greedy play of SARSA walks in a circle on one seed of ten: values of steps it never tried are not put right. It is worth a talk.',
    `A map where SARSA trains worse: ${CORRIDOR.join(' / ')} (-27 against -15).`,
    'With exploring that fades to 0, SARSA keeps the way it learned.',
    'Curves are flat from 5,000 steps (Q-learning) and 10,000 steps (SARSA).',
  ],
  extend: 'Slippery ground: every step may slide. Which path is safe now?',
});
