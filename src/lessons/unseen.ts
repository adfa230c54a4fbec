/** Plain Q-learning and CQL on recorded walks along a cliff: values of what was never recorded. Figures: measured with five seeds. */
import { defineLesson } from './define.ts';

export const unseen = defineLesson({
  id: 'unseen',
  version: 1,
  title: 'What the data never showed',
  goal: 'The value of an action that was never tried is a guess; the highest of many guesses is the most overestimated one.',
  belief: 'More updates on the same recording make a method surer and better.',
  minutes: [20, 25],
  age: '15 and older',
  config: {
    env: { id: 'cliff-walking' },
    algo: {
      id: 'cql',
      config: { dataset: 'expert', alpha: 0, recordSteps: 1000, hidden: [32], batchSize: 64, lr: 3e-3, tau: 0.02, fitted: false },
    },
    run: { steps: 3000, seeds: 5 },
  },
  steps: [
    {
      title: 'A recording',
      say: 'From the ring to the green goal, along the cliff: a step costs 1, a fall 100. Walk it once. A script walked it 77 times, always the same 13 steps; that is all that is recorded.',
      show: [],
      play: true,
    },
    {
      title: 'Learn from the recording alone',
      say: 'Q-learning learns from these steps, 3,000 updates, and never takes one itself. It knows the reward of every step on the path.',
      show: [],
      predict: {
        kind: 'choice',
        ask: 'What does it do when it walks?',
        options: ['the same 13 steps', 'a shorter way', 'the safe way further up', 'it does not arrive'],
      },
      arms: [{ label: 'plain Q-learning', config: {}, expect: [{ measure: 'evalReturn', of: 'each', max: -900 }] }],
      surprise: 'It has seen nothing but perfect walks. Where did it get the idea to leave them?',
    },
    {
      title: 'Its value estimates',
      say: 'Colours are values, arrows the best action. Cells that were never visited have values too: guesses. In the cells of the path three of four actions are guesses, and the highest one wins.',
      show: [],
      overlays: ['values', 'policy'],
    },
    {
      title: 'Doubt what was not seen',
      say: 'CQL pushes the values of all actions down, and those of the recorded ones up again. The conservative weight says how hard.',
      show: [],
      predict: { kind: 'number', ask: 'What does it earn per walk?', unit: 'return', min: -1000, max: 0, answer: { arm: 0 } },
      arms: [
        {
          label: 'conservative weight 1',
          config: { algo: { config: { alpha: 1 } } },
          expect: [{ measure: 'evalReturn', of: 'each', min: -13, max: -13 }],
        },
      ],
      overlays: ['values', 'policy'],
    },
    {
      title: 'Or show it more',
      say: 'The weight is 0 again. Choose another recording, and how long it is: what must it hold so that no doubt is needed? There are 10,000 updates now.',
      show: ['algo.dataset', 'algo.recordSteps'],
      overlays: ['values', 'policy'],
      own: [{ label: 'my recording', config: { run: { steps: 10_000 } } }],
      check: { say: 'the 13 steps on 3 of 5 seeds, without any doubt', measure: 'evalReturn', of: 3, min: -13 },
    },
  ],
  plan: [
    '3 min, step 1: walk it. Count with the class how many of the 48 cells the recording shows.',
    '6 min, step 2: predict, run. Nobody expects it; let the surprise stand.',
    '6 min, step 3: look for the cell where it leaves the path. What was never tried there?',
    '5 min, step 4: the same recording, and doubt.',
    '5 min, step 5: random, medium and expert play together show what not to do.',
  ],
  teacher: [
    'Plain Q-learning ends at -1,000, in circles or against the edge, or at -100,000, into the cliff at every step: a guess above -13 is enough.',
    'A conservative weight of 0.1 is enough for the 13 steps; 0.01 is not.',
    'Without doubt the mixed recording of 10,000 steps gives the 13 steps; expert and medium play do not, however long.',
  ],
  extend: 'CartPole, recorded by an expert: does plain Q-learning fail there too, and after how many updates?',
});
