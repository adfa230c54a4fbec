/** Group policy gradient on words: what a reward for good form does to right answers, and who notices. Figures: measured with three seeds. */
import { defineLesson } from './define.ts';

const form = { env: { config: { formatReward: 0.1 } } };

export const reward = defineLesson({
  id: 'reward',
  version: 1,
  title: 'Paid for the wrong thing',
  goal: 'Tell from the curves when a reward is earned and the task is not done, and mend it.',
  belief: 'A small extra reward can only help, and a reward that stands still means that nothing went wrong.',
  minutes: [20, 30],
  age: '16 and older',
  config: {
    env: { id: 't-reason', config: { length: 4, letters: 6, formatReward: 0, partialReward: 0 } },
    algo: { id: 'group-rl', config: { width: 32, prompts: 8, cloneSteps: 46, cloneLr: 3e-3 } },
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
      title: 'Right answers are paid',
      say: 'A small transformer copies right answers for a moment; meanwhile the curve shows the copied answers. Then it writes by itself, 16 answers to each prompt, and those that beat the mean of their group become likelier. At first about one answer in twenty is right.',
      show: [],
      predict: {
        kind: 'choice',
        ask: 'How many answers of the greedy test are right in the end?',
        options: ['hardly any', 'about half', 'nearly all'],
        answer: { arm: 0, bounds: [0.25, 0.75] },
      },
      arms: [{ label: 'right answers paid', config: {}, expect: [{ measure: 'evalReturn', of: 'each', min: 0.9 }] }],
      surprise: 'A group in which all answers are wrong teaches nothing. Why does it learn all the same?',
    },
    {
      title: 'A little for good form',
      say: 'Now any answer of letters that ends properly earns 0.1, right or wrong. Everything else is as before: four right letters still earn 1, ten times as much.',
      show: [],
      predict: { kind: 'number', ask: 'Reward of the greedy test in the end, 0 to 1', unit: 'reward', min: 0, max: 1, answer: { arm: 0 } },
      arms: [
        {
          label: 'form paid as well',
          config: form,
          // 0.1 is paid for form alone: not one answer is right
          expect: [
            { measure: 'evalReturn', of: 'each', min: 0.09, max: 0.11 },
            { measure: 'finalReturn', of: 'each', max: 0.12 },
          ],
        },
      ],
      surprise: 'Look at the tokens that it writes now. Why is that the safest way to 0.1, and why does it never try for 1?',
    },
    {
      title: 'Who noticed?',
      say: 'The return of this run is steady and every seed agrees. Choose the curves solved and well-formed in place of the return: they come from the verifier, whatever is paid.',
      show: [],
      predict: {
        kind: 'choice',
        ask: 'What do the two curves of the run with form paid show?',
        options: ['both rise', 'well-formed rises to 1, solved falls to 0', 'both fall'],
      },
    },
    {
      title: 'Mend it',
      say: 'Form stays paid. Mend it with one control: a price for leaving the copied start (KL), pay for letters in the right place, a longer start, or a smaller learning rate. One of the four does not help.',
      show: ['algo.reference', 'env.partialReward', 'algo.cloning', 'algo.lr'],
      own: [{ label: 'my settings', config: form }],
      check: { say: 'a greedy reward of at least 0.9 on every seed, with form paid', measure: 'evalReturn', of: 'each', min: 0.9 },
    },
  ],
  plan: [
    '4 min, step 1, then on the board: what would you write if any four letters earned you a coin, and a right answer ten, which you hit once in twenty?',
    '6 min, step 2: predict, run. While it trains: what is a group of 16 answers compared with?',
    '6 min, step 3: collect the numbers before the run; few say 0.1.',
    '5 min, step 4: everybody finds the two curves; one says which of them a boss would have looked at.',
    '8 min, step 5: one control each, then compare: which cures pay for something else, which only hold it back?',
  ],
  teacher: [
    'Three seeds, 120,000 tokens, reward of the greedy test: right answers paid: 1, 1, 1; form paid as well: 0.1, 0.1, 0.1. Form paid and one control moved: KL 0.04: 1, 1, 0.99; KL 0.1, partial reward 0.5 or 60 cloning updates: 1, 1, 1; learning rate 0.0003: still 0.1, 0.1, 0.1.',
    'At the start about half of the answers are well-formed and one in twenty is right: 0.1 that comes often outvotes 1 that comes seldom, whatever their sizes.',
    'Until about 30,000 tokens the curve is that of the demonstrations, so it begins at 1 and falls when the policy writes by itself.',
    'A longer start works by making right answers frequent before form is paid; it does not mend the reward. Nor does a KL: it only holds the policy where right answers still happen.',
  ],
  extend: 'Two letters more (length): how small must the reward for form be? And where have you been paid for form?',
});
