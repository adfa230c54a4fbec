/** Group policy gradient on words: what an answer is compared with, and when a group teaches nothing. Figures: measured with three seeds. */
import { defineLesson } from './define.ts';

const nothingCopied = { algo: { config: { cloning: 'off' } } };

export const group = defineLesson({
  id: 'group',
  version: 1,
  title: 'What does GRPO compare?',
  goal: 'Say what an answer is compared with, and when a group of answers teaches nothing.',
  belief: 'An answer is learned from because it is good, and a larger group always teaches more.',
  minutes: [20, 30],
  age: '16 and older',
  config: {
    env: { id: 't-reason', config: { length: 4, letters: 6, formatReward: 0, partialReward: 0 } },
    algo: { id: 'group-rl', config: { width: 32, prompts: 8, cloning: { kind: 'on', steps: 46, lr: 3e-3 } } },
    run: { steps: 120_000, seeds: 3, evalEpisodes: 100 },
  },
  curves: 'all',
  steps: [
    {
      title: 'Write it backwards',
      say: 'The prompt r:abcd= asks for its letters from the last to the first, then the end (Enter). Write two or three. A program checks every letter: only a wholly right answer earns 1.',
      show: [],
      play: true,
    },
    {
      title: 'Sixteen answers to one prompt',
      say: 'A small transformer copies right answers for a moment, then it writes sixteen answers to each prompt. The bars show the comparison: an answer that earns more than the mean of its group becomes likelier. Hold these answers while it trains: each says how probable it was and is.',
      show: [],
      group: true,
      predict: {
        kind: 'choice',
        ask: 'Two of sixteen answers are right. Which are pushed hardest?',
        options: ['each of the two right ones', 'each of the fourteen wrong ones', 'all alike'],
      },
      arms: [{ label: 'sixteen answers each', config: {}, expect: [{ measure: 'evalReturn', of: 'each', min: 0.9 }] }],
      surprise:
        'The right ones are pushed up as much as the wrong ones are pushed down, all together. How much is that for each of two, and for each of fourteen?',
    },
    {
      title: 'In pairs',
      say: 'As many answers for an update as before, 128: now two to each of 64 prompts in place of sixteen to each of eight.',
      show: [],
      group: true,
      predict: {
        kind: 'choice',
        ask: 'How many answers of the greedy test are right in the end?',
        options: ['hardly any', 'about half', 'nearly all'],
        answer: { arm: 0, bounds: [0.25, 0.75] },
      },
      arms: [
        {
          label: 'two answers each',
          config: { algo: { config: { group: 2, prompts: 64 } } },
          expect: [{ measure: 'evalReturn', of: 'each', min: 0.9 }],
        },
      ],
      surprise: 'At first nearly every pair is wrong twice and teaches nothing. Why does it learn all the same?',
    },
    {
      title: 'Compared with nothing',
      say: 'Sixteen answers again, but nothing is subtracted: a right answer counts 1, a wrong one 0. No answer is pushed down any more.',
      show: [],
      group: true,
      predict: {
        kind: 'choice',
        ask: 'How many answers of the greedy test are right in the end?',
        options: ['hardly any', 'about half', 'nearly all'],
        answer: { arm: 0, bounds: [0.25, 0.75] },
      },
      arms: [
        {
          label: 'no comparison',
          config: { algo: { config: { baseline: 'none', scale: 'none' } } },
          expect: [{ measure: 'evalReturn', of: 'each', min: 0.9 }],
        },
      ],
      surprise: 'It copies its own right answers, and here that is enough. What would happen if every answer earned at least 1?',
    },
    {
      title: 'Nobody is right',
      say: 'Nothing is copied now: it begins from random weights. Only a wholly right answer is paid, as before.',
      show: [],
      group: true,
      predict: { kind: 'number', ask: 'Reward of the greedy test in the end, 0 to 1', unit: 'reward', min: 0, max: 1, answer: { arm: 0 } },
      arms: [{ label: 'no copied start', config: nothingCopied, expect: [{ measure: 'evalReturn', of: 'each', max: 0.05 }] }],
      surprise:
        'All sixteen are paid alike, so no bar is longer than 0. What does the curve named share that teaches say of the other runs?',
    },
    {
      title: 'Make it begin',
      say: 'It still begins from random weights. One of these controls makes some answers of a group better paid than others soon enough; try what you think of first.',
      show: ['algo.group', 'algo.entropyCoef', 'env.partialReward', 'algo.cloning'],
      group: true,
      own: [{ label: 'my settings', config: nothingCopied }],
      check: { say: 'a greedy reward of at least 0.9 on every seed', measure: 'evalReturn', of: 'each', min: 0.9 },
    },
  ],
  plan: [
    '4 min, step 1, then on the board: sixteen pupils answer, two are right. Whom do you tell to go on like that, and how loudly?',
    '7 min, step 2: predict, run, hold the answers. Let one pupil read a row aloud: tokens, reward, advantage, then and now.',
    '6 min, steps 3 and 4: collect the predictions before each run; few say nearly all.',
    '5 min, step 5: everybody looks at the bars and at the share that teaches.',
    '8 min, step 6: one control each, then compare which of them made answers differ.',
  ],
  teacher: [
    'Three seeds, 120,000 tokens, reward of the greedy test: sixteen answers each: 1, 1, 1; two answers each: 1, 1, 1; no comparison: 1, 1, 1; no copied start: 0, 0, 0. The last answers while exploring: 0.97, 0.93, 0.9; 0.93, 0.86, 0.86; 0.99, 0.93, 0.98; 0, 0, 0.',
    'With mean 2/16 a right answer is 7/8 above it and a wrong one 1/8 below: seven times as far.',
    'With nothing subtracted every right answer is pushed up and no wrong one down. That works as long as wrong answers earn 0; where all earn something, all become likelier.',
    'Of the last step only a copied start helps within 120,000 tokens: larger groups, an entropy bonus and a partial reward of 0.5 stayed at 0 on all three seeds.',
  ],
  extend: 'Switch the method above the answers to Dr. GRPO and to RLOO: which bars change, and for which answers?',
});
