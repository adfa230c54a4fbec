/** P053: agents that choose one after another along links that are learned and then dropped, against agents that choose at once. */
import type { JsonObject } from '#contract/kit/json.ts';
import { definePaper } from '../define.ts';

const game: JsonObject = { game: 'climbing', maxSteps: 1 };
const learner: JsonObject = {
  envs: 8,
  rolloutSteps: 16,
  lr: 3e-3,
  annealLr: false,
  gamma: 0.9,
  entropyCoef: 0.5,
  hidden: [16],
  agentId: true,
};
const dropped: JsonObject = { kind: 'linear', from: 0.4, until: 0.8 };
const atOnce = { algo: { id: 'mappo', config: learner } };
const told = (config: JsonObject) => ({ algo: { config } });

export const contextAwareBn = definePaper({
  id: 'P053',
  title: 'Context-Aware Bayesian Network Actor-Critic Methods for Cooperative Multi-Agent Reinforcement Learning',
  authors: 'Chen and Zhang',
  year: 2023,
  link: 'https://arxiv.org/abs/2306.01920',
  claim:
    'Actions of a team that depend on one another along a learned graph without circles help it to coordinate; the graph is thinned out in training, so that agents may end independent.',
  published: null,
  source: {
    guess: {
      searches: [
        '“Context-Aware Bayesian Network Actor-Critic” and 2306.01920 among public code and documents: the abstract, and other papers on graphs of agents.',
        'Repositories by its authors (Chen, Zhang) on cooperative multi-agent learning with Bayesian networks: none of the paper.',
      ],
    },
  },
  differs: [
    'one matrix game of two agents, the climbing game, in place of benchmarks',
    'the graph is drawn and learned as an action is, and links end on a schedule',
    'that the gain stays without links is our addition',
  ],
  found: {
    outcome: 'shown',
    text: 'On 19 of 20 seeds the team knows the best pair after its links are gone, on none of 20 where agents choose at once; a fixed order, dropped alike, does it on all 20, so that here nothing needed to be learned about who is told.',
  },
  question:
    'Does a team that chose one after another along learned links, dropped by four fifths of training, reach the best pair of the climbing game more often than one that chooses at once, and do more than half of such teams know it without links?',
  idea: 'The best pair pays 11, but whoever tries it alone pays 30. If one is told what the other has chosen, trying is safe; once both know the pair, nobody has to be told any more.',
  equation: 'pi(a|s) = prod_i pi_i(a_i | o_i, {a_j : j in G_i}),  each link of G stays with a chance that falls from 1 to 0',
  config: {
    v: 1,
    env: { id: 'matrix-games', config: game },
    algo: { id: 'ordered-mappo', config: { ...learner, order: { kind: 'learned' } } },
    run: { steps: 40_000, evalEpisodes: 20 },
  },
  arms: [
    { id: 'dropped', title: 'learned links, dropped', trials: 3, differs: told({ thinning: dropped }) },
    { id: 'told', title: 'learned links to the end', trials: 3 },
    { id: 'fixed', title: 'fixed order, links dropped', trials: 3, differs: told({ order: { kind: 'fixed' }, thinning: dropped }) },
    { id: 'at-once', title: 'all at once (MAPPO)', trials: 3, differs: atOnce },
  ],
  quantity: { title: 'return of greedy evaluation, both agents', of: 'evalReturn' },
  contrasts: [
    { id: 'over at once', kind: 'difference', arm: 'dropped', over: 'at-once', claim: 'above', size: 0.5, share: { atLeast: 21 } },
    { id: 'known without links', kind: 'level', arm: 'dropped', claim: 'above', none: 0.5, share: { atLeast: 21 } },
  ],
  // the nine pairs pay -31 together, each to both; the best 11
  scale: { better: 'more', random: -62 / 9, ceiling: 22 },
  exempt: [
    {
      check: 'parameters',
      arms: ['dropped', 'told', 'fixed', 'at-once'],
      why: 'the planner and the places for what is told are the method; what decides in the end has the network of MAPPO',
    },
  ],
  leftOut: 'Of the paper’s worlds none is played, nor one of partial views; one game of one step stands for them.',
  tunedOn: [1, 5],
  looks: [10, 20, 40],
  quick: { run: { steps: 20_000 }, seeds: 2 },
  scaledDown:
    'The climbing game played once an episode, 40,000 of them, networks of 16 units. The entropy bonus was chosen of 0.1, 0.3 and 0.5 for all arms on seeds 1 to 5: with 0.3 the learned links failed on three of three, with 0.5 they reached the best pair on all three, and agents that choose at once reached it on none of eight with any of them. In the penalty game agents that choose at once reach the best pair too with 0.5, so that it does not tell the arms apart and is left out.',
  dishonest: 'A game that agents who choose at once cannot fail; a common draw at the end of training, which is a channel.',
  next: 'Foraging with partial views, and three agents, where learned links can do what no fixed order does.',
});
