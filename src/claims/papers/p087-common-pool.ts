/** P087: an orchard that must not be stripped, and members that see only for themselves, as their neighbours, or as all. */
import { ABSTRACT_ONLY } from '#contract/papers.ts';
import { definePaper } from '../define.ts';

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
  mechanism: ABSTRACT_ONLY,
  differs: ['four members, 40,960 steps', 'survival time in place of an empirical game', 'sharers have larger inputs and more parameters'],
  question: 'Does who shares what he sees change how long a common orchard lasts, everything else being equal?',
  idea: 'Apples come back while others stay around them. Four learners pick for themselves; the only thing that changes between arms is whose views they get besides their own.',
  equation: 'chance that an apple comes back = f(apples around it), 0 without any',
  config: {
    v: 1,
    env: {
      id: 'commons-harvest',
      config: { layout: 'small', agents: 4, viewAhead: 3, viewBehind: 3, viewSide: 3, beam: false, maxSteps: 300 },
    },
    algo: { id: 'ippo' },
    run: { steps: 40_960, evalEpisodes: 10 },
  },
  arms: [
    { id: 'all', title: 'all views shared', trials: 0, differs: { env: { config: { sharing: 'all' } } } },
    { id: 'ring', title: 'views shared in a ring', trials: 0, differs: { env: { config: { sharing: 'neighbours' } } } },
    { id: 'none', title: 'own view only', trials: 0 },
  ],
  quantity: {
    title: 'mean step at which apples are taken, last 100 training episodes',
    unit: 'step',
    metric: 'sustainability',
    take: 'last',
  },
  contrasts: [
    { id: 'sharing with all changes survival', kind: 'difference', arm: 'all', over: 'none', claim: 'above', size: 5 },
    { id: 'sharing in a ring changes survival', kind: 'difference', arm: 'ring', over: 'none', claim: 'above', size: 5 },
  ],
  scale: { better: 'more' },
  exempt: [
    { check: 'parameters', arms: ['all', 'ring', 'none'], why: 'more views are more inputs; everything behind the first layer is equal' },
  ],
  atMost: {
    verdict: 'partly',
    why: 'Survival only: tables of mixes of restrained and exploiting policies, and their equilibria, are not built.',
  },
  quick: { run: { steps: 10_240, evalEpisodes: 5 }, seeds: 2 },
  scaledDown:
    'Four members, four small patches, no beam, 40,960 steps. The paper’s abstract gives no number and no direction; later is our direction.',
  dishonest: 'Labels of policies that are set after seeing their payoffs; more parameters for those that share, without saying so.',
  next: 'Draw links of your own (links), or make apples come back faster (regrowth).',
});
