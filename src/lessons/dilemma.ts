/** Two players and a payoff table: what is clever depends on who answers and how far one looks. Figures: measured with five seeds. */
import { type Arm, defineLesson } from './define.ts';

const TIT_FOR_TAT = { 'column player': 'tit-for-tat' };
const onMyTable = (gamma: number): Arm => ({
  label: `discount ${gamma}`,
  config: { env: { config: { seats: TIT_FOR_TAT } }, algo: { id: 'q-learning', config: { gamma } } },
});
const looking = (gamma: number, min: number, max: number): Arm => ({
  ...onMyTable(gamma),
  expect: [{ measure: 'evalReturn', of: 'each', min, max }],
});

export const dilemma = defineLesson({
  id: 'dilemma',
  version: 2,
  title: 'Two players, one dilemma',
  goal: 'What is clever depends on who answers, and on how far one looks ahead.',
  belief: 'The computer learns to be nice, or nasty; the discount is a detail.',
  minutes: [15, 20],
  age: '15 and older',
  config: {
    env: { id: 'matrix-games', config: { game: 'prisoners-dilemma', maxSteps: 100 } },
    algo: { id: 'iql', config: {} },
    run: { steps: 50_000, seeds: 5 },
  },
  steps: [
    {
      title: 'Play against a rule',
      say: 'Both cooperate: each loses 1. Both defect: each loses 2. One defects alone: it loses nothing, the other 3. Play ten rounds against tit-for-tat, which does what you did last.',
      show: ['env.seats'],
      play: true,
    },
    {
      title: 'Two learners',
      say: 'Two agents learn, each for itself, neither with a plan for the other. The return is the sum of both over 100 rounds.',
      show: [],
      predict: {
        kind: 'choice',
        ask: 'Where do they end?',
        options: ['both cooperate, -200', 'one defects, -300', 'both defect, -400'],
        answer: { arm: 0, bounds: [-250, -325] },
      },
      arms: [{ label: 'two learners', config: {}, expect: [{ measure: 'evalReturn', of: 'mean', min: -400, max: -330 }] }],
    },
    {
      title: 'A partner who remembers',
      say: 'One learner plays 100 rounds against tit-for-tat. The discount says how much the next round counts.',
      show: [],
      predict: {
        kind: 'sketch',
        ask: 'Pay for 100 rounds, for each discount',
        x: ['0', '0.4', '0.6', '0.9'],
        y: 'pay',
        min: -300,
        max: 0,
      },
      arms: [looking(0, -200, -190), looking(0.4, -200, -190), looking(0.6, -102, -98), looking(0.9, -102, -98)],
      surprise:
        'It flips between 0.4 and 0.6. On paper: cooperating for ever is worth -1/(1-g), defecting -2g/(1-g). Where are they equal?',
    },
    {
      title: 'A table of your own',
      say: 'Two learners play against tit-for-tat on one table, with a discount of 0.9 and of 0.6. On the table so far both cooperate. Change the payoffs so that 0.9 still cooperates and 0.6 defects.',
      show: ['env.game', 'env.payoffs', 'env.rowPayoffs', 'env.columnPayoffs'],
      own: [onMyTable(0.9), onMyTable(0.6)],
      check: {
        say: 'on your table a discount of 0.9 earns at least 10 more in its greedy test than a discount of 0.6',
        measure: 'evalReturn',
        of: 'mean',
        than: 'discount 0.6',
        min: 10,
      },
    },
  ],
  plan: [
    '5 min, step 1, in pairs: one plays, one counts.',
    '4 min, step 2: vote, then run.',
    '6 min, step 3: the flip. On the wall: -1/(1-g) and -2g/(1-g), equal at g = 1/2.',
    '8 min, step 4: own tables; first work out on paper where the choice flips.',
    '4 min, the board: a table of one pupil, the class says what the learner will do before it is shown.',
  ],
  teacher: [
    'The flip is at a discount of exactly 0.5, in theory and in the runs.',
    'Step 4: on paper the choice flips at (T - R) / (T - P), with T for defecting on a cooperator, R for both cooperating, P for both defecting. With T = 1 it flips at 2/3; lower the pay of the only cooperator (S), too, or taking turns wins.',
    'If defecting on a cooperator plus being defected on pays more than cooperating twice, taking turns wins at any discount: a good wrong answer to discuss.',
  ],
  extend: 'The coin game: the same dilemma with sight and movement.',
});
