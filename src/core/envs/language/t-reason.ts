/**
 * Write the answer to a prompt, one token per step: sums, products, remainders, chains, countdown, words to copy, reverse or sort, brackets,
 * rewriting, lookup, graphs, mazes. Every prompt is drawn, every answer judged by an exact verifier; nothing pretrained is involved.
 * Obs: the row so far, one token id per place, 0 behind its end. Actions: the 64 tokens of the vocabulary; the end token closes the answer.
 * Reward 1 for a right answer; else `formatReward` for one of the right form plus `partialReward` times the share that is right. Ends with
 * the end token, or with a token that is no character. Truncates when there is no place left, which scores nothing.
 * Rules that a prompt leaves open. Form: an answer of letters or brackets has at most 16 symbols, a way through a maze at most 32, a number at
 * most 8 digits, or as many as the right answer if it has more; with a scratchpad exactly one # stands before the answer, and the steps are
 * not judged. chain: from left to right, modulo 10 after each operation (3+5*2 is 6). mul: steps are each digit of the first number, from the
 * units on, times the whole second one. countdown: each number at most once, no sign before a number, no division that leaves a remainder.
 * rewrite: the first rule that matches, at its leftmost place, until none does. graph, maze: any shortest way is right, a longer one earns
 * half of the partial reward; the expert names the first in the alphabet. brackets to check: half are spoilt, one symbol replaced in half of
 * these and two exchanged in the others. lookup: at least three entries more than hops. Held out: a tenth, by a draw from the hash of the
 * prompt; sums, products and countdowns of the same numbers in another order are held out together.
 * Source: tasks as in TinyZero (countdown) and studies of small transformers (copying, addition, modular arithmetic, bracket languages).
 */
import { z } from 'zod';
import type { Xorshift } from '#math/xorshift.ts';
import { badConfig } from '../api/parse.ts';
import { kind, variant } from '../api/variant.ts';
import { taskInWords } from './lib/asked.ts';
import { defineTokenEnv, heldOut, type TokenTask } from './lib/define.ts';
import { count, drawnSplit } from './lib/knobs.ts';
import { onceFor, randomReference, uniformMean } from './lib/references.ts';
import { bestShortcut } from './lib/shortcuts.ts';
import {
  demonstration,
  fieldOf,
  type Item,
  itemOf,
  type Knobs,
  questionOf,
  TASK_NAMES,
  type Verdict,
  verify,
  walkTo,
} from './lib/tasks.ts';
import { drawWalk, fieldLayout } from './lib/worlds.ts';

const share = (value: number, title: string, description: string, group: string) =>
  z.number().min(0).max(1).default(value).meta({ title, description, source: 'own choice', group });
const yes = (title: string, description: string) =>
  z.boolean().default(false).meta({ title, description, source: 'own choice', group: 'task' });

/** Of single tasks. */
const fields = {
  order: z.enum(['copy', 'reverse', 'sort']).default('reverse').meta({
    title: 'order',
    description: 'How the letters come back.',
    source: 'own choice',
    depth: 'teach',
    group: 'task',
  }),
  length: count(
    3,
    8,
    'length',
    'Letters of a word, operations of a chain, numbers of a countdown, brackets, entries of a lookup, or nodes of a graph.',
    2,
  ),
  letters: count(4, 26, 'letters', 'Letters there are.', 2),
  digitsA: count(2, 4, 'digits of the first number', 'As many as it has.'),
  digitsB: count(2, 4, 'digits of the second number', 'As many as it has.'),
  digitsC: count(2, 4, 'digits of the third number', 'As many as it has.'),
  ops: z.enum(['+', '+-', '+-*']).default('+-').meta({
    title: 'operations',
    description: 'Those that may be asked for.',
    source: 'own choice',
    group: 'task',
  }),
  modulus: count(13, 99, 'modulus', 'What numbers are divided by, for the remainder.', 2),
  largest: count(9, 20, 'largest number', 'Numbers from 1 up to this.', 2),
  limit: count(50, 200, 'largest value', 'Of the target and of what leads to it.', 2),
  exact: yes('use every number', 'A way that leaves numbers out is wrong.'),
  reversed: yes('units first', 'The digits of the sum from the units on, so that the carry comes first.'),
  kinds: count(2, 4, 'kinds of brackets', 'Round, square, curly, pointed, in this order.'),
  mode: z.enum(['complete', 'check']).default('complete').meta({
    title: 'question',
    description: 'Close what is open, or say whether all fit.',
    source: 'own choice',
    group: 'task',
  }),
  hops: count(1, 8, 'hops', 'Entries on the way to the digit; there are at least three more.'),
  extra: count(2, 8, 'extra edges', 'Beside those of a tree.', 0),
  width: count(4, 6, 'width', 'In cells.', 2),
  height: count(4, 6, 'height', 'In cells.', 2),
  walls: z
    .int()
    .min(0)
    .max(50)
    .default(25)
    .meta({ title: 'walls', unit: '%', description: 'Share of the cells.', source: 'own choice', group: 'task' }),
};
const others = {
  scratch: yes('scratchpad', 'The completion is steps#answer.'),
  split: z.enum(['all', 'train', 'held-out']).default('all').meta({
    title: 'prompts',
    description: 'A tenth of all prompts, chosen by their text, is held out.',
    source: 'own choice',
    group: 'task',
  }),
  formatReward: share(
    0.1,
    'format reward',
    'For a wrong answer of the right form. It finds the first answers where nothing was copied; after a copied start the shortest answer may win.',
    'reward',
  ),
  partialReward: share(0.5, 'partial reward', 'Times the share of a wrong answer that is right.', 'reward'),
  mistakes: share(0, 'mistakes of the novice', 'Share of its answers that are spoilt in their last character.', 'scripted policies'),
};
const { order, length, letters, digitsA, digitsB, digitsC, ops, modulus, largest, limit, exact, reversed } = fields;
const { kinds, mode, hops, extra, width, height, walls } = fields;
const KINDS = [
  kind('seq', { order, length, letters }),
  kind('add', { digitsA, digitsB, reversed }),
  kind('mul', { digitsA, digitsB }),
  kind('mod', { ops, modulus }),
  kind('chain', { length, ops }),
  kind('countdown', { length, ops, largest, limit, exact }),
  kind('brackets', { length, kinds, mode }),
  kind('rewrite', { length }),
  kind('lookup', { length, hops }),
  kind('graph', { length, extra }),
  kind('maze', { width, height, walls }),
  kind('tool', { digitsA, digitsB, digitsC }),
] as const;
const config = z.strictObject({
  task: variant('seq', KINDS, {
    title: 'task',
    description: 'What the prompt asks for; seq: a word to copy, reverse or sort.',
    source: 'own choice',
    depth: 'teach',
    group: 'task',
  }),
  ...others,
});
const flat = z.strictObject({ task: z.enum(TASK_NAMES as [(typeof TASK_NAMES)[number]]), ...fields, ...others });
type Config = z.infer<typeof flat>;

