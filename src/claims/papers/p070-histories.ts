/** P070: values on codes of histories, with and without a loss that forgets what makes no difference, in eight T-mazes of random recordings. */
import { ABSTRACT_ONLY, type Arm } from '#contract/papers.ts';
import { definePaper } from '../define.ts';

/** Worlds: the returns of their recordings, which are random play, on seed 1. */
const WORLDS = [
  { id: '3', title: 'corridor of 3', random: -0.09, config: { length: 3 } },
  { id: '3-noise', title: 'corridor of 3, noise', random: -0.09, config: { length: 3, noise: true } },
  { id: '3-rewrite', title: 'corridor of 3, new cues', random: -0.29, config: { length: 3, rewriteRate: 0.3 } },
  { id: '3-both', title: 'corridor of 3, noise and new cues', random: -0.17, config: { length: 3, noise: true, rewriteRate: 0.3 } },
  { id: '5', title: 'corridor of 5', random: -0.75, config: { length: 5 } },
  { id: '5-noise', title: 'corridor of 5, noise', random: -0.75, config: { length: 5, noise: true } },
  { id: '5-rewrite', title: 'corridor of 5, new cues', random: -0.79, config: { length: 5, rewriteRate: 0.3 } },
  { id: '5-both', title: 'corridor of 5, noise and new cues', random: -0.58, config: { length: 5, noise: true, rewriteRate: 0.3 } },
] as const;
/** Where the loss was highest without its weight, on seed 1. */
const HIGH = ['3-both', '3', '3-rewrite', '5-rewrite'] as const;

const lossOf = { title: 'bisimulation loss at the end, where it has no weight', metric: 'bisimulation', take: 'last' } as const;
const arms = WORLDS.flatMap(({ id, title, random, config: env }): readonly Arm[] => {
  const scale = { random, ceiling: 4 };
  return [
    {
      id: `with-${id}`,
      title: `${title}: with the loss`,
      trials: 2,
      differs: { env: { config: env }, algo: { config: { bisimulation: 0.003 } } },
      scale,
    },
    { id: `without-${id}`, title: `${title}: without`, trials: 1, differs: { env: { config: env } }, scale },
    { id: `loss-${id}`, title: `${title}: its bisimulation loss, without`, trials: 1, differs: { env: { config: env } }, quantity: lossOf },
  ];
});

export const histories = definePaper({
  id: 'P070',
  title: 'Offline RL with Observation Histories: Analyzing and Improving Sample Complexity',
  authors: 'Hong et al.',
  year: 2023,
  link: 'https://arxiv.org/abs/2310.20663',
  claim: 'A bisimulation loss on codes of observation histories improves offline RL, or that loss is already small where it does not help.',
  mechanism: ABSTRACT_ONLY,
  differs: [
    'eight T-mazes with corridors of 3 and 5 cells',
    'random recordings of 1,500 steps, 800 updates',
    'the raw loss, which grows with the size of the codes',
  ],
  question:
    'Does a bisimulation loss on codes of histories help where it is high, and is it low where values on histories do well without it?',
  idea: 'No two histories are alike, so what was learned from one says nothing of another, unless their codes forget what makes no difference. A loss draws together codes of histories that are followed by the same.',
  equation: "B = (|z_i - z_j| - |r_i - r_j| - gamma |z'_i - z'_j|)^2",
  config: {
    v: 1,
    env: { id: 'gridworld-memory', config: { task: 't-maze', maxSteps: 16 } },
    algo: { id: 'history-cql', config: { dataset: 'random', recordSteps: 1500, alpha: 0.3, lr: 2e-3, gamma: 0.98 } },
    run: { steps: 800, evalEpisodes: 100 },
  },
  arms,
  quantity: { title: 'mean greedy return', of: 'evalReturn' },
  contrasts: [
    {
      id: 'the higher the loss of a world, the lower its return',
      kind: 'agree',
      arms: WORLDS.map(({ id }) => `loss-${id}`),
      others: WORLDS.map(({ id }) => `without-${id}`),
      claim: 'below',
      size: -0.5,
    },
    {
      id: 'a gain in three of the four worlds of the highest loss',
      kind: 'cells',
      cells: HIGH.map((id) => [`with-${id}`, `without-${id}`]),
      of: 3,
      claim: 'above',
      size: 0.4, // a tenth of the return of a solved world
    },
  ],
  scale: { better: 'more' },
  exempt: [
    {
      check: 'random',
      arms: WORLDS.flatMap(({ id }) => [`with-${id}`, `without-${id}`]),
      why: 'in which worlds the values fail is what is asked',
    },
    { check: 'trials', arms: WORLDS.map(({ id }) => `without-${id}`), why: 'without the loss there is no weight to choose' },
  ],
  tunedOn: [1, 1],
  noQuick: 'it compares sixteen arms; each of them is one press in the laboratory',
  scaledDown:
    'T-mazes with corridors of 3 and 5 cells, with and without noise and cues that change, cut after 16 steps; recordings of 1,500 steps of random play, 800 updates on batches of 32 episodes, a GRU of 32. With recordings of a player who errs every world of this size was solved without the loss. What follows a pair of histories is what was recorded, not a learned model. Codes hold observations alone. The weight was chosen among 0.003 and 0.03 on one seed of one world; the four worlds of the highest loss are those of that seed.',
  dishonest: 'Leaving out worlds in which neither holds; calling those worlds high in loss, afterwards, in which there was a gain.',
  next: 'Set the weight to 0.1: codes then tell rewards apart and little else.',
});
