/** P087: an orchard that must not be stripped, and members that all see what all see, or only what a hub sees. */
import type { JsonObject } from '#contract/kit/json.ts';
import type { Quantity } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';

/** Every member is linked to the hub; in the complete graph the others are linked, too. Windows of those who are not linked stay empty. */
const STAR = [
  [0, 1],
  [0, 2],
  [0, 3],
];
const COMPLETE = [...STAR, [1, 2], [1, 3], [2, 3]];
const linked = (links: JsonObject['links']) => ({ env: { config: { links } } });
const apples: Quantity = { title: 'apples of all members, greedy', unit: 'apples', of: 'evalReturn' };

export const commonPool = definePaper({
  id: 'P087',
  title:
    'A game-theoretic analysis of networked system control for common-pool resource management using multi-agent reinforcement learning',
  authors: 'Pretorius et al.',
  year: 2020,
  link: 'https://arxiv.org/abs/2010.07777',
  sign: 'ours',
  claim:
    'Changing only information structure and topology changes the solution concepts of a networked common-pool system; the abstract gives neither a number nor a direction.',
  source: {
    guess: {
      searches: [
        '“A game-theoretic analysis of networked system control for common-pool resource management” and 2010.07777 among public repositories: reading lists and the abstract, one with a translation.',
        'Repositories of the paper: none.',
      ],
    },
  },
  differs: [
    'four members in one orchard, no beam',
    'survival time and harvest in place of an empirical game',
    'views are shared, no messages learned',
  ],
  found: {
    outcome: 'not shown',
    text: 'Where all are linked apples are taken 5 steps later on average (-3 to 10), where 10 later was asked for; what is picked stays open.',
  },
  question:
    'Does a common orchard last longer where all members see what all see than where all see through a hub, everything else being equal?',
  idea: 'Apples come back while others stay around them. Four learners pick for themselves; the only thing that changes between arms is whose views they get besides their own.',
  equation: 'chance that an apple comes back = f(apples around it), 0 without any',
  config: {
    v: 1,
    env: {
      id: 'commons-harvest',
      config: { agents: 4, sharing: 'neighbours', viewAhead: 3, viewBehind: 3, viewSide: 3, beam: false, maxSteps: 300 },
    },
    algo: { id: 'ippo', config: { envs: 16, rolloutSteps: 64, minibatches: 4, lr: 1e-3, gamma: 0.99, entropyCoef: 0.01 } },
    run: { steps: 200_704, evalEpisodes: 20 },
  },
  arms: [
    // no apple is taken after the last step of an episode
    { id: 'complete', title: 'all linked with all', trials: 1, differs: linked(COMPLETE), scale: { ceiling: 300 } },
    { id: 'star', title: 'all linked with one', trials: 1, differs: linked(STAR), scale: { ceiling: 300 } },
    { id: 'complete-apples', title: 'all linked with all', trials: 1, differs: linked(COMPLETE), quantity: apples },
    { id: 'star-apples', title: 'all linked with one', trials: 1, differs: linked(STAR), quantity: apples },
  ],
  quantity: { title: 'mean step at which apples are taken, greedy', unit: 'step', measured: 'sustainability' },
  contrasts: [
    // a seventh of the 70 steps on seed 901
    { id: 'it lasts longer where all are linked', kind: 'difference', arm: 'complete', over: 'star', claim: 'above', size: 10 },
    // a twentieth of the 240 apples on seed 901
    {
      id: 'more is picked where all are linked',
      kind: 'difference',
      arm: 'complete-apples',
      over: 'star-apples',
      claim: 'above',
      size: 12,
    },
  ],
  scale: { better: 'more' },
  exempt: [
    {
      check: 'random',
      arms: ['complete', 'star'],
      why: 'random play picks little and late, so that an orchard lasts: it is no floor of survival, and learners who strip it end below',
    },
  ],
  leftOut: 'Survival only: tables of mixes of restrained and exploiting policies, and their equilibria, are not built.',
  firstSeed: 3001,
  forms: 2,
  tunedOn: [901, 901],
  quick: { run: { steps: 10_240, evalEpisodes: 5 }, seeds: 2 },
  scaledDown:
    'Four members in one orchard without a beam, 200,704 steps; each sees three cells far. Both arms have equal inputs: the windows of members that one is not linked with are empty. The paper’s abstract gives no number and no direction; longer with more links is our direction. A first form, on ten seeds from 1,001, compared all, a ring and no one else’s views by training episodes and unequal inputs: all of it was still falling below random play as members learned to pick sooner. Tried on seed 901 and left: four small patches, which both arms strip within the first eleven steps.',
  dishonest: 'Labels of policies that are set after seeing their payoffs; more parameters for those that share, without saying so.',
  next: 'Draw links of your own (links), or make apples come back faster (regrowth).',
});
