/**
 * Lookup worlds: documents whose fields name other documents or hold digits. A question names the first document and which field to follow
 * in each; the last of them holds the digit that is asked for. Nothing is shown before it is looked up. `hops` documents lie on the way;
 * the others, and the fields that are not asked for, lead elsewhere. One world and one set of rules for both forms: in tokens (t-search) and
 * in plain observations and actions (lookup-worlds). A seed gives the same world in both.
 * A value of a field: 0 .. names - 1 names a document, names + d is the digit d.
 */
import { z } from 'zod';
import type { MetricCard, RewardTerm } from '#contract/catalog/catalog.ts';
import { Xorshift } from '#math/xorshift.ts';
import { heldOut, RIGHT_AND_PRICE } from './define.ts';
import { checkSome, count, mistakesField, paid, splitField } from './knobs.ts';
import { nameOf } from './tokens.ts';

/** What both forms can be set to. */
export const lookupFields = {
  hops: count(2, 8, 'hops', 'Documents on the way to the digit.').meta({ depth: 'teach' }),
  leastHops: count(2, 8, 'fewest hops', 'Every question draws its number of hops, from this one up to the hops above.'),
  fields: count(1, 4, 'fields', 'Of every document; the question says which one to follow.').meta({ depth: 'teach' }),
  distractors: count(2, 8, 'distractors', 'Documents beside those on the longest way.', 0).meta({ depth: 'teach' }),
  missing: count(0, 4, 'missing documents', 'Names that no document has.', 0),
  answers: count(10, 10, 'digits', 'Digits there are.', 2),
  lookups: count(4, 16, 'lookups', 'At most so many; after the last one only an answer counts.').meta({ depth: 'teach' }),
  price: paid('price of a lookup', 'Taken from the reward.', 0.2),
  callBonus: paid('bonus of a call', 'Paid once, for the first lookup of a document that there is.', 1),
  documentBonus: paid('bonus of the way', 'Paid in equal parts for each document on the way, in its order, when it is first looked up.', 1),
  split: splitField,
  splitBy: z.enum(['world', 'hops']).default('world').meta({
    title: 'held out',
    description: 'world: a tenth of all worlds, chosen by their text. hops: the questions with the most hops.',
    source: 'own choice',
    group: 'task',
  }),
  mistakes: mistakesField('any name, or any digit'),
};
export type LookupConfig = z.infer<z.ZodObject<typeof lookupFields>>;

export interface LookupWorld {
  /** [names][fields] values; null: no document has this name. */
  readonly documents: readonly (readonly number[] | null)[];
  readonly start: number;
  /** The field to follow in each document on the way. */
  readonly path: readonly number[];
  readonly answer: number;
}

/** Names there are, with or without a document. */
export const nameCount = ({ hops, distractors, missing }: LookupConfig): number => hops + distractors + missing;

/** The order of draws is part of the definition: hops, names, digit, path, then fields document by document. */
export function drawWorld(c: LookupConfig, rng: Xorshift): LookupWorld {
  const names = nameCount(c);
  const least = Math.min(c.leastHops, c.hops);
  const hops = least + rng.draw(c.hops - least + 1);
  const order = rng.shuffle(Array.from({ length: names }, (_, i) => i));
  const there = order.slice(0, c.hops + c.distractors);
  const answer = rng.draw(c.answers);
  const path = Array.from({ length: hops }, () => rng.draw(c.fields));
  const documents: (number[] | null)[] = Array.from({ length: names }, () => null);
  there.forEach((name, place) => {
    documents[name] = Array.from({ length: c.fields }, (_, field) => {
      const elsewhere = rng.draw(2) === 0 ? there[rng.draw(there.length)]! : names + rng.draw(c.answers);
      if (place >= hops || field !== path[place]) return elsewhere;
      return place + 1 < hops ? there[place + 1]! : names + answer;
    });
  });
  return { documents, start: there[0]!, path, answer };
}

export const FIELDS = 'wxyz';
/** A value of a field in one character. */
export const valueText = (c: LookupConfig, value: number): string => (value < nameCount(c) ? nameOf(value) : String(value - nameCount(c)));
export const questionText = ({ start, path }: LookupWorld): string => `${nameOf(start)}${path.map((field) => FIELDS[field]!).join('')}?`;

/** Whether the question of a seed is asked under `split`. */
export function isAsked(c: LookupConfig, seed: number): boolean {
  const { split, splitBy, hops } = c;
  if (split === 'all') return true;
  const world = drawWorld(c, new Xorshift(seed));
  const text = (): string => JSON.stringify([questionText(world), world.documents]);
  const held = splitBy === 'hops' ? world.path.length === hops : heldOut(text());
  return held === (split === 'held-out');
}

