/** PPO on the pole: read a curve, name the fault, mend it. Figures: measured with five seeds. */
import { defineLesson } from './define.ts';

export const cartpole = defineLesson({
  id: 'cartpole',
  version: 1,
  title: 'Break it, mend it',
  goal: 'Read a learning curve, name the fault, mend it.',
  belief: 'A larger learning rate breaks learning; more exploring never hurts; one number tells all.',
  minutes: [20, 30],
  age: '15 and older',
  config: { env: { id: 'cartpole' }, algo: { id: 'ppo', config: {} }, run: { steps: 50_000, seeds: 5 } },
  steps: [
    {
      title: 'Read a curve',
      say: 'Train once. One point is the time the pole stood, at most 500. Watch the line of each seed: where would you stop?',
      show: [],
      predict: { kind: 'sketch', ask: 'The curve', x: ['0', '10,000', '20,000', '50,000'], y: 'return', min: 0, max: 500 },
      arms: [{ label: 'as it is', config: {}, expect: [{ measure: 'evalReturn', of: 4, min: 300 }] }],
    },
    {
      title: 'Break it',
      say: 'Three changes: a learning rate a hundred times as large, a discount of 0 (only the next reward counts), an entropy coefficient of 1 (random actions are rewarded).',
      show: [],
      predict: {
        kind: 'choice',
        ask: 'Which of them spoils what is learned most?',
        options: ['learning rate x 100', 'discount 0', 'entropy coefficient 1'],
        answer: { least: true },
      },
      arms: [
        {
          label: 'learning rate x 100',
          config: { algo: { config: { lr: 0.025 } } },
          expect: [{ measure: 'finalReturn', of: 'mean', min: 150 }],
        },
        {
          label: 'discount 0',
          config: { algo: { config: { gamma: 0 } } },
          expect: [{ measure: 'finalReturn', of: 'each', max: 80 }],
        },
        {
          label: 'entropy coefficient 1',
          config: { algo: { config: { entropyCoef: 1 } } },
          expect: [{ measure: 'finalReturn', of: 'each', max: 110 }],
        },
      ],
      surprise: 'With entropy 1 the curve is low, yet the greedy test is high. Why does it balance when it is tested?',
    },
    {
      title: 'The doctor',
      say: 'This run is ill: it does not learn. Find the one control that is wrong, and mend it.',
      show: ['algo.lr', 'algo.gamma', 'algo.entropyCoef', 'algo.clip'],
      arms: [
        { label: 'the patient', config: { algo: { config: { lr: 0.00001 } } }, expect: [{ measure: 'finalReturn', of: 'each', max: 80 }] },
      ],
      own: [{ label: 'mended', config: { algo: { config: { lr: 0.00001 } } } }],
      check: { say: 'a greedy return of at least 300 on 4 of 5 seeds', measure: 'evalReturn', of: 4, min: 300 },
    },
    {
      title: 'Only 20,000 steps',
      say: 'As good as possible in 20,000 steps, on every one of five seeds. Any of these controls may move.',
      show: ['algo.lr', 'algo.gamma', 'algo.entropyCoef', 'algo.clip', 'algo.epochs'],
      own: [{ label: 'my settings', config: { run: { steps: 20_000 } } }],
      check: { say: 'a return of at least 170 at the end on every seed', measure: 'finalReturn', of: 'each', min: 170 },
    },
  ],
  plan: [
    '5 min, step 1: everybody sketches a curve; three sketches on the wall.',
    '8 min, step 2: three changes. The learning rate is the surprise; let it stand.',
    '6 min, step 3: the doctor. One control at a time, and say the fault aloud before mending it.',
    '8 min, step 4: 20,000 steps.',
    '5 min, the board: the setting with the largest spread over seeds. Would you rely on it?',
  ],
  teacher: [
    'At 20,000 steps, ten seeds: the defaults end at 59 to 77; learning rate 0.0025 at 175 to 191; 0.025 at 131 to 194, faster and less sure.',
    'A clip range of 5 with 20 epochs still learns: clipping is a belt, not the engine.',
    'A discount of 0 sees one step ahead: 20 to 47.',
  ],
  extend: 'The same faults with DQN; the same method on Acrobot.',
});
