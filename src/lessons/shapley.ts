/** A shared return hides who did the work; Shapley values ask what the team is without each. */
import { defineLesson } from './define.ts';

export const shapley = defineLesson({
  id: 'shapley',
  version: 1,
  title: 'Who did the work?',
  goal: 'A shared return hides contributions: "without you" is the question.',
  belief: 'Equal pay means equal work; the fastest does most.',
  minutes: [15, 20],
  age: '15 and older',
  config: {
    env: {
      id: 'mpe-simple-tag',
      config: { adversaries: 4, adversarySpeeds: [0.3, 0.8, 1, 1.3], seats: { agent_0: 'random' } },
    },
    algo: { id: 'mappo', config: { gamma: 0.9, lr: 0.001 } },
    run: { steps: 400_000, seeds: 1 },
  },
  steps: [
    {
      title: 'Four hunters, one prey',
      say: 'Four hunters chase one prey that moves at random. Each catch pays all four the same. One is slow, one is fast. Train, and watch three episodes.',
      show: [],
      predict: {
        kind: 'choice',
        ask: 'Who does most of the work?',
        options: ['the slowest', 'the second', 'the third', 'the fastest', 'all the same'],
      },
      arms: [{ label: 'the team', config: {}, expect: [{ measure: 'evalReturn', of: 'each', min: 20 }] }],
    },
    {
      title: 'The same pay',
      why: true,
      say: 'Look at the return of each hunter: four equal numbers. What do they say about who did the work?',
      show: [],
    },
    {
      title: 'Without you',
      why: true,
      say: 'Open Why, Team, and run "Who did it". It plays the team with every group of hunters missing, and shares the difference fairly.',
      show: [],
      predict: { kind: 'number', ask: "Of 100 points, how many are the fastest hunter's?", unit: 'points', min: 0, max: 100 },
      surprise: 'The fastest is not far ahead of the third. What does a hunter do that speed does not show?',
    },
    {
      title: 'Do they add up?',
      why: true,
      say: 'Add the four values. Compare with the return of the whole team less the return with all hunters missing: Shapley values always add up to it.',
      show: [],
    },
  ],
  plan: [
    'Before class: step 1 once on the machine that is shown, so that the run is stored.',
    '5 min, step 1: everybody ranks the four hunters on paper while it trains.',
    '4 min, step 2: four equal returns. Collect what they could mean.',
    '8 min, step 3: divide 100 points, then compute.',
    '5 min, step 4, and talk: where are shares like these used on people?',
  ],
  teacher: [
    'Training takes 400,000 steps, about 45 s on a school laptop; the run stays stored.',
    'Other stand-ins (random in place of idle) ask another question and give other numbers: never average them.',
    'Shares are not wages. Say so before somebody else does.',
  ],
  extend: 'Group work of three pupils: eight subsets on paper, one value each.',
});
