/**
 * The writer of stories: sentences of the grammar that are true of the state, drawn one after another. It prefers those whom the story knows,
 * and writes some stories as verse: a sentence that rhymes with the one before it is preferred there. The same generator in the same state gives the
 * same story. Held out are combinations: a tenth of the pairs of a name and a place in first sentences, and of a look and what looks so.
 */
import { hashName } from '#math/rng.ts';
import { Xorshift } from '#math/xorshift.ts';
import { articleOf, EVENTS, type Form, NO_WORDS, OPENINGS, type Part, read, type Slots } from './grammar.ts';
import { rhyme } from './rhymes.ts';
import type { StoryState } from './state.ts';
import * as words from './words.ts';

/** Which stories are written: `train` holds no held-out combination; `held-out` begins with one. */
export type StorySplit = 'all' | 'train' | 'held-out';

/** Share of the tries to name someone or something known, of 100. */
const KNOWN = 85;
/** Stories in verse, of 100. */
const VERSE = 30;
/** Chance of what may be left out, of 100. */
const SAID = 30;
/** Sentences that are drawn until one is true, and until one rhymes, too. */
const TRIES = 300;
const RHYME_TRIES = 600;

/** One in ten, by a draw from the hash. */
const isHeldOut = (text: string): boolean => new Xorshift(hashName(text)).draw(10) === 0;

/** The combination that a first sentence is: its first name and its place. */
export const openingHeldOut = ({ NAME, PLACE }: Slots): boolean => isHeldOut(`${NAME} ${PLACE}`);

/** Whether a sentence describes something by a held-out pair. */
export const looksHeldOut = ({ LOOK, THING, ANIMAL }: Slots): boolean => LOOK !== '' && isHeldOut(`${LOOK} ${THING || ANIMAL}`);

const pick = <T>(rng: Xorshift, from: readonly T[]): T => from[rng.draw(from.length)]!;

/** Each form as often as it weighs. */
const weighted = (forms: readonly Form[]): readonly Form[] => forms.flatMap((form) => Array.from({ length: form.weight }, () => form));
const FIRST = weighted(OPENINGS);
const NEXT = weighted(EVENTS);

/** Words of the slot that the story knows already. */
function knownFor(slot: string, s: StoryState): readonly string[] {
  switch (slot) {
    case 'WHO':
      return [...s.people.keys(), ...s.last.keys()];
    case 'WHOM':
      return [...s.people.keys(), ...[...s.last.keys()].map((word) => (word === 'he' ? 'him' : 'her'))];
    case 'THING':
    case 'TOY':
    case 'FOOD':
      return [...s.things.keys()];
    case 'ANIMAL':
      return [...s.animals.keys()];
    default:
      return [];
  }
}

function fill(rng: Xorshift, parts: readonly Part[], s: StoryState, out: string[], slots: { -readonly [S in keyof Slots]: string }): void {
  for (const part of parts) {
    if (part.kind === 'article') out.push('a');
    else if (part.kind === 'maybe') {
      if (rng.draw(100) < SAID) fill(rng, part.parts, s, out, slots);
    } else {
      const known = part.slot === null ? [] : knownFor(part.slot, s).filter((word) => part.known.has(word));
      const word = known.length > 0 && rng.draw(100) < KNOWN ? pick(rng, known) : pick(rng, part.words);
      if (part.slot !== null) slots[part.slot] = word;
      out.push(word);
    }
  }
  // a preposition is that of its place
  if (slots.PLACE !== '' && slots.IN !== '') {
    const at = out.lastIndexOf(slots.PLACE) - 2;
    slots.IN = words.prepositionOf(slots.PLACE);
    out[at] = slots.IN;
  }
  out.forEach((word, i) => {
    if (word === 'a') out[i] = articleOf(out[i + 1] ?? '');
  });
}

interface Sentence {
  readonly words: readonly string[];
  readonly slots: Slots;
  readonly then: () => void;
}

interface Wanted {
  readonly most: number;
  readonly split: StorySplit;
  readonly tries: number;
  fits(words: readonly string[]): boolean;
}

/** A sentence that is true and fits; null: none was found. */
function sentence(rng: Xorshift, s: StoryState, { most, split, tries, fits }: Wanted): Sentence | null {
  for (let i = 0; i < tries; i++) {
    const form = pick(rng, NEXT);
    const out: string[] = [];
    const slots = { ...NO_WORDS };
    fill(rng, form.parts, s, out, slots);
    if (out.length > most || !fits(out) || (split === 'train' && looksHeldOut(slots))) continue;
    const then = form.means(s, slots);
    if (then !== null) return { words: out, slots, then };
  }
  return null;
}

/** The first sentence of a story. */
export function opening(rng: Xorshift): { readonly words: readonly string[]; readonly heldOut: boolean } {
  for (;;) {
    const form = pick(rng, FIRST);
    const out: string[] = [];
    const slots = { ...NO_WORDS };
    fill(rng, form.parts, read([]).state, out, slots);
    if (slots.NAME !== slots.OTHER) return { words: out, heldOut: openingHeldOut(slots) };
  }
}

export interface GoOn {
  /** Words at most. */
  readonly most: number;
  /** Sentences, if they fit. */
  readonly sentences: number;
  readonly split: StorySplit;
}

/** How a story goes on behind what stands there already: whole sentences, none of them twice. */
export function goOn(rng: Xorshift, text: readonly string[], { most, sentences, split }: GoOn): readonly string[] {
  const { state } = read(text);
  const verse = rng.draw(100) < VERSE;
  const out: string[] = [];
  const said = new Set<string>();
  let end = text.at(-2) ?? '';
  for (let i = 0; i < sentences; i++) {
    const fresh = (made: readonly string[]): boolean => !said.has(made.join(' '));
    const rhymed = (made: readonly string[]): boolean => rhyme(end, made.at(-2) ?? '') && fresh(made);
    const left = { most: most - out.length, split };
    const found =
      (verse ? sentence(rng, state, { ...left, tries: RHYME_TRIES, fits: rhymed }) : null) ??
      sentence(rng, state, { ...left, tries: TRIES, fits: fresh });
    if (found === null) break;
    found.then();
    said.add(found.words.join(' '));
    out.push(...found.words);
    end = found.words.at(-2) ?? '';
  }
  return out;
}
