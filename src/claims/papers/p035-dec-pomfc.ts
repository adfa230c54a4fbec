/** P035: a swarm steered through its mean field against learners that steer each member. */
import { definePaper } from '../define.ts';

const swarm = { particles: 6, box: 1.2247449, learners: 6, eta: 1, speed: 0.5, maxSteps: 100 };
/** With their defaults the team learners stay near random play here; larger steps and other discounts end within 2 of these. */
const tuned = { gamma: 0.9, lr: 3e-3 };
/** Two thirds of the way from random play to all alike. */
const COMPETENT = 80;

export const decPomfc = definePaper({
  id: 'P035',
  title: 'Learning Decentralized Partially Observable Mean Field Control for Artificial Collective Behavior',
  authors: 'Cui, Hauck, Fabian, Koeppl',
  year: 2024,
  link: 'https://arxiv.org/abs/2307.06175',
  claim:
    'Mean-field control of many alike, partially observing agents performs as well as leading multi-agent RL in Vicsek and Kuramoto swarms.',
  source: {
    guess: {
      searches: [
        '“Dec-POMFC”, “Decentralized Partially Observable Mean Field Control” and 2307.06175 among public repositories and pages: abstracts, lists and two later papers that cite it.',
        'Repositories of its first author (tudkcui): four of other papers on mean fields; none of this one.',
      ],
    },
  },
  differs: ['Vicsek alone, 6 members, episodes of 100 steps', 'the rivals steer each member; here one rule over kernels acts'],
  found: {
    outcome: 'open',
    text: 'The mean-field policy earns as much as IPPO and MAPPO on five seeds; a margin is decided from ten seeds on.',
  },
  question: 'Is one rule, chosen by what the whole swarm sees, as good as team learners that have finished learning?',
  idea: 'Members are alike, so the swarm is one agent whose action is a rule: what a member that sees this does. The rule is learned on a few members and handed to many.',
  equation: 'pi(rule | mean over members of kernels around what each sees)',
  config: {
    v: 1,
    env: { id: 'vicsek-swarm', config: swarm },
    algo: { id: 'mean-field', config: { knows: 'mean field' } },
    run: { steps: 300_000, evalEpisodes: 20 },
  },
  arms: [
    { id: 'mean-field', title: 'mean-field control', trials: 0 },
    {
      id: 'ippo',
      title: 'independent PPO, one network for all',
      trials: 8,
      differs: { algo: { id: 'ippo', config: tuned } },
      competent: COMPETENT,
    },
    {
      id: 'mappo',
      title: 'MAPPO, one network for all',
      trials: 3,
      differs: { algo: { id: 'mappo', config: tuned } },
      competent: COMPETENT,
    },
  ],
  quantity: { title: 'greedy order summed over 100 steps', of: 'evalReturn' },
  contrasts: [
    { id: 'as good as IPPO', kind: 'ratio', arm: 'mean-field', over: 'ippo', claim: 'above', none: 0.97 },
    { id: 'as good as MAPPO', kind: 'ratio', arm: 'mean-field', over: 'mappo', claim: 'above', none: 0.97 },
  ],
  scale: { better: 'more', ceiling: 100 },
  exempt: [
    {
      check: 'parameters',
      arms: ['mean-field', 'ippo', 'mappo'],
      why: 'one network puts out a rule for a swarm, the others an action for a member: equal hidden layers, unequal ends',
    },
  ],
  leftOut: 'Histograms in place of kernels, and Kuramoto oscillators, are no arms here.',
  forms: 2,
  tunedOn: [901, 901],
  firstSeed: 3001, // those from 1001 on were judged with ten members and rivals that were still rising
  quick: { run: { steps: 20_000, evalEpisodes: 5 }, seeds: 2 },
  scaledDown:
    'Vicsek members only, 6 of them at the density of the others’ 50, episodes of 100 steps, 300,000 steps. Mean-field control has its defaults; the team learners got the best of eight and of three choices of discount and step size on tuning seed 901, where one of 0.001 still ended at 82 and one of 0.003 at 91. Ten members and 100,000 steps were judged before: there the team learners were still rising, and the verdict was inconclusive. Whether the rule holds for twenty times as many members is no part of this.',
  dishonest: 'Starving the team learners of steps; tuning the bandwidth of kernels and nothing else.',
  next: 'Hand the rule to 1,000 members of equal density: the experiment vicsek-mean-field does it for a fixed rule.',
});
