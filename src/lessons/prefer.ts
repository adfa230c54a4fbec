/** A reward that nobody wrote down: learned from answers about pairs of moments. Figures: measured with three seeds. */
import { ZOO_PENDULUM } from '#contract/papers/published.ts';
import { defineLesson } from './define.ts';

export const prefer = defineLesson({
  id: 'prefer',
  version: 1,
  title: 'Which do you prefer?',
  goal: 'What is wanted can be learned from answers to "which of these two is better?"; the answers decide what is wanted.',
  belief: 'A machine needs a formula for what is good; more training makes up for bad answers.',
  minutes: [20, 30],
  age: '14 and older',
  config: {
    env: { id: 'pendulum' },
    algo: {
      id: 'preference-ppo',
      config: ZOO_PENDULUM,
    },
    run: { steps: 100_000, seeds: 3 },
  },
  curves: 'all',
  steps: [
    {
      title: 'What is better?',
      say: 'A pendulum and a weak motor: you want it to stand up and keep still. Play it once. Now try to write a formula that says how good a moment is.',
      show: [],
      play: true,
    },
    {
      title: 'Say it without a formula',
      say: 'Two moments of random play, side by side: choose the better one, with 1 and 2 or a tap. Twenty answers make a start, sixty are better. Then let an agent learn: it never sees the true reward.',
      show: [],
      view: 'prefer',
    },
    {
      title: 'Sixty answers or seven hundred',
      say: 'A script answers in your place, by the true reward. Once it answers sixty pairs, one answer in ten wrong; once seven hundred, all right.',
      show: [],
      predict: {
        kind: 'choice',
        ask: 'Three agents learn from each. What do they learn?',
        options: [
          'all six stand up',
          'seven hundred: all three stand up, sixty: some of them',
          'seven hundred: all three stand up, sixty: none',
          'none stands up: answers are no reward',
        ],
      },
      arms: [
        { label: '60 answers, one in ten wrong', config: {} },
        {
          label: '700 answers, none wrong',
          config: { algo: { config: { answers: 700, raterErrors: 0 } } },
          expect: [{ measure: 'evalReturn', of: 'mean', min: -500 }],
        },
      ],
      surprise:
        'With sixty answers the seeds lie far apart. Look at the curve of the learned reward beside the return: what did the worst agent do well?',
    },
    {
      title: 'How few are enough?',
      say: 'Every answer costs somebody’s time. Set how many there are and how many of them are wrong; reach -500, standing upright and still is about -170.',
      show: ['algo.answers', 'algo.raterErrors'],
      own: [{ label: 'my answers', config: {} }],
      check: { say: 'a greedy return of at least -500 as the mean over seeds', measure: 'evalReturn', of: 'mean', min: -500 },
    },
  ],
  plan: [
    '4 min, step 1: play, then three formulas on the wall. Does each of them forbid spinning?',
    '10 min, step 2: twenty answers each. Two neighbours with different tastes get two agents.',
    '6 min, step 3: predict, run. Sixty answers are luck.',
    '6 min, step 4: the board of the fewest answers.',
  ],
  teacher: [
    'Random play scores about -1,210, an agent with the true reward -160 to -180. Sixty answers with one error in ten: seeds from -200 to -1,600; seven hundred without errors: -170 to -240.',
    'The learned reward climbs in every run, also where the return falls: the agent maximises the learned reward, which is only an estimate of the preference.',
  ],
  extend: 'A task of your own: prefer moments in which it swings. Does it learn to swing?',
});
