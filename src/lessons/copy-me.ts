/** Cloning by hand and by script: what a copy repeats, what it leaves out, and where it has to guess. Figures: measured with five seeds. */
import { defineLesson } from './define.ts';

export const copyMe = defineLesson({
  id: 'copy-me',
  version: 1,
  title: 'Copy me',
  goal: 'A copy does what it was shown; where nothing was shown it guesses, and a correction there is worth more than another game.',
  belief: 'A copy is at best as good as its model, and more of the same makes it better.',
  minutes: [20, 30],
  age: '12 and older',
  config: {
    env: { id: 'cartpole' },
    algo: { id: 'behaviour-cloning', config: { hidden: [64, 64], batchSize: 64, lr: 1e-3, recordSteps: 3000 } },
    run: { steps: 1000, seeds: 5 },
  },
  steps: [
    {
      title: 'Teach it yourself',
      say: 'Keep the pole up for a few games, with the arrow keys. Have it copied and watch. Where it errs, take over; then have it copied again.',
      show: [],
      view: 'teach',
    },
    {
      title: 'A model who errs',
      say: 'A script can keep the pole up to the end, 500 steps. This one presses at random in more than half of all steps, and mostly falls. An agent copies what it did.',
      show: [],
      predict: { kind: 'number', ask: 'How long does the copy keep the pole up?', unit: 'steps', min: 0, max: 500, answer: { arm: 0 } },
      arms: [
        {
          label: 'copy of a model who errs',
          config: { algo: { config: { dataset: 'medium', errors: 0.6 } } },
          expect: [{ measure: 'evalReturn', of: 'mean', min: 350 }],
        },
      ],
      surprise: 'The copy is better than its model. Which of its presses did it not learn?',
    },
    {
      title: 'A random demonstrator',
      say: 'Now every press of the demonstrator is random, and the pole falls after some 20 steps.',
      show: [],
      predict: {
        kind: 'choice',
        ask: 'How long does the copy of all these games keep it up?',
        options: ['about as long', 'some 100 steps', 'to the end'],
        answer: { arm: 0, bounds: [60, 300] },
      },
      arms: [
        {
          label: 'copy of chance',
          config: { algo: { config: { dataset: 'random' } } },
          expect: [{ measure: 'evalReturn', of: 'mean', max: 80 }],
        },
      ],
    },
    {
      title: 'Copy the luckiest',
      say: 'Some of these games lasted longer by luck. Choose how many of the best games are copied, and reach 100 steps.',
      show: ['algo.share'],
      own: [{ label: 'copy of the luckiest', config: { algo: { config: { dataset: 'random' } } } }],
      check: { say: 'a greedy return of at least 100 as the mean over seeds', measure: 'evalReturn', of: 'mean', min: 100 },
    },
  ],
  plan: [
    '10 min, step 1, in pairs: one plays, one watches the copy and says where it errs. Then they change places.',
    '5 min, step 2: predict, run. The errors point nowhere; what is left of them is the rule.',
    '4 min, step 3: chance has no rule to copy.',
    '6 min, step 4: luck can be chosen. Too few games are a problem again: find the best share.',
  ],
  teacher: [
    'In step 1 the returns of the player and of every copy stand side by side; corrections count from the next copy on.',
    'The best tenth of chance gives copies of 150 to 500 steps; all of it gives 10 to 40.',
    'What was played stays on the machine, and can be deleted on the page Data.',
  ],
  extend: 'The same on slippery ice (frozen lake): where does chance take the copy that you never were?',
});
