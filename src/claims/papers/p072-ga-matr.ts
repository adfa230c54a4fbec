/** P072: a trust-region team of flying base stations with attention and a recurrent cell, against the same without either, at as many parameters. */
import type { JsonObject } from '#contract/kit/json.ts';
import { definePaper } from '../define.ts';

/** Four stations, sixteen users, two channels, of which a station may change its own. */
const world: JsonObject = { stations: 4, users: 16, channels: 2 };
const gru: JsonObject = { kind: 'gru', units: 32, sequence: 10 };
const looking: JsonObject = { kind: 'entities', units: 16, heads: 2, blocks: 1 };

export const gaMatr = definePaper({
  id: 'P072',
  title: 'Graph Attention-based Reinforcement Learning for Trajectory Design and Resource Assignment in Multi-UAV Assisted Communication',
  authors: 'Feng et al.',
  year: 2024,
  link: 'https://arxiv.org/abs/2401.17880',
  claim:
    'A graph recurrent network and attention in a multi-agent trust-region method improve its convergence over versions without them, and reach the highest cumulative reward.',
  published: null,
  source: {
    guess: {
      searches: [
        'The title and 2401.17880 among stored pages: the abstract and summaries that name the parts, none with their equations.',
        '“GA-MATR” and “graph attention multi-agent trust region” among public repositories: none of the paper.',
      ],
    },
  },
  differs: [
    'HAPPO over things in place of their trust-region method',
    'a recurrent cell in the actors, attention in actors and critic; the paper’s own places were not read',
    '57,600 steps of 2.5 s, groups of walking users',
  ],
  found: {
    outcome: 'open',
    text: 'On ten seeds the team with both earns 8.7 more while it learns than without attention, an interval that includes 0, and 7.1 less than without a memory, an interval that includes 0 too; 6.5 more was asked of both, and there it is excluded; hovering over the middle of the nearest users earns more than all three.',
  },
  question:
    'Does a team of flying base stations earn more while it learns with attention over stations and users and a memory of what it saw than without one of the two?',
  idea: 'Who disturbs whom is a graph that changes as stations fly and users walk. Attention weighs whom to hear, and a recurrent cell keeps what was seen, such as the way that a group walks. Each is taken out at as many parameters.',
  equation: 'h_t = GRU(hidden(attention over things in o_t), h_t-1),  pi = softmax of W h_t',
  config: {
    v: 1,
    env: { id: 'base-stations', config: world },
    algo: {
      id: 'happo',
      config: {
        lr: 2e-3,
        envs: 16,
        rolloutSteps: 60,
        minibatches: 2,
        gamma: 0.95,
        activation: 'tanh',
        hidden: [32],
        body: looking,
        memory: gru,
      },
    },
    run: { steps: 57_600, evalEpisodes: 50 },
  },
  arms: [
    { id: 'both', title: 'attention and a recurrent cell', trials: 2 },
    {
      id: 'no-attention',
      title: 'without attention',
      trials: 2,
      differs: { algo: { config: { body: { ...looking, units: 20, heads: 0 } } } },
    },
    { id: 'no-memory', title: 'without a recurrent cell', trials: 2, differs: { algo: { config: { hidden: [68, 68], memory: 'none' } } } },
    {
      id: 'both-end',
      title: 'attention and a recurrent cell, at the end',
      trials: 2,
      quantity: { title: 'return of greedy test episodes', of: 'evalReturn' },
    },
    {
      id: 'k-means',
      title: 'each over the middle of the users nearest to it',
      trials: 0,
      script: 'k-means',
      quantity: { title: 'return of greedy test episodes', of: 'evalReturn' },
    },
  ],
  quantity: { title: 'return of training episodes, mean over training', metric: 'episodicReturn', take: 'mean' },
  contrasts: [
    // a twentieth of the way from random play to the bound
    { id: 'over the one without attention', kind: 'difference', arm: 'both', over: 'no-attention', claim: 'above', size: 6.5 },
    { id: 'over the one without memory', kind: 'difference', arm: 'both', over: 'no-memory', claim: 'above', size: 6.5 },
  ],
  scale: { better: 'more', random: 76, ceiling: 209.4 },
  leftOut: 'The place of the two parts in the paper’s network, its regularisation for fairness and its equilibrium are not tested.',
  tunedOn: [901, 905],
  looks: [5, 10],
  quick: { run: { steps: 9600, evalEpisodes: 20 }, seeds: 2 },
  scaledDown:
    'A third of the steps of the plan. Two settings were tried for all arms on seed 901: a step size of 0.002 with two minibatches (greedy returns 129 with both, 122 without attention, 152 without memory) and one of 0.004 with four (116 with both, 130 without memory). The dense layers of the arm without memory and the width of the one without attention are larger, so that the actors of all arms have within 5 % as many parameters.',
  dishonest:
    'Arms with fewer parameters where a part is taken out; a world in which nothing is hidden, so that there is nothing to remember.',
  next: 'Ten times as many steps, and hidden channels of the others: does the memory pay in the end?',
});
