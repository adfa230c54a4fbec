/**
 * Search in visible steps, token by token. pairs: find two numbers that sum to the target. A try is the letter of a pair, a for the first and
 * second number, b for the first and third, and so on; the world answers = < or > (the sum is less or more than the target), and a last "!"
 * says that the try before it is the answer. exchange: put a list in order by exchanging neighbours, one a turn; the row
 * begins anew with the list as it stands, so that every list on the way is a task of its own.
 * Obs: the row so far, one token id per place, 0 behind its end. Actions: the 64 tokens of the vocabulary.
 * Reward, pairs: 1 at the end where the last try sums to the target, and `stepBonus` for every try that was not made before, whatever the end.
 * Reward, exchange: the change of the pairs in order, as a share of all pairs; -0.1 for a turn of the wrong form.
 * Ends with "!", when the list is in order, at the last step, or with a turn of the wrong form. Truncates never.
 * Source: own tasks after countdown (TinyZero) and sorting by exchanges; what a step is worth follows RLSP (Ye et al. 2025).
 */
import { z } from 'zod';
import type { MetricCard } from '#contract/catalog/catalog.ts';
import { kind, variant } from '../api/variant.ts';
import { stepsInWords } from './lib/asked.ts';
import { defineTokenEnv, heldOut, type TokenTask } from './lib/define.ts';
import { checkSome, splitField } from './lib/knobs.ts';
import { talkReferences } from './lib/references.ts';
import { MARKS, STEP_KINDS, STEP_TASKS, stepTerms } from './lib/steps.ts';

const stepBonus = z.number().min(0).max(0.5).default(0).meta({
  title: 'step bonus',
  description: 'Reward of a try that was not made before, right or wrong.',
  source: 'RLSP',
  depth: 'teach',
  group: 'reward',
});
const others = {
  numbers: z
    .int()
    .min(3)
    .max(9)
    .default(4)
    .meta({ title: 'numbers', description: 'Numbers there are.', source: 'own choice', group: 'task' }),
  steps: z.int().min(1).max(16).default(8).meta({
    title: 'allowed steps',
    description: 'Tries or exchanges at most; the last one ends the episode.',
    source: 'own choice',
    depth: 'teach',
    group: 'task',
  }),
  split: splitField.meta({
    title: 'prompts',
    description: 'A tenth of all prompts is held out: of pairs by the target and the numbers, in any order; of lists by their order.',
    source: 'own choice',
    group: 'task',
  }),
  mistakes: z.number().min(0).max(1).default(0.5).meta({
    title: 'mistakes of the novice',
    description: 'pairs: how often it answers with a try that missed; exchange: share of its exchanges that are random.',
    source: 'own choice',
    group: 'scripted policies',
  }),
};
const config = z.strictObject({
  task: variant('pairs', [kind('pairs', { stepBonus }), kind('exchange', {})], {
    title: 'task',
    description: 'pairs: two numbers that sum to the target; exchange: a list to put in order.',
    source: 'own choice',
    depth: 'teach',
    group: 'task',
  }),
  ...others,
});
const flat = z.strictObject({ task: z.enum(STEP_TASKS as [(typeof STEP_TASKS)[number]]), stepBonus, ...others });
type Config = z.infer<typeof flat>;

const measures: readonly MetricCard[] = [
  ...MARKS.map(
    (mark): MetricCard => ({
      id: `by${mark}`,
      title: `solved by step ${mark}`,
      description: `Share of the last 100 episodes that were solved in at most ${mark} ${mark === 1 ? 'step' : 'steps'}.`,
    }),
  ),
  {
    id: 'backtracks',
    title: 'useful backtracks',
    description: 'pairs: tries that were new and followed one that missed, in episodes that were solved, per episode of the last 100.',
  },
];

function taskOf(c: Config): TokenTask {
  const steps = STEP_KINDS[c.task];
  const { prompt, turn, written, reply, rows } = steps.sizes(c);
  const accepts = (seed: number): boolean => c.split === 'all' || heldOut(steps.question(c, seed)) === (c.split === 'held-out');
  checkSome(accepts, 'Choose more numbers.');
  return {
    sizes: { prompt, written, replies: c.steps * reply, ...(rows !== undefined && { again: { rows, turn } }) },
    accepts,
    talk: (seed) => steps.create(c, seed),
  };
}

export const tSteps = defineTokenEnv<Config>({
  id: 't-steps',
  title: 'Search in steps',
  summary: 'Find two numbers that sum to a target by trying, or put a list in order exchange by exchange: every step can be verified.',
  source: { title: 'Searches in steps of tokens', authors: 'RL Workbench', year: 2026 },
  version: 2,
  changes: [
    {
      version: 2,
      what: 'Prompts can be held out; in exchange a token that is no character costs 0.1, as every turn of the wrong form.',
      before: { split: 'all' },
      where: { task: ['exchange'] },
      rerun: true,
    },
  ],
  config,
  flat,
  terms: stepTerms,
  measures,
  recommended: { algo: 'group-rl', preset: 'cloned', steps: 400_000, env: { split: 'train' }, evalEvery: 20_000 },
  presets: [
    { id: 'pairs', title: 'two numbers that sum to a target', config: {} },
    { id: 'explored', title: 'the same, every new try paid', config: { task: { kind: 'pairs', stepBonus: 0.05 } } },
    { id: 'exchange', title: 'a list of 6 in 16 exchanges', config: { task: { kind: 'exchange' }, numbers: 6, steps: 16, mistakes: 1 } },
  ],
  references: talkReferences({
    begin: (c: Config, seed) => STEP_KINDS[c.task].create(c, seed),
    most: (c) => STEP_KINDS[c.task].sizes(c).written,
    careless: (c) => ({ ...c, mistakes: 1 }),
    turns: 'a novice that always errs',
  }),
  task: taskOf,
  question: (c, prompt) => stepsInWords(c.task, prompt),
});
