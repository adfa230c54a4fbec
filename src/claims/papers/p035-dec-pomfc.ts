/** P035: a swarm steered through its mean field against learners that steer each member. */
import { ABSTRACT_ONLY } from '#contract/papers.ts';
import { definePaper } from '../define.ts';

const swarm = { particles: 10, box: 1.5811388, learners: 10, eta: 1, speed: 0.5, maxSteps: 200 };
/** The team learners' defaults learn nothing here in as many steps. */
const short = { gamma: 0.9, lr: 1e-3 };

export const decPomfc = definePaper({
  id: 'P035',
  title: 'Learning Decentralized Partially Observable Mean Field Control for Artificial Collective Behavior',
  authors: 'Cui, Hauck, Fabian, Koeppl',
  year: 2024,
  link: 'https://arxiv.org/abs/2307.06175',
  claim:
    'Mean-field control of many alike, partially observing agents performs as well as leading multi-agent RL in Vicsek and Kuramoto swarms.',
  mechanism: ABSTRACT_ONLY,
  differs: [
    'Vicsek alone, 10 members',
    '100,000 steps, at which the team learners still improve',
    'the rivals steer each member; here one rule over kernels acts',
  ],
  question: 'Is one rule, chosen by what the whole swarm sees, as good as team learners, and does it hold for twenty times as many?',
  idea: 'Members are alike, so the swarm is one agent whose action is a rule: what a member that sees this does. The rule is learned on a few members and handed to many.',
  equation: 'pi(rule | mean over members of kernels around what each sees)',
  config: {
    v: 1,
    env: { id: 'vicsek-swarm', config: swarm },
    algo: { id: 'mean-field', config: { knows: 'mean field' } },
    run: { steps: 100_000, evalEpisodes: 10 },
  },
  arms: [
    { id: 'mean-field', title: 'mean-field control, 10 members', trials: 0 },
    { id: 'ippo', title: 'independent PPO, one network for all', trials: 1, differs: { algo: { id: 'ippo', config: short } } },
    { id: 'mappo', title: 'MAPPO, one network for all', trials: 1, differs: { algo: { id: 'mappo', config: short } } },
  ],
  quantity: { title: 'greedy order summed over 200 steps', of: 'evalReturn' },
  contrasts: [
    { id: 'as good as IPPO', kind: 'ratio', arm: 'mean-field', over: 'ippo', claim: 'above', none: 0.97 },
    { id: 'as good as MAPPO', kind: 'ratio', arm: 'mean-field', over: 'mappo', claim: 'above', none: 0.97 },
  ],
  scale: { better: 'more', random: 28.3, ceiling: 200 },
  exempt: [
    {
      check: 'parameters',
      arms: ['mean-field', 'ippo', 'mappo'],
      why: 'one network puts out a rule for a swarm, the others an action for a member: equal hidden layers, unequal ends',
    },
  ],
  atMost: { verdict: 'partly', why: 'Histograms in place of kernels, and Kuramoto oscillators, are no arms here.' },
  tunedOn: [1, 1],
  quick: { run: { steps: 20_000, evalEpisodes: 5 }, seeds: 2 },
  scaledDown:
    'Vicsek members only, 10 of them at the density of the others’ 50, 100,000 steps. Mean-field control has its defaults; the team learners got a discount of 0.9 and a step of 0.001 on seed 1 with 20 members, because with their defaults they stayed at random level. They were still rising when the steps ended: this says who learns faster here, not who ends higher.',
  dishonest: 'Starving the team learners of steps; tuning the bandwidth of kernels and nothing else.',
  next: 'Hand the rule to 1,000 members of equal density: the experiment vicsek-mean-field does it for a fixed rule.',
});
