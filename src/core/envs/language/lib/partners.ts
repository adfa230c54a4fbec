/** What talks with a partner who hides something have in common: their settings, what is measured, and what a kind of partner must say. */
import { z } from 'zod';
import type { MetricCard } from '#contract/catalog/catalog.ts';
import type { TableItem, TableLayout } from '#contract/game/frames.ts';
import { kind, variant } from '../../api/variant.ts';
import { type Answer, heldOut, malformedAt, type Talk, type TokenTask } from './define.ts';
import { count, mistakesField, paid, splitField } from './knobs.ts';

const own = 'own choice';
const chance = (value: number, title: string, description: string) =>
  z.number().min(0).max(1).default(value).meta({ title, description, source: own, group: 'task', depth: 'teach' });

export const TALKS = ['patient', 'twenty', 'customer'] as const;
export type TalkName = (typeof TALKS)[number];

const patientFields = {
  vagueness: chance(0.2, 'vagueness', 'Chance that a symptom is answered vaguely, drawn once for each symptom.'),
  complaint: z.boolean().default(true).meta({
    title: 'complaint',
    description: 'The prompt names one of the symptoms.',
    source: own,
    group: 'task',
  }),
};
const twentyFields = {
  attributes: count(6, 6, 'attributes', 'That tell the number, one bit each.'),
  distractors: count(2, 6, 'distractors', 'Attributes that say nothing.', 0),
};
const customerFields = {
  items: count(3, 6, 'items', 'That can be wanted.'),
  kinds: count(3, 4, 'kinds', 'Of every item.', 2),
  upfront: count(0, 6, 'told at once', 'Items named in the prompt with what is wanted of them.', 0),
  resistance: chance(0, 'resistance', 'Chance that an item must be asked for twice, drawn once for each item.'),
  changes: chance(0, 'changes of mind', 'Chance that one wish changes once, which the customer says.'),
};
const others = {
  turns: count(6, 12, 'turns', 'At most so many, the answer included; 1: the answer must follow the prompt.').meta({ depth: 'teach' }),
  price: paid('price of a question', 'Taken from the reward.', 0.1),
  split: splitField,
  mistakes: mistakesField('any question, or any answer'),
};
export const talkConfig = z.strictObject({
  talk: variant('patient', [kind('patient', patientFields), kind('twenty', twentyFields), kind('customer', customerFields)], {
    title: 'talk',
    description: 'Who is talked with: a patient with one of eight conditions, a player who thinks of a number, a customer.',
    source: own,
    depth: 'teach',
    group: 'task',
  }),
  ...others,
});
export const talkSettings = z.strictObject({ talk: z.enum(TALKS), ...patientFields, ...twentyFields, ...customerFields, ...others });
export type TalkConfig = z.infer<typeof talkSettings>;

export interface PartnerKind {
  /** Throws LabError('config-invalid') for what a schema cannot say. */
  check?(c: TalkConfig): void;
  sizes(c: TalkConfig): TokenTask['sizes'];
  picture(c: TalkConfig): TableLayout;
  /** What is held out or not, as text: of what a talk hides at its beginning, and at its end where that may differ. */
  structure(c: TalkConfig, seed: number): { readonly first: string; readonly last: string };
  begin(c: TalkConfig, seed: number): Talk;
  /** Expected return of the best play, where it can be computed. */
  best?(c: TalkConfig): number;
}

/** Whether the talk of a seed is held under `split`. Whatever trains neither begins nor ends with what is held out. */
export function isHeld(kind: PartnerKind, c: TalkConfig, seed: number): boolean {
  if (c.split === 'all') return true;
  const { first, last } = kind.structure(c, seed);
  return c.split === 'held-out' ? heldOut(last) : !heldOut(last) && !heldOut(first);
}

/** A question, and what the partner says to it; with the last turn the talk ends without an answer. */
export const told = (c: TalkConfig, text: string, turns: number): Answer => ({
  text,
  done: turns >= c.turns,
  reward: -c.price,
  terms: [0, -c.price],
  format: 1,
  solved: 0,
});
/** What is no turn, in place of the turn with this number (the first is 1). */
export const refused = ({ price, turns: allowed }: TalkConfig, turn: number): Answer => malformedAt(price, allowed - turn + 1);
/** What ends a talk in the right form. */
export const answered = (right: boolean): Answer => ({ text: '', done: true, reward: right ? 1 : 0, format: 1, solved: right ? 1 : 0 });

/** In the order of talkMeasures. */
export const talkMeasures: readonly MetricCard[] = [
  { id: 'questions', title: 'questions', description: 'Questions of an episode, mean of the last 100 episodes.' },
  {
    id: 'possible',
    title: 'still possible',
    description: 'What the hidden thing could still be when an episode ends, by what was told; mean of the last 100 episodes.',
  },
];

/** The same two numbers below a picture. */
export const numbersBelow = (half: number): readonly TableItem[] => [
  { kind: 'number', label: 'questions', digits: 0, x: -half / 2, y: -1.5 },
  { kind: 'number', label: 'still possible', digits: 0, x: half / 2, y: -1.5 },
];

/** Columns of a card: nothing there, face down. */
export const [NOTHING, FACE_DOWN] = [-1, -2];

/** 0 1 2 .. n - 1, as they stand on cards. */
export const numerals = (n: number): readonly string[] => Array.from({ length: n }, (_, i) => String(i));
