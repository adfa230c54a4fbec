/** P033: calling a central learner only where it pays, in the coin game. */
import type { JsonObject } from '#contract/kit/json.ts';
import { definePaper } from '../define.ts';

const algo = (config: JsonObject) => ({ algo: { config } });

export const mansa = definePaper({
  id: 'P033',
  title: 'MANSA: Learning Fast and Slow in Multi-Agent Systems',
  authors: 'Mguni et al.',
  year: 2023,
  link: 'https://arxiv.org/abs/2302.05910',
  claim:
    'Learning where a central learner is worth its cost beats always and never calling it, with 40 % fewer calls in battles and calls at 1 % of the steps in foraging.',
  source: {
    guess: {
      searches: [
        '“MANSA: Learning Fast and Slow in Multi-Agent Systems”, “Multi-Agent Network Selection Algorithm” and 2302.05910 among public repositories: two lists of papers with the abstract.',
        'Pages about switching controls, calls of the central learner and their cost: abstracts, the reviewed form of 2022, and a conversion of the text that is stored only up to its introduction.',
        'Repositories named MANSA or by its authors: none of the paper.',
      ],
    },
  },
  differs: ['the coin game in place of foraging and battles', 'one cost of a call, 0.5', '250,000 steps'],
  found: {
    outcome: 'mixed',
    text: 'Calling the central learner only where it pays earns 2.6 to 2.8 more than calling it always or by a coin.',
  },
  question: 'Where central learning has a price, does choosing when to pay it earn more than never, always or chance?',
  idea: 'Agents learn alone by default. A third learner watches all of them and calls a central one for a step, where it expects the call to be worth its cost.',
  equation: 'switch: max over g in {0, 1} of E[sum gamma^t (R_t - c g_t)]',
  config: {
    v: 1,
    env: { id: 'coin-game' },
    algo: {
      id: 'mansa',
      config: {
        switchCost: 0.5,
        recurrent: false,
        rolloutSteps: 4,
        batchSize: 64,
        bufferSize: 50_000,
        learningStarts: 2000,
        lr: 1e-3,
        annealLr: false,
        optimiser: 'adam',
        gamma: 0.95,
        targetEvery: 1,
        tau: 0.01,
        epsilonFraction: 0.5,
        hyperUnits: 32,
        mixerScale: 1,
      },
    },
    run: { steps: 250_000 },
  },
  arms: [
    { id: 'learned', title: 'a learned switch', trials: 1 },
    { id: 'always', title: 'QMIX in every step', trials: 1, differs: algo({ switching: 'always' }) },
    { id: 'never', title: 'independent learners alone', trials: 1, differs: algo({ switching: 'never' }) },
    { id: 'random', title: 'a coin tossed in every step', trials: 1, differs: algo({ switchEpsilonEnd: 1 }) },
  ],
  quantity: { title: 'return less the cost of calls, last 100 training episodes', of: 'netReturn' },
  contrasts: [
    { id: 'over always', kind: 'difference', arm: 'learned', over: 'always', claim: 'above', size: 1 },
    { id: 'over never', kind: 'difference', arm: 'learned', over: 'never', claim: 'above', size: 1 },
    { id: 'over a coin', kind: 'difference', arm: 'learned', over: 'random', claim: 'above', size: 1 },
  ],
  // two coins a step, each worth 1 to who owns it, in ten steps; calls cost
  scale: { better: 'more', random: 0, ceiling: 20 },
  exempt: [
    {
      check: 'random',
      arms: ['never'],
      why: 'independent learners take each other’s coins and end at 0 as chance does: that is what the paper says of them',
    },
    { check: 'parameters', arms: ['always', 'never'], why: 'a fixed switch has no network of its own; the learners are the same' },
  ],
  leftOut: 'The coin game is neither of the paper’s worlds, foraging and battles.',
  tunedOn: [1, 5],
  quick: { run: { steps: 50_000 }, seeds: 2 },
  scaledDown:
    'One small world in place of foraging and battles, one cost of a call (0.5; ten calls in every episode would cost 5), 250,000 steps.',
  dishonest: 'Choosing the cost after seeing the results; slowing the arm that always calls by wall time.',
  next: 'Change the cost (switchCost): at 0 the switch should call always, at 2 never.',
});
