/** PPO among hazards, free and within a limit on cost: a weight that training sets by itself. Figures: measured with two seeds. */
import { defineLesson } from './define.ts';

const within = (limit: number) => ({
  algo: { config: { lagrangian: { kind: 'ascent', limit, rate: 0.02, start: 0, gamma: 0.95 } } },
});

export const limits = defineLesson({
  id: 'limits',
  version: 1,
  title: 'What may it cost?',
  goal: 'What is paid and what is limited are two things: a limit on cost is kept by a weight that training sets by itself.',
  belief: 'An agent that sees what is dangerous keeps away from it.',
  minutes: [20, 25],
  age: '14 and older',
  config: {
    env: { id: 'quick-safety' },
    algo: {
      id: 'ppo',
      config: {
        ...{ envs: 16, rolloutSteps: 250, minibatches: 8, epochs: 5 },
        ...{ lr: 1e-3, annealLr: false, entropyCoef: 0, gamma: 0.95 },
      },
    },
    run: { steps: 300_000, seeds: 2, evalEpisodes: 20 },
  },
  curves: 'all',
  steps: [
    {
      title: 'Drive it yourself',
      say: 'The blue disc is the robot, the ring its goal. A metre nearer pays 1, the goal 1 more, then the next goal appears. Striped discs are hazards: a step in one costs 1, which is counted beside the reward and not taken from it. Reach three goals and read the cost.',
      show: [],
      play: true,
    },
    {
      title: 'Learn freely',
      say: 'The robot senses hazards as well as goals, and is paid for goals alone. Straight lines from goal to goal cost about 90 in 1,000 steps, random steps about 50. The cost is a curve of its own.',
      show: [],
      predict: {
        kind: 'choice',
        ask: 'What does an episode cost at the end? Read it from the curve “cost of an episode”.',
        options: ['less than 25', 'about 50', 'more than 75'],
      },
      arms: [{ label: 'free', config: {}, expect: [{ measure: 'finalReturn', of: 'each', min: 50 }] }],
      surprise: 'It sees every hazard. Why does it drive through them?',
    },
    {
      title: 'Set a limit',
      say: 'Now an episode may cost 25 on average. A weight, the multiplier, grows while episodes cost more and shrinks while they cost less. What the policy follows is the return less the multiplier times the cost.',
      show: [],
      predict: {
        kind: 'choice',
        ask: 'The free robot earned about 60. What is left within the limit?',
        options: ['almost all', 'about half', 'nothing'],
        answer: { arm: 0, measure: 'finalReturn', bounds: [50, 10] },
      },
      arms: [{ label: 'limit 25', config: within(25), expect: [{ measure: 'finalReturn', of: 'each', min: 10, max: 50 }] }],
      surprise: 'A script that knows all places earns 63 and costs nothing. What would the robot need to come nearer to it?',
    },
    {
      title: 'What sets the weight?',
      say: 'Choose the curve “cost of an episode”: the dashed line is the limit. Then choose “multiplier” and compare the two.',
      show: [],
      predict: {
        kind: 'choice',
        ask: 'When does the multiplier stop rising?',
        options: ['when the return is highest', 'when the cost comes down to the limit', 'never'],
      },
    },
    {
      title: 'Strict or loose',
      say: 'Two limits, all else equal. A limit does not say what the robot should do, only what an episode may cost.',
      show: [],
      predict: { kind: 'choice', ask: 'Which one earns more?', options: ['limit 10', 'limit 60'], answer: { most: true } },
      arms: [
        { label: 'limit 10', config: within(10), expect: [{ measure: 'finalReturn', of: 'mean', max: 30 }] },
        { label: 'limit 60', config: within(60), expect: [{ measure: 'finalReturn', of: 'mean', min: 35 }] },
      ],
    },
    {
      title: 'What is it worth?',
      say: 'A return of 35 has to be earned. Find a limit that allows it, as low as you can. The check looks at the return alone: what it costs you say yourself, from the curve.',
      show: ['algo.lagrangian.limit'],
      own: [{ label: 'my limit', config: within(10) }],
      check: { say: 'a return of at least 35 at the end, on both seeds', measure: 'finalReturn', of: 'each', min: 35 },
    },
  ],
  plan: [
    '4 min, step 1: one drives, the others call out the cost. What is the shortest way, what the cheapest?',
    '5 min, step 2: predict, run, read the curve of the cost. Is the robot careless, or was it never told?',
    '5 min, step 3: predict, run. Watch it go round hazards.',
    '3 min, step 4: put both curves on the board, one above the other.',
    '6 min, steps 5 and 6: collect limits and returns as points on the board: cost to the right, return up.',
  ],
  teacher: [
    'Two seeds, 300,000 steps, return and cost of the last 100 episodes: free 66 and 65 at 86 and 88; limit 25: 33 and 33 at 34 and 32, still falling; limit 10: 22 and 24 at 27 and 32; limit 60: 48 and 57 at 61 and 67.',
    'The limit holds for actions as they are drawn while it learns. The greedy test of the same policies costs 53 and 31 with limit 25.',
    'A script that knows every place earns 63 and costs nothing, so the limit itself forbids little; what is lost is what the policy has not yet learned to do beside hazards.',
  ],
  extend:
    'Take the cost off the reward with a weight that you choose. Which weight keeps the limit of 25, and how many runs did it take to find it?',
});