/** Throws LabError('config-invalid') where `split` leaves no question. */
export const checkAsked = (c: LookupConfig): void => checkSome((seed) => isAsked(c, seed), 'Lower the fewest hops, or hold out by world.');

/** What a turn comes to. `found`: the document, null in place of what is not known of it; null: there is none, or it was an answer. */
export interface Found {
  readonly found: readonly (number | null)[] | null;
  /** For a document that was not looked up before. */
  readonly fresh: boolean;
  readonly reward: number;
  /** Of which the reward is the sum: right, price, first lookup, documents on the way. */
  readonly terms: readonly number[];
  readonly done: boolean;
}

/** Parts of the reward, in the order of Found.terms. */
export const lookupTerms: readonly RewardTerm[] = [
  ...RIGHT_AND_PRICE,
  { id: 'call', title: 'first lookup', weights: ['callBonus'] },
  { id: 'documents', title: 'documents on the way', weights: ['documentBonus'] },
];

/** One question in play. */
export class Search<C extends LookupConfig = LookupConfig, W extends LookupWorld = LookupWorld> {
  readonly world: W;
  /** Lookups made. */
  lookups = 0;
  /** Documents on the way that were looked up in its order: with all of them the answer is known. */
  place = 0;
  solved: 0 | 1 = 0;
  done = false;
  private readonly seen = new Set<number>();
  protected readonly c: C;

  constructor(c: C, world: W) {
    this.c = c;
    this.world = world;
  }

  /** The documents on the way. */
  protected get way(): readonly number[] {
    const { documents, start, path } = this.world;
    const names = [start];
    for (let i = 1; i < path.length; i++) names.push(documents[names[i - 1]!]![path[i - 1]!]!);
    return names;
  }

  /** The name to look up next, or the digit to answer, as a value of a field. */
  get next(): number {
    const { world, place } = this;
    return place < world.path.length ? this.way[place]! : nameCount(this.c) + world.answer;
  }

  /** What is known of the last document that was looked up on the way; null: none was. */
  get last(): readonly (number | null)[] | null {
    return this.place === 0 ? null : (this.world.documents[this.way[this.place - 1]!] ?? null);
  }

  /** The field to follow in it; null: none. */
  get follows(): number | null {
    return this.place === 0 ? null : this.world.path[this.place - 1]!;
  }

  /** Documents on the way that are still to be looked up. */
  get left(): number {
    return this.world.path.length - this.place;
  }

  /** One lookup more, whatever it finds; ends the episode where it is one more than allowed. */
  protected spend(): Found {
    if (this.lookups === this.c.lookups) return this.over(0);
    this.lookups++;
    return { found: null, fresh: false, reward: -this.c.price, terms: [0, -this.c.price], done: false };
  }

  lookUp(name: number): Found {
    const { c, world } = this;
    const spent = this.spend();
    if (spent.done) return spent;
    const found = world.documents[name] ?? null;
    let { reward } = spent;
    const fresh = found !== null && !this.seen.has(name);
    const terms = [0, spent.reward, 0, 0];
    if (fresh && this.seen.size === 0) {
      reward += c.callBonus;
      terms[2] = c.callBonus;
    }
    if (fresh) this.seen.add(name);
    if (this.place < world.path.length && name === this.next) {
      this.place++;
      terms[3] = c.documentBonus / world.path.length;
      reward += terms[3];
    }
    return { found, fresh, reward, terms, done: false };
  }

  reply(digit: number): Found {
    this.solved = digit === this.world.answer ? 1 : 0;
    return this.over(this.solved);
  }

  private over(reward: number): Found {
    this.done = true;
    return { found: null, fresh: false, reward, terms: [reward], done: true };
  }

  /** A turn as a value of a field: a name is looked up, a digit is the answer. */
  play(value: number): Found {
    const names = nameCount(this.c);
    return value < names ? this.lookUp(value) : this.reply(value - names);
  }

  /** What a scripted player does: follow the way, or with the chance `mistakes` anything. */
  suggest(mistakes: number, luck: Xorshift): number {
    const { answers } = this.c;
    return luck.draw(1000) < 1000 * mistakes ? luck.draw(nameCount(this.c) + answers) : this.next;
  }

  /** In the order of lookupMeasures. */
  measured(): readonly number[] {
    return [this.lookups, this.place / this.world.path.length];
  }
}

export const lookupMeasures: readonly MetricCard[] = [
  { id: 'lookups', title: 'lookups', description: 'Lookups of an episode, mean of the last 100 episodes.' },
  {
    id: 'way',
    title: 'way found',
    description: 'Share of the documents on the way that were looked up in its order, of the last 100 episodes.',
  },
];