/** Entries of a lookup beside those on the way: each holds a digit, or the only digit would be the answer. */
const MORE_ENTRIES = 3;

const ORDERS = { copy: 'c', reverse: 'r', sort: 's' } as const;

function knobsOf(c: Config): Knobs {
  return {
    da: c.digitsA,
    db: c.digitsB,
    dc: c.digitsC,
    rev: c.reversed,
    scratch: c.scratch,
    p: c.modulus,
    n: c.task === 'lookup' ? Math.max(c.length, c.hops + MORE_ENTRIES) : c.length,
    ops: c.ops,
    max: c.largest,
    limit: c.limit,
    exact: c.exact,
    op: ORDERS[c.order],
    L: c.length,
    A: c.letters,
    types: c.kinds,
    mode: c.mode,
    exchanged: true,
    rules: [
      ['ab', 'c'],
      ['bc', 'a'],
      ['ca', 'b'],
    ],
    hops: c.hops,
    extra: c.extra,
    w: c.width,
    h: c.height,
    wall: c.walls,
  };
}

/** Items that a setting is measured by. */
const SAMPLE = 512;
/** Tokens more than the longest known answer: room to be wrong in. */
const SLACK = 2;

const spoilt = (text: string, luck: Xorshift): string => {
  const others = [...new Set('0123456789abcdef')].filter((c) => c !== text.at(-1) && /\d/.test(c) === /\d/.test(text.at(-1) ?? ''));
  return text.slice(0, -1) + others[luck.draw(others.length)]!;
};

interface Reason extends TokenTask {
  /** Prompts of the split among the first SAMPLE: references are measured on them. */
  readonly items: readonly Item[];
}
const known = new WeakMap<Config, Reason>();

/** What a verdict earns. */
/** Right, form, partial. */
const termsOf =
  (c: Config) =>
  ({ format, correct, partial }: Verdict): readonly [right: number, form: number, partial: number] =>
    correct === 1 ? [1, 0, 0] : [0, c.formatReward * format, c.partialReward * partial];

const summed = ([right, form, partial]: ReturnType<ReturnType<typeof termsOf>>): number => right + (form + partial);

const rewardOf = (c: Config) => {
  const terms = termsOf(c);
  return (verdict: Verdict): number => summed(terms(verdict));
};

