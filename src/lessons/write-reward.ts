/** A reward written in code: what is paid for is what is learned, whatever was meant. Figures: measured with three seeds. */
import { defineLesson } from './define.ts';

const code = (title: string, reward: string): string => `defineReward({
  title: '${title}',
  env: 'cliff-walking',
  reward: ({ seen, next, reward }) => {
${reward}
  },
});
`;

const plain = code('My reward', '    return reward;');
const living = code('A coin a step', '    if (reward < -1) return reward;\n    return 1;');
const right = code('Coins to the right', '    if (next.state === seen.state + 1) return reward + 3;\n    return reward;');

export const writeReward = defineLesson({
  id: 'write-reward',
  version: 1,
  title: 'Write a reward, see what it does',
  goal: 'What is learned is what the code pays for; what was meant shows only in another measure.',
  belief: 'An agent understands what a reward is meant for.',
  minutes: [20, 30],
  age: '14 and older',
  config: { env: { id: 'cliff-walking' }, algo: { id: 'q-learning' }, run: { steps: 20_000, seeds: 3 } },
  steps: [
    {
      title: 'Paid by the world',
      say: 'Every step costs 1, a step into the cliff costs 100 and leads back to the start, and the goal ends the walk. Q-learning knows nothing but these numbers.',
      show: [],
      predict: {
        kind: 'choice',
        ask: 'Which way does it walk in the end, without exploring?',
        options: ['along the edge', 'one row away from the edge', 'as far from the edge as it can'],
      },
      arms: [{ label: 'as the world pays', config: {}, expect: [{ measure: 'evalReturn', of: 'each', min: -13, max: -13 }] }],
      surprise: 'While it learned it fell again and again. Why does the edge still pay best?',
    },
    {
      title: 'Afraid of the edge',
      say: 'This is a reward in code: what it returns is paid, and here it returns what the world pays. A cell’s number is 12 times its row plus its column: row 2, at the edge, is 24 to 35, and <code>next.state</code> is the cell that was reached. Let some of them cost more, so that it walks elsewhere.',
      show: [],
      view: 'reward',
      reward: {
        code: plain,
        steps: 20_000,
        goal: { say: 'a way round that the world pays with -20 to -14 on every seed', min: -20, max: -14 },
      },
    },
    {
      title: 'A coin a step',
      say: 'Every step that does not fall now earns 1, as a praise for being careful. The goal still ends the walk.',
      show: [],
      view: 'reward',
      predict: {
        kind: 'choice',
        ask: 'What does it learn?',
        options: ['the shortest way', 'a longer way to the goal', 'to walk about and never arrive'],
      },
      reward: { code: living, steps: 20_000 },
    },
    {
      title: 'Coins to the right',
      say: 'The goal lies to the right, so each step to the right earns 3 more. That is help, not a new goal. Or is it?',
      show: [],
      view: 'reward',
      predict: {
        kind: 'choice',
        ask: 'What does it learn?',
        options: ['the shortest way, and sooner', 'a longer way to the goal', 'to go to and fro and never arrive'],
      },
      reward: { code: right, steps: 20_000 },
    },
    {
      title: 'Keep the help, mend the fault',
      say: 'Steps to the right still earn 3 more. Add one line, so that going to and fro earns nothing and every seed arrives.',
      show: [],
      view: 'reward',
      reward: { code: right, steps: 20_000, goal: { say: 'every seed arrives: the world pays at least -17', min: -17, max: -13 } },
    },
  ],
  plan: [
    '4 min, step 1: predict, run.',
    '8 min, step 2: each writes a line. Who finds the cheapest way round, -15?',
    '8 min, steps 3 and 4: predict, then train. Which measure shows that something is wrong?',
    '8 min, step 5: one line. Compare the lines on the board: what do those that work have in common?',
  ],
  teacher: [
    'As the world pays, every seed walks along the edge: -13. With 5 off for each cell from 24 to 35 every seed goes one row further: -15 as the world pays, -25 under the new reward.',
    'Under a coin a step the curve of the new reward only climbs, and no seed arrives. Under coins to the right none arrives either.',
    'What mends it pays nothing for a circle: 3 off for each step to the left gives -13, -17 and -13. Rewards of this kind come from a potential and leave the best way the best (Ng, Harada and Russell 1999).',
  ],
  extend: 'The same for another world: Write your own, Reward. Try a car on a hill that is paid for its speed.',
});
