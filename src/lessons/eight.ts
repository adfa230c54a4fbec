/** A team over entities trained as three plays as eight: the network fits, what it sees does not. Figures: measured with two seeds (eight.test.ts). */
import { defineLesson } from './define.ts';

export const eight = defineLesson({
  id: 'eight',
  version: 1,
  title: 'Trained as three, sent as eight',
  goal: 'A network for teams of any size does well in another size as far as what it sees there looks like what it saw in training.',
  belief: 'Who is to play as eight must train as eight; or: what works as three works as eight.',
  minutes: [20, 25],
  age: '15 and older',
  config: {
    env: { id: 'mpe-simple-spread', config: { agents: 3 } },
    algo: { id: 'ippo', config: { gamma: 0.9, lr: 1e-3, body: { kind: 'entities' } } },
    run: { steps: 150_000, seeds: 1, evalEpisodes: 50 },
  },
  steps: [
    {
      title: 'Three for three',
      say: 'Three agents are to stand on three landmarks, one on each, without bumping into each other. They are paid by how far the landmarks are from the nearest agent. Steer one of them.',
      show: [],
      play: true,
    },
    {
      title: 'Train the three',
      say: 'All three share one network. It sees its mates and the landmarks as a list and looks at each of them, so a longer list fits too. Train, and watch two episodes.',
      show: [],
      arms: [{ label: 'a team of three', config: {}, expect: [{ measure: 'evalReturn', of: 'each', min: -20 }] }],
    },
    {
      title: 'Now eight',
      say: 'Predict first. Then press + in the scene until there are eight agents: the same network plays on, with eight landmarks. Watch three episodes and count the landmarks that nobody goes to.',
      show: [],
      predict: {
        kind: 'choice',
        ask: 'How do eight agents with this network do?',
        options: [
          'as well as three',
          'they share out the landmarks, but more slowly',
          'several go to the same landmark',
          'they stand still',
        ],
      },
      surprise: 'No agent was ever in a team of eight. Which of the numbers that it sees never were as they are now?',
    },
    {
      title: 'Look at the nearest only',
      say: 'The same training, but every agent sees only its two nearest mates and the three nearest landmarks. Train, then press + until there are eight again.',
      show: [],
      predict: {
        kind: 'choice',
        ask: 'As eight, does it do better than the team before?',
        options: ['better', 'the same', 'worse'],
      },
      arms: [
        {
          label: 'three that see the nearest',
          config: { env: { config: { agentNeighbors: 2, landmarkNeighbors: 3 } } },
          expect: [{ measure: 'evalReturn', of: 'each', min: -21 }],
        },
      ],
      surprise: 'It sees less than before. What do its lists look like in a team of eight now?',
    },
    {
      title: 'A team of eight',
      say: 'Train a team of eight from the start, for as many steps. It met seven mates in every step of its training.',
      show: [],
      predict: {
        kind: 'number',
        ask: 'What does each of the eight earn per episode? Chance earns -48, the three sent as eight -36, those that see the nearest -34.',
        unit: 'return',
        min: -50,
        max: 0,
        answer: { arm: 0 },
      },
      arms: [
        {
          label: 'a team of eight',
          config: { env: { config: { agents: 8 } } },
          expect: [{ measure: 'evalReturn', of: 'each', min: -40, max: -37 }],
        },
      ],
      surprise: 'It is what it was trained for, and it earns less. What is harder to learn in a team of eight?',
    },
  ],
  plan: [
    '3 min, step 1: steer. Who takes which landmark, and how do you agree without talking?',
    '6 min, step 2: train while the class says what a longer list changes for one agent.',
    '6 min, step 3: predict, then eight. Count free landmarks in three episodes.',
    '6 min, step 4: the nearest only. Draw the list of one agent as three and as eight.',
    '4 min, step 5: run it before class on the machine that is shown; it takes three times as long.',
  ],
  teacher: [
    'Measured, return of each agent, two seeds: as three -18 and -19; sent as eight -35 and -37; seeing the nearest, as three -18 and -19, sent as eight -34 and -34; trained as eight -38 and -39; chance -48.',
    'The return falls with the size of the team for everyone, since more landmarks are to be covered: compare teams at one size only.',
    'A network with dense layers cannot be sent at all: its first layer has a weight for every mate. The page says so.',
  ],
  extend: 'Send the team of eight as three. What does it do that a team trained as three does not?',
});