function taskOf(c: Config): Reason {
  const before = known.get(c);
  if (before !== undefined) return before;
  const k = knobsOf(c);
  const wanted = (item: Item): boolean => c.split === 'all' || heldOut(questionOf(c.task, item)) === (c.split === 'held-out');
  const all = Array.from({ length: SAMPLE }, (_, seed) => itemOf(c.task, k, seed));
  const items = all.filter(wanted);
  if (items.length === 0)
    throw badConfig(
      'split',
      `These prompts are none of the first ${SAMPLE} of this task.`,
      'Choose other prompts or a task with more of them.',
    );
  // of all prompts, whatever the split: what is trained on one split is tested on the other
  const prompt = Math.max(...all.map((item) => item.prompt.length));
  const longest = Math.max(...all.map((item) => demonstration(item, k).length));
  const termsIn = termsOf(c);
  const task = {
    items,
    sizes: { prompt, written: longest + 1 + SLACK, replies: 0 },
    ...(c.task === 'maze' && { world: fieldLayout(c.width, c.height) }),
    accepts(seed: number) {
      const item = itemOf(c.task, k, seed);
      return wanted(item) && item.prompt.length <= prompt && demonstration(item, k).length <= longest;
    },
    talk(seed: number) {
      const item = itemOf(c.task, k, seed);
      return {
        prompt: item.prompt,
        ends: () => false,
        ...(c.task === 'maze' && {
          draw(turn: string, out: Float32Array) {
            const field = fieldOf(item.prompt);
            drawWalk(field, walkTo(field, turn), out);
          },
        }),
        play(turn: string, ended: boolean) {
          const verdict = verify(c.task, k, item, turn, ended);
          const terms = termsIn(verdict);
          return { text: '', done: true, reward: summed(terms), terms, format: verdict.format, solved: verdict.correct };
        },
        suggest(how: 'expert' | 'novice', luck: Xorshift) {
          const text = demonstration(item, k);
          return how === 'novice' && luck.draw(1000) < 1000 * c.mistakes ? spoilt(text, luck) : text;
        },
      };
    },
  };
  known.set(c, task);
  return task;
}

const shortcut = onceFor((c: Config, _: 'best') => bestShortcut(c.task, knobsOf(c), taskOf(c).items, rewardOf(c)));
const uniform = onceFor((c: Config, _: 'tokens') => {
  const { talk, sizes } = taskOf(c);
  return uniformMean(talk, sizes.written);
});

export const tReason = defineTokenEnv<Config>({
  id: 't-reason',
  title: 'Token tasks',
  summary: 'Answer prompts token by token: reverse, add, count down, find a way. Every answer is verified.',
  source: { title: 'Token tasks with exact verifiers', authors: 'RL Workbench', year: 2026 },
  version: 3,
  changes: [
    drawnSplit(2),
    {
      version: 3,
      what: 'brackets: half of the spoilt texts have two symbols exchanged, and counting no longer tells them. lookup: at least three entries more than hops. mul: steps are each digit of the first number times the second. graph: the expert takes the first shortest path in the alphabet.',
      where: { task: ['brackets', 'lookup', 'mul', 'graph'] },
      rerun: true,
    },
  ],
  config,
  flat,
  terms: [
    { id: 'right', title: 'right', weights: [] },
    { id: 'form', title: 'right form', weights: ['formatReward'] },
    { id: 'partial', title: 'partly right', weights: ['partialReward'] },
  ],
  recommended: { algo: 'group-rl', preset: 'scratch', steps: 500_000, env: { split: 'train' }, evalEvery: 25_000 },
  presets: [
    { id: 'reverse-3', title: 'reverse 3 letters', config: {} },
    {
      id: 'reverse-5',
      title: 'reverse 5 letters',
      config: { task: { kind: 'seq', order: 'reverse', length: 5, letters: 6 }, formatReward: 0, partialReward: 0 },
    },
    {
      id: 'form-paid',
      title: 'reverse 5 letters, form paid: a trap',
      config: { task: { kind: 'seq', order: 'reverse', length: 5, letters: 6 }, formatReward: 0.1, partialReward: 0 },
    },
    {
      id: 'places-paid',
      title: 'reverse 5 letters, right places paid',
      config: { task: { kind: 'seq', order: 'reverse', length: 5, letters: 6 }, formatReward: 0, partialReward: 0.5 },
    },
    {
      id: 'add',
      title: 'add two-digit numbers',
      config: { task: { kind: 'add', digitsA: 2, digitsB: 2, reversed: false }, formatReward: 0, partialReward: 0 },
    },
    {
      id: 'countdown',
      title: 'countdown with 3 numbers',
      config: {
        task: { kind: 'countdown', length: 3, ops: '+-*', largest: 9, limit: 50, exact: false },
        formatReward: 0,
        partialReward: 0,
      },
    },
    {
      id: 'chain',
      title: 'chain of 3 with steps',
      config: { task: { kind: 'chain', length: 3, ops: '+-' }, scratch: true, formatReward: 0, partialReward: 0 },
    },
    { id: 'maze', title: 'way through a maze', config: { task: { kind: 'maze', width: 4, height: 4, walls: 25 }, formatReward: 0 } },
    {
      id: 'sort',
      title: 'sort 5 letters',
      config: { task: { kind: 'seq', order: 'sort', length: 5, letters: 6 }, formatReward: 0, partialReward: 0 },
    },
  ],
  references: (c) => {
    const { words, value, right } = shortcut(c, 'best');
    return [
      randomReference(uniform(c, 'tokens')),
      {
        name: 'without looking',
        value,
        source: `mean reward of the best rule that does not do the task: ${words}, right in ${(100 * right).toFixed(0)} % of ${taskOf(c).items.length} prompts`,
        stays: true,
      },
      { name: 'expert', value: 1, source: 'exact' },
    ];
  },
  task: taskOf,
  question: (c, prompt) => taskInWords(c.task, prompt, c),
});
