/** P018: Shapley values of trained teams, where what they should say is planted or known from all coalitions. */
import { definePaper } from '../define.ts';

/** Long enough for the values of unequal predators to come apart. */
const predators = {
  env: { id: 'mpe-simple-tag', config: { adversarySpeeds: [0.5, 1, 1.5], seats: { agent_0: 'random' } } },
  run: { steps: 1_000_000 },
};

export const collectiveXai = definePaper({
  id: 'P018',
  title:
    'Collective eXplainable AI: Explaining Cooperative Strategies and Agent Contribution in Multiagent Reinforcement Learning with Shapley Values',
  authors: 'Heuillet, Couthouis, Diaz-Rodriguez',
  year: 2022,
  link: 'https://arxiv.org/abs/2110.01307',
  claim: 'Shapley values from sampled coalitions estimate how much each agent contributes, in particle worlds and social dilemmas.',
  source: {
    read: 'The abstract, and the coalition values published with the authors’ code, which a golden case reproduces.',
    table: [
      {
        of: 'Shapley values of agents from coalitions',
        ours: 'src/core/explain/lib/exact.ts (shapley)',
        state: 'kept',
        note: 'Equal to those published for the same coalition values.',
      },
      { of: 'social dilemmas', ours: '', state: 'left out', note: 'Particle worlds alone.' },
    ],
  },
  differs: [
    'teams of three in particle worlds',
    'at most a million training steps; 50,000 to 2.5 million steps for an explanation',
    'no social dilemma in this form',
  ],
  found: {
    outcome: 'open',
    text: 'Values from drawn orders rank three agents as all coalitions do on all ten seeds; means are decided from forty seeds on.',
  },
  question: 'Do sampled Shapley values say what is known of a team: who does nothing, who is slow, and how all coalitions rank its agents?',
  idea: 'What is an agent worth to its team? The mean of what it adds to every possible part of the team. A team of three has eight parts, a larger one too many: then some orders in which agents join are drawn.',
  equation: 'phi_i = mean over orders of v(those before i and i) - v(those before i)',
  config: {
    v: 1,
    env: { id: 'mpe-simple-spread' },
    algo: { id: 'mappo', config: { gamma: 0.9, lr: 1e-3 } },
    run: { steps: 60_000 },
  },
  arms: [
    {
      id: 'idle',
      title: 'who does nothing is worth nothing',
      trials: 0,
      explain: { judge: 'nothing', agents: [1], question: { maxSteps: 50_000 }, idle: [{ agent: 1, share: 1 }] },
    },
    {
      id: 'slow',
      title: 'the slow predator is worth less than the fast one',
      trials: 0,
      differs: predators,
      explain: { judge: 'below', agents: [0, 2], question: { maxSteps: 2_000_000 } },
    },
    {
      id: 'ranks',
      title: 'drawn orders rank as all coalitions do, for a quarter of the steps',
      trials: 0,
      differs: predators,
      explain: {
        judge: 'ranks',
        agents: [],
        question: { scheme: 'exact', maxSteps: 2_000_000 },
        sampled: { scheme: 'antithetic', seed: 2, maxSteps: 500_000 },
      },
    },
  ],
  quantity: { title: 'share of what is known that the values say', of: 'explained' },
  contrasts: [
    { id: 'drawn orders rank alike', kind: 'level', arm: 'ranks', claim: 'above', none: 0.9, middle: 'mean' },
    { id: 'slow is less', kind: 'level', arm: 'slow', claim: 'above', none: 0.8, middle: 'mean' },
    // absent agents do nothing too, so that the idle one adds nothing by construction
    { id: 'nothing is nothing', kind: 'level', arm: 'idle', claim: 'above', none: 0.8, middle: 'mean', control: true },
  ],
  scale: { better: 'more' },
  leftOut: 'Particle worlds only: the social dilemmas of the paper are claims of their own here, and dear ones.',
  forms: 2,
  tunedOn: [1, 5],
  firstSeed: 3001,
  noQuick: 'the values of agents come apart only with more play than a quick form has: a first full form itself had too little',
  scaledDown:
    'Teams of three; 60,000 steps of training and 50,000 of play for the idle agent, a million and two million for the predators. A first form, on five seeds from 1,001, trained and played all three for no longer than the first: no two predators’ values came apart, so there were no ranks to compare, and only the idle agent was found. This one takes the budgets of the claims shapley-ranks-tag and shapley-predator-speeds, on new seeds.',
  dishonest: 'Showing the values of one episode as an explanation; hiding that the replacement of an absent agent changes them.',
  next: 'Ask for the values of a team of your own, with another replacement, in the view that explains agents.',
});
