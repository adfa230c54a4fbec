/** P003: one network for all trade-offs between colours, against networks for a single one, on the same steps. */
import type { JsonObject } from '#contract/kit/json.ts';
import { definePaper } from '../define.ts';
import { defineBuilt, headOf } from '../define-forms.ts';

const only = (...weights: number[]): { readonly algo: { readonly config: JsonObject } } => ({ algo: { config: { only: weights } } });

const judged = definePaper({
  id: 'P003',
  title: 'MOMAland: A Set of Benchmarks for Multi-Objective Multi-Agent Reinforcement Learning',
  authors: 'Felten et al.',
  year: 2024,
  link: 'https://arxiv.org/abs/2407.16312',
  sign: 'ours',
  claim: 'A suite of more than ten multi-agent tasks with several objectives and baselines for them; the abstract compares no methods.',
  source: {
    read: 'Authors’ code, Farama-Foundation/momaland at 6dd3295, momaland/envs/item_gathering/item_gathering.py.',
    table: [
      { of: 'moves, clashes, one reward a colour, end', ours: 'src/core/envs/multi-objective/lib/gathering.ts', state: 'kept' },
      {
        of: 'a learner for teams with several rewards',
        ours: 'src/core/algos/multi-objective/pareto-dqn.ts',
        state: 'changed',
        note: 'One value network for all weightings.',
      },
      { of: 'the other tasks of the suite', ours: '', state: 'left out', note: 'One of them.' },
    ],
  },
  differs: [
    'one of the tasks, item gathering, seven steps long',
    '60,000 training steps',
    'one value network for all weightings in place of a team learner for each',
  ],
  found: {
    outcome: 'open',
    text: 'An even weighting leaves something to gain here (1.6 times as much with another one), but five seeds do not decide by how much.',
  },
  question: 'Where a team has several objectives, does learning for all weightings at once reach more trade-offs than learning for one?',
  idea: 'Two gatherers, three colours, and time for some items only. A team that learned for one weighting of the colours has one answer; one that learned for all of them has an answer for each.',
  equation: 'hypervolume = volume that the returns found dominate together, above the reference point',
  config: {
    v: 1,
    env: { id: 'mo-item-gathering', config: { maxSteps: 7 } },
    algo: { id: 'pareto-dqn', config: { referencePoint: [-1, -1, -1], epsilonEnd: 0.1 } },
    run: { steps: 60_000, evalEpisodes: 1 },
  },
  arms: [
    { id: 'sweep', title: 'all weightings in one network', trials: 1 },
    { id: 'even', title: 'one weighting: all colours alike', trials: 1, differs: only(1, 1, 1) },
    { id: 'one-colour', title: 'one weighting: the first colour before all', trials: 1, differs: only(8, 1, 1) },
  ],
  quantity: { title: 'hypervolume of the trade-offs found', of: 'hypervolume' },
  contrasts: [
    { id: 'over an even weighting', kind: 'ratio', arm: 'sweep', over: 'even', claim: 'above', size: 1.2 },
    { id: 'over one colour first', kind: 'ratio', arm: 'sweep', over: 'one-colour', claim: 'above', size: 1.2 },
  ],
  scale: { better: 'more', ceiling: 39 },
  leftOut:
    'The suite reports no comparison, so this is a test of our own, and in one of its worlds: particles with several rewards are not built.',
  tunedOn: [1, 5],
  quick: { run: { steps: 10_000 }, seeds: 2 },
  scaledDown:
    'Item gathering with seven steps, 60,000 of them in training; a shared value network in place of a team learner for every weighting.',
  dishonest: 'Calling the direction the paper’s finding; a reference point that one arm alone dominates; more steps for the sweep.',
  next: 'Give one weighting of your own (one weighting only) and see which trade-off it finds.',
});

export const momaland = defineBuilt({
  ...headOf(judged),
  noVerdict: 'A suite of tasks: its abstract compares no methods.',
  asked: {
    ask: 'Two gatherers and three colours. Which way of learning finds most trade-offs between the colours?',
    choices: [
      'All weightings in one network',
      'One weighting: all colours alike',
      'One weighting: the first colour before all',
      'About the same',
    ],
    most: 'more',
    alike: 2,
  },
  about: 'Item gathering, seven steps',
  methods: ['all weightings in one network', 'all colours alike', 'the first colour before all', 'Pareto sweep, a table'],
  tasks: [
    {
      title: 'Item gathering, seven steps',
      env: 'mo-item-gathering',
      unit: 'hypervolume of the trade-offs found, 60,000 steps',
      scores: [{ result: 'P003', arm: 'sweep' }, { result: 'P003', arm: 'even' }, { result: 'P003', arm: 'one-colour' }, null],
    },
    {
      title: 'Item gathering, as it is',
      env: 'mo-item-gathering',
      unit: 'hypervolume, greedy',
      scores: [{ result: 'pareto-gathering', arm: 'run' }, null, null, null],
    },
    {
      title: 'Treasure in the deep sea',
      env: 'deep-sea-treasure',
      unit: 'hypervolume, greedy',
      scores: [null, null, null, { result: 'pareto-treasure', arm: 'run' }],
    },
  ],
  earlier: judged,
});
