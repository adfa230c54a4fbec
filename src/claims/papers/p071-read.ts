/** P071: plans of an erring planner, filtered by an advantage learned from its own play, against a physical check and against asking twice. */
import type { JsonObject } from '#contract/kit/json.ts';
import type { Quantity } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';

const errs = (error: number): { env: { config: JsonObject } } => ({ env: { config: { error } } });
const perQuery: Quantity = { title: 'soups for 100 queries', measured: 'soupsPerQueries' };
/** Random play (200 episodes), and the scripted pair of Overcooked in this kitchen, which is asked nothing. */
const half = { random: 44.1, ceiling: 218 };
const three = { random: 82.7, ceiling: 218 };
const never = { random: 194.2, ceiling: 218 };
/** Random play, and a planner that never errs, of which every plan is taken. */
const queries = { random: 2.7, ceiling: 9.9 };

export const read = definePaper({
  id: 'P071',
  title: 'Towards Efficient LLM Grounding for Embodied Multi-Agent Collaboration',
  authors: 'Zhang et al.',
  year: 2024,
  link: 'https://arxiv.org/abs/2405.14314',
  claim:
    'Plans that are refined until an advantage learned from the planner’s own data is high succeed more often than physically verified ones, with fewer steps and fewer queries.',
  published: null,
  source: {
    read: 'The abstract, and summaries of the method: critic regression, and one plan at a time refined until its advantage is above a threshold.',
    table: [
      {
        of: 'a sequential advantage: the value with the plans of agents 1 to i less that with those of 1 to i - 1',
        ours: 'src/core/algos/hierarchy/advantage-filter.ts (advantageFilter)',
        state: 'kept',
      },
      {
        of: 'critic regression on data of the planner alone',
        ours: 'src/core/algos/hierarchy/advantage-filter.ts (advantageFilter)',
        state: 'kept',
      },
      {
        of: 'ask again until the advantage is above a threshold',
        ours: 'algo.config.threshold',
        state: 'changed',
        note: 'Here a refusal costs a step, so that the threshold is a little below 0.',
      },
      {
        of: 'a language model as the planner, told the advantages of what it proposed before',
        ours: 'src/core/envs/teams/lib/planned/planner.ts (plannerOf)',
        state: 'changed',
        note: 'A script that proposes any of seven plans with a set chance; told nothing.',
      },
      { of: 'RoCoBench, joint refinement', ours: '', state: 'left out', note: 'One kitchen, one plan at a time.' },
    ],
  },
  differs: [
    'a script with a set chance of errors in place of a language model',
    'it is told nothing of what was refused: asking again is drawing again',
    'one kitchen, the ring; a refusal costs a step',
  ],
  found: {
    outcome: 'mixed',
    text: 'On ten seeds the filter brings 13 of return more than the physical check at three errors in ten. At five in ten, where the play it learns from serves few soups, the 10 more that were asked are excluded: 16 less, an interval that includes 0. Soups for 100 queries are left open, at 1.04 times as many.',
  },
  question:
    'Do two cooks bring more soups when plans are refused by an advantage fitted to the planner’s own play than when only impossible ones are refused, and more soups for as many queries?',
  idea: 'A look at the kitchen refuses what cannot be done. It does not refuse a second dish while no soup cooks. What such plans cost was seen while every plan was taken: a network of that play says what a plan adds to what is to come.',
  equation: 'A_i = Q(s, a_1 .. a_i) - Q(s, a_1 .. a_{i-1}),   take a_i if A_i >= threshold, else ask again',
  config: {
    v: 1,
    env: { id: 'planned-kitchen', config: { error: 0.3 } },
    algo: { id: 'advantage-filter', config: {} },
    run: { steps: 300_000, evalEpisodes: 40 },
  },
  arms: [
    { id: 'filter', title: 'advantage, three errors in ten', trials: 4, scale: three },
    { id: 'check', title: 'physical check, three in ten', trials: 0, script: 'takes-possible', scale: three },
    { id: 'filter-half', title: 'advantage, five in ten', trials: 14, scale: half, differs: errs(0.5) },
    { id: 'check-half', title: 'physical check, five in ten', trials: 0, script: 'takes-possible', scale: half, differs: errs(0.5) },
    { id: 'filter-queries', title: 'advantage, soups for 100 queries', trials: 4, quantity: perQuery, scale: queries },
    {
      id: 'check-queries',
      title: 'physical check, soups for 100 queries',
      trials: 0,
      script: 'takes-possible',
      quantity: perQuery,
      scale: queries,
    },
    { id: 'twice', title: 'asked until a plan came twice, three in ten', trials: 0, script: 'takes-second', scale: three },
    { id: 'all', title: 'every plan taken, three in ten', trials: 0, script: 'takes-all', scale: three },
    { id: 'filter-none', title: 'advantage, no errors', trials: 0, scale: never, differs: errs(0) },
    { id: 'check-none', title: 'physical check, no errors', trials: 0, script: 'takes-possible', scale: never, differs: errs(0) },
  ],
  quantity: { title: 'return of a cook in 400 steps, 20 for a soup', of: 'evalReturn' },
  contrasts: [
    // a quarter of a soup, of the eight tenths that the check leaves to a rule which knows the right plan (201)
    { id: 'over the check, three in ten', kind: 'difference', arm: 'filter', over: 'check', claim: 'above', size: 5 },
    // half a soup, of the two that it leaves there (198)
    { id: 'over the check, five in ten', kind: 'difference', arm: 'filter-half', over: 'check-half', claim: 'above', size: 10 },
    // such a rule gets 1.13 times as many
    { id: 'soups for 100 queries', kind: 'ratio', arm: 'filter-queries', over: 'check-queries', claim: 'above', size: 1.05 },
  ],
  scale: { better: 'more' },
  exempt: [
    { check: 'ceiling', arms: ['filter-none', 'check-none'], why: 'without errors nothing is to be gained: that is what these two show' },
  ],
  leftOut: 'No language model, so nothing is learned from a refusal; joint plans are not refined together.',
  tunedOn: [901, 902],
  looks: [10, 20],
  quick: { run: { steps: 100_000, evalEpisodes: 10 }, seeds: 2 },
  scaledDown:
    'The ring kitchen, seven named plans, 300,000 steps of which four fifths are recorded play. Tried on seeds 901 and 902, mostly in a version in which a plan that cannot be done took one step: a discount of 0.95 to 0.99, thresholds of -0.6 to 1, 32 to 512 gradient steps a rollout, traces of 0.85 to 1. Where such a plan takes its 20 steps, as here, the filter was ahead of the check at three errors in ten and behind it at five, with thresholds of -0.3, -0.1 and 0 alike. After these two seeds, and before any that is reported, three errors in ten was made the main contrast in place of five, and the size for queries 1.05 in place of 1.1.',
  dishonest: 'A filter fitted on plans without errors; a dial that is judged at 0 alone; steps of waiting that are not counted.',
  next: 'Let the planner hear what was refused: how many queries does that save, with the same filter?',
});
