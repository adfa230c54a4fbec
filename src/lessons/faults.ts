/** DQN on the pole, broken one thing at a time: which fault shows where, and how it is mended. Figures: measured with five seeds. */
import { type Arm, defineLesson, type Expectation } from './define.ts';

/** A small network that learns within seconds. */
const settings = {
  lr: 0.001,
  learningStarts: 1000,
  trainEvery: 4,
  targetEvery: 250,
  batchSize: 64,
  bufferSize: 20_000,
  epsilonFraction: 0.3,
  hidden: [64, 64],
};
const dqn = (label: string, config: { readonly [name: string]: number }, expect?: readonly Expectation[]): Arm => ({
  label,
  config: { algo: { config } },
  ...(expect !== undefined && { expect }),
});

export const faults = defineLesson({
  id: 'faults',
  version: 1,
  title: 'What is wrong with this run?',
  goal: 'Tell a fault from its traces: the curve, the greedy test, the values.',
  belief: 'A low curve means that nothing was learned; one look at the return names the fault.',
  minutes: [25, 35],
  age: '16 and older',
  config: { env: { id: 'cartpole' }, algo: { id: 'dqn', config: settings }, run: { steps: 20_000, seeds: 5 } },
  curves: 'all',
  steps: [
    {
      title: 'A healthy run',
      say: 'DQN learns what each push is worth. A second network, copied every 250 steps, says what follows. Sketch the return, then train once and look at the other curves too.',
      show: [],
      predict: { kind: 'sketch', ask: 'The curve', x: ['0', '5,000', '10,000', '20,000'], y: 'return', min: 0, max: 500 },
      arms: [
        dqn('as it is', {}, [
          { measure: 'finalReturn', of: 'each', min: 130 },
          { measure: 'evalReturn', of: 4, min: 180 },
        ]),
      ],
    },
    {
      title: 'Never copied',
      say: 'The second network stays as it was at the start. Every target is the next reward and a guess of a network that knows nothing.',
      show: [],
      predict: {
        kind: 'choice',
        ask: 'What does the return do?',
        options: ['it rises more slowly', 'it stays as it was', 'it falls below where it began'],
      },
      arms: [
        dqn('a copy every 1,000,000 steps', { targetEvery: 1_000_000 }, [
          { measure: 'finalReturn', of: 'each', max: 18 },
          { measure: 'evalReturn', of: 'each', max: 40 },
        ]),
      ],
      surprise:
        'It ends worse than random pushes, which hold the pole for some 22 steps. Where did it learn that? Look at the curve of mean Q.',
    },
    {
      title: 'A memory of 100 steps',
      say: 'It replays from the last 100 steps instead of 20,000. Books say that old experience keeps learning steady.',
      show: [],
      predict: {
        kind: 'choice',
        ask: 'How much of the healthy return is left?',
        options: ['almost nothing', 'about a third', 'more than half'],
      },
      arms: [dqn('buffer of 100', { bufferSize: 100 }, [{ measure: 'finalReturn', of: 'mean', min: 85 }])],
      surprise: 'A fault in the books, and the mean hardly says so. What do the lines of the single seeds say?',
    },
    {
      title: 'A low curve',
      say: 'This time exploration never fades: every action stays random.',
      show: [],
      predict: {
        kind: 'choice',
        ask: 'The curve stays near 20. What does the greedy test reach?',
        options: ['about 20 too', 'about 80', 'more than 150'],
        answer: { arm: 0, measure: 'evalReturn', bounds: [50, 115] },
      },
      arms: [
        dqn('epsilon stays 1', { epsilonEnd: 1 }, [
          { measure: 'finalReturn', of: 'each', max: 30 },
          { measure: 'evalReturn', of: 'each', min: 150 },
        ]),
      ],
      surprise: 'Nothing was wrong with the learner. Which of the two numbers would you have looked at?',
    },
    {
      title: 'First patient',
      say: 'One of these settings is wrong. Name the fault from its curves first, then mend it.',
      show: ['algo.lr', 'algo.targetEvery', 'algo.epsilonEnd'],
      arms: [dqn('the patient', { lr: 0.1 }, [{ measure: 'evalReturn', of: 'each', max: 90 }])],
      own: [dqn('mended', { lr: 0.1 })],
      check: { say: 'a greedy return of at least 150 on 4 of 5 seeds', measure: 'evalReturn', of: 4, min: 150 },
    },
    {
      title: 'Second patient',
      say: 'Another one, with another fault. Again: name it, then move one control.',
      show: ['algo.lr', 'algo.targetEvery', 'algo.gamma'],
      arms: [
        dqn('the patient', { gamma: 0 }, [
          { measure: 'finalReturn', of: 'each', max: 30 },
          { measure: 'evalReturn', of: 'each', max: 60 },
        ]),
      ],
      own: [dqn('mended', { gamma: 0 })],
      check: { say: 'a greedy return of at least 150 on 4 of 5 seeds', measure: 'evalReturn', of: 4, min: 150 },
    },
  ],
  plan: [
    '5 min, step 1: a sketch each; say what the other curves are.',
    '6 min, step 2: never copied. Let the class explain why it ends below random.',
    '8 min, steps 3 and 4: one fault that hardly shows in the mean, one curve that lies.',
    '10 min, the patients: the fault is said aloud before a control moves.',
    '4 min, in the laboratory: open a patient there and compare with what the page itself says is wrong.',
  ],
  teacher: [
    'Five seeds, 20,000 steps, return of the last episodes and greedy test: healthy: 167 to 181 and 213 to 301; never copied: 10 to 14 and 9 to 24; buffer of 100: 40 to 154 and 130 to 311; epsilon 1: 20 to 23 and 219 to 245; learning rate 0.1: 10 to 76 and 9 to 52; discount 0: 16 to 22 and 11 to 33.',
    'With a discount of 0 every push is worth 1 until the pole falls: the values are right and useless.',
    'The page names a target that is never copied by itself, with the number of copies. Of a learning rate that is too large for DQN it says nothing while the values stay possible: that one is for the pupils.',
  ],
  extend: 'The same faults with PPO (learning rate 0.1 in the settings of RL Zoo); two faults at once.',
});
