/** P064: populations that shun variance, and those that take the equilibrium that pays most, in two games of trust. */
import type { JsonObject } from '#contract/kit/json.ts';
import { definePaper } from '../define.ts';

const solver = (config: JsonObject) => ({ algo: { config } });
const trust = (config: JsonObject) => ({ env: { config: { game: 'trust-dilemma' } }, ...solver(config) });

export const raePsro = definePaper({
  id: 'P064',
  title: 'A Game-Theoretic Framework for Managing Risk in Multi-Agent Systems',
  authors: 'Slumbers et al.',
  year: 2023,
  link: 'https://arxiv.org/abs/2205.15434',
  claim:
    'A risk-averse equilibrium has the least variance in risky matrix games, chooses the risk-dominant equilibrium of a trust dilemma, and crashes 7 times less than the best baseline when driving.',
  source: {
    guess: {
      searches: [
        '“A Game-Theoretic Framework for Managing Risk in Multi-Agent Systems”, “risk-averse equilibrium”, “RAE-PSRO” and 2205.15434 among public repositories: one list of papers.',
        'Repositories by its authors: none with its games.',
      ],
    },
  },
  differs: ['two games of two actions', 'no driving', 'exact best responses'],
  found: {
    outcome: 'open',
    text: 'The risk-averse solver plays safe on every seed and lowers the risk in the hunt by 4; in the dilemma one block of forty seeds shows a gain and the other does not.',
  },
  question: 'Does a population that counts the variance of its payoff as a cost choose what an erring partner harms least?',
  idea: 'Others may do anything. Who takes the spread of payoffs over the others’ choices for a cost ends where nobody can hurt him much, if at less pay.',
  equation: 'maximise over own mixture: E[u] - aversion x Var over the other’s choices [u]',
  config: {
    v: 1,
    env: { id: 'matrix-games', config: { game: 'stag-hunt', maxSteps: 1 } },
    algo: { id: 'psro', config: { startMembers: 8, tolerance: 0, metaSolver: 'risk-averse' } },
    run: { steps: 20_000, evalEpisodes: 100 },
  },
  arms: [
    { id: 'hunt', title: 'stag hunt, risk-averse', trials: 0 },
    { id: 'hunt-nash', title: 'stag hunt, general-sum Nash', trials: 0, differs: solver({ metaSolver: 'general-nash' }) },
    { id: 'hunt-uniform', title: 'stag hunt, uniform', trials: 0, differs: solver({ metaSolver: 'uniform' }) },
    { id: 'trust', title: 'trust dilemma, risk-averse', trials: 0, differs: trust({}) },
    { id: 'trust-nash', title: 'trust dilemma, general-sum Nash', trials: 0, differs: trust({ metaSolver: 'general-nash' }) },
    { id: 'trust-uniform', title: 'trust dilemma, uniform', trials: 0, differs: trust({ metaSolver: 'uniform' }) },
  ],
  quantity: { title: 'variance of the payoff against a partner who plays every action alike', metric: 'payoffVariance', take: 'last' },
  contrasts: [
    { id: 'less risk in the hunt', kind: 'difference', arm: 'hunt', over: 'hunt-nash', claim: 'below', size: -1 },
    // general Nash ends at 36 or at 0: the mean counts how often it trusts, the interquartile mean hides it
    { id: 'less risk in the dilemma', kind: 'difference', arm: 'trust', over: 'trust-nash', claim: 'below', size: -4, middle: 'mean' },
    // 1 % of 36, the variance of trusting: the weights of an average never fall to 0 exactly.
    { id: 'plays safe on every seed', kind: 'every', arm: 'trust', claim: 'below', none: 0.36 },
  ],
  scale: { better: 'less' },
  exempt: [
    {
      check: 'parameters',
      arms: ['hunt', 'hunt-nash', 'trust', 'trust-nash'],
      why: 'a mixture of two actions has the same two numbers in every arm, however many members it is made of',
    },
    {
      check: 'steps',
      arms: ['hunt', 'hunt-nash', 'trust', 'trust-nash'],
      why: 'a population ends when no response is new: nothing is left to learn',
    },
  ],
  leftOut:
    'Matrix games only: the crossing with cars is not built, and in these games the safe choice pays less than the best equilibrium, not within 10 % of it.',
  forms: 2,
  firstSeed: 3001,
  quick: { run: {}, seeds: 3 },
  scaledDown:
    'Two games of two actions. A population begins with eight mixtures drawn at random, which is what a seed changes; responses are exact. A first run was void by a check, because populations that differ had one hash where they came to the same strategy; the hash now covers the members, the rule is unchanged. An earlier form of ten seeds (1001 to 1010) left the dilemma open, because the rival ends at one of two values and its interquartile mean jumps between them; this form compares means, on new seeds.',
  dishonest:
    'Comparing with a solver that plays safe anyway: Nash of the zero-sum game of differences does, so the rival here is that of the payoffs as they are.',
  next: 'Change the aversion (0.5): from which value on is trust given up? Or give a table of your own, in which the safe choice pays as much.',
});
