/**
 * The grammar of the little stories. A sentence is one of the forms below, its slots filled with words: a story is any row of sentences. Each
 * form says when it is true of the state of the story and what it changes there (state.ts), so that one table serves the writer of stories, the
 * parser and the judge of truth.
 *   word        that word
 *   a|b         one of these words
 *   [words]     may be left out
 *   NAME OTHER  a first name; OTHER is another one than the first
 *   WHO WHOM    a first name or he, she (him, her)
 *   a           "an" before a vowel
 *   THING TOY FOOD ANIMAL PLACE LOOK MOOD ..   a word of that list of words.ts; IN the preposition of the place that follows
 */
import { feelingOf, looksSo, mayLook, StoryState } from './state.ts';
import * as words from './words.ts';

const SLOTS = {
  NAME: words.NAMES,
  OTHER: words.NAMES,
  WHO: [...words.NAMES, 'he', 'she'],
  WHOM: [...words.NAMES, 'him', 'her'],
  THING: words.THINGS,
  TOY: words.TOYS,
  FOOD: words.FOOD,
  ANIMAL: words.ANIMALS,
  PLACE: words.PLACES,
  IN: ['in', 'at', 'on', 'by'],
  LOOK: words.LOOK_WORDS,
  MOOD: words.MOODS,
  DID: words.DID,
  DO: words.TO_DO,
  LOVED: words.KIND_ACTS,
  HURT: words.UNKIND_ACTS,
  HOW: words.HOW,
  LINK: words.LINKS,
  DAYTIME: words.DAYTIMES,
  WEATHER: words.WEATHER,
  BED: words.FURNITURE,
} as const satisfies { readonly [slot: string]: readonly string[] };
type SlotName = keyof typeof SLOTS;
const isSlot = (word: string): word is SlotName => Object.hasOwn(SLOTS, word);

/** Words by slot, as they were written; '' where a form has no such slot. */
export type Slots = Readonly<Record<SlotName, string>>;
export const NO_WORDS = Object.fromEntries(Object.keys(SLOTS).map((slot) => [slot, ''])) as Slots;

/** What a sentence does to the story, or null where it is not true of it. */
type Meaning = (s: StoryState, x: Slots) => (() => void) | null;

export interface Form {
  readonly text: string;
  /** How often it is written, beside the others. */
  readonly weight: number;
  readonly means: Meaning;
  readonly parts: readonly Part[];
}

/** A place of a form: which words may stand there, under which name; an article; several parts that may be left out together. */
export type Part =
  | { readonly kind: 'article' }
  | { readonly kind: 'word'; readonly slot: SlotName | null; readonly words: readonly string[]; readonly known: ReadonlySet<string> }
  | { readonly kind: 'maybe'; readonly parts: readonly Part[] };

function partsOf(text: string): readonly Part[] {
  const out: Part[] = [];
  let inside: Part[] | null = null;
  for (const raw of text.split(' ')) {
    if (raw.startsWith('[')) inside = [];
    const word = raw.replace(/[[\]]/g, '');
    if (word === 'a') out.push({ kind: 'article' });
    else {
      const slot = isSlot(word) ? word : null;
      const choice = slot === null ? word.split('|') : SLOTS[slot];
      (inside ?? out).push({ kind: 'word', slot, words: choice, known: new Set(choice) });
    }
    if (!raw.endsWith(']') || inside === null) continue;
    out.push({ kind: 'maybe', parts: inside });
    inside = null;
  }
  return out;
}

/** The article before a word. */
export const articleOf = (word: string): 'a' | 'an' => (/^[aeiou]/.test(word) ? 'an' : 'a');

const form = (weight: number, text: string, means: Meaning): Form => ({ text, weight, means, parts: partsOf(text) });

/** Someone a sentence speaks of, null where a pronoun stands for no person. */
const who = (s: StoryState, x: Slots): string | null => (x.WHO === '' ? x.NAME || null : s.whoIs(x.WHO));
const whom = (s: StoryState, x: Slots): string | null => (x.WHOM === '' ? x.OTHER || null : s.whoIs(x.WHOM));

/** A sentence about someone whom the story knows. */
const one =
  (means: (s: StoryState, name: string, x: Slots) => (() => void) | null): Meaning =>
  (s, x) => {
    const name = who(s, x);
    if (name === null || !s.people.has(name)) return null;
    const then = means(s, name, x);
    return then === null
      ? null
      : () => {
          s.named(name);
          then();
        };
  };

/** A sentence about two whom the story knows and who are in one place. */
const two =
  (means: (s: StoryState, a: string, b: string, x: Slots) => (() => void) | null): Meaning =>
  (s, x) => {
    const [a, b] = [who(s, x), whom(s, x)];
    if (a === null || b === null || a === b || !s.people.has(a) || !s.people.has(b) || !s.together(a, b)) return null;
    const then = means(s, a, b, x);
    return then === null
      ? null
      : () => {
          s.named(b);
          s.named(a);
          s.meet(a, b);
          then();
        };
  };

const nothing = (): void => {};
const inPlace = (x: Slots): boolean => words.prepositionOf(x.PLACE) === x.IN;

/** Someone comes to hold a thing that is free, looking as the words say. */
const gets: Meaning = one((s, name, x) => {
  const noun = x.THING || x.TOY || x.FOOD;
  const thing = s.thing(noun);
  if (thing.gone || (thing.holder !== null && thing.holder !== name)) return null;
  if (x.LOOK !== '' && !mayLook(thing, x.LOOK)) return null;
  return () => {
    const put = s.put(noun);
    put.holder = name;
    put.at = null;
    put.lost = false;
    if (x.LOOK !== '') looksSo(put, x.LOOK);
  };
});

/** A thing is seen: the story speaks of it from now on. */
const sees: Meaning = one((s, _, x) => {
  const thing = s.thing(x.THING);
  return thing.gone || !mayLook(thing, x.LOOK) ? null : () => looksSo(s.put(x.THING), x.LOOK);
});

const passes = (s: StoryState, a: string, b: string, noun: string): (() => void) | null =>
  s.holds(a, noun)
    ? () => {
        s.put(noun).holder = b;
      }
    : null;

/** Those of whom "they" speaks: all in the story, at least two and all in one place or open. */
function they(s: StoryState): readonly string[] | null {
  const all = [...s.people.keys()];
  if (all.length < 2) return null;
  return all.every((name) => s.together(all[0]!, name)) ? all : null;
}
const all =
  (means: (s: StoryState, names: readonly string[], x: Slots) => (() => void) | null): Meaning =>
  (s, x) => {
    const names = they(s);
    return names === null ? null : means(s, names, x);
  };

const feels = (s: StoryState, names: readonly string[], mood: string): (() => void) | null => {
  const feeling = feelingOf(mood);
  if (feeling !== null && names.some((name) => (s.person(name).feels ?? feeling) !== feeling)) return null;
  return () => {
    if (feeling !== null) for (const name of names) s.named(name).feels = feeling;
  };
};

/** A place where someone is or, with `goes`, comes to. */
const isAt = (s: StoryState, names: readonly string[], place: string, goes: boolean): (() => void) | null =>
  !goes && names.some((name) => (s.person(name).place ?? place) !== place)
    ? null
    : () => {
        for (const name of names) s.named(name).place = place;
      };

const happened = (feeling: 'glad' | 'upset'): Meaning =>
  two((s, _a, b) => () => {
    s.named(b).feels = feeling;
  });

/** What was seen is still there. */
const seen =
  (means: (s: StoryState, noun: string, x: Slots) => (() => void) | null): Meaning =>
  (s, x) =>
    s.animals.has(x.ANIMAL) && !s.animal(x.ANIMAL).gone ? means(s, x.ANIMAL, x) : null;

const meets: Meaning = one((s, _, x) => {
  const animal = s.animal(x.ANIMAL);
  if (animal.gone || (x.LOOK !== '' && !mayLook(animal, x.LOOK))) return null;
  return () => {
    const put = s.see(x.ANIMAL);
    if (x.LOOK !== '') looksSo(put, x.LOOK);
  };
});

/** First sentences of a story: the prompt. */
export const OPENINGS: readonly Form[] = [
  form(6, 'one DAYTIME NAME and OTHER were IN the PLACE .', (s, x) =>
    inPlace(x) && x.NAME !== x.OTHER
      ? () => {
          s.daytime = x.DAYTIME;
          for (const name of [x.OTHER, x.NAME]) s.named(name).place = x.PLACE;
        }
      : null,
  ),
  form(2, 'one DAYTIME NAME was IN the PLACE .', (s, x) =>
    inPlace(x)
      ? () => {
          s.daytime = x.DAYTIME;
          s.named(x.NAME).place = x.PLACE;
        }
      : null,
  ),
  form(2, 'once there was a ANIMAL who lived IN the PLACE with NAME .', (s, x) =>
    inPlace(x)
      ? () => {
          s.see(x.ANIMAL);
          s.named(x.NAME).place = x.PLACE;
        }
      : null,
  ),
];

/** All other sentences. */
export const EVENTS: readonly Form[] = [
  form(8, '[LINK] WHO had|found a LOOK THING .', gets),
  form(2, '[LINK] WHO saw a LOOK THING .', sees),
  form(4, '[LINK] WHO made|found a TOY .', gets),
  form(
    4,
    '[LINK] WHO took the THING .',
    one((s, name, x) => (s.things.has(x.THING) ? gets(s, { ...x, WHO: name }) : null)),
  ),
  form(
    20,
    '[LINK] WHO gave|showed|threw the THING to WHOM .',
    two((s, a, b, x) => passes(s, a, b, x.THING)),
  ),
  form(
    10,
    '[LINK] WHO shared the FOOD with WHOM .',
    two((s, a, b, x) =>
      s.holds(a, x.FOOD)
        ? () => {
            s.named(b).feels = 'glad';
          }
        : null,
    ),
  ),
  form(
    8,
    '[LINK] WHO ate the FOOD .',
    one((s, name, x) =>
      s.holds(name, x.FOOD)
        ? () => {
            s.put(x.FOOD).gone = true;
          }
        : null,
    ),
  ),
  form(
    5,
    '[LINK] WHO dropped|lost the THING .',
    one((s, name, x) =>
      s.holds(name, x.THING)
        ? () => {
            s.put(x.THING).holder = null;
          }
        : null,
    ),
  ),
  form(
    5,
    '[LINK] WHO put|hid the THING on|under|by the BED .',
    one((s, name, x) =>
      s.holds(name, x.THING)
        ? () => {
            const put = s.put(x.THING);
            put.holder = null;
            put.at = x.BED;
          }
        : null,
    ),
  ),
  form(2, 'the THING was on|under|by the BED .', (s, x) => (s.things.has(x.THING) && s.thing(x.THING).at === x.BED ? nothing : null)),
  form(
    2,
    '[LINK] WHO broke the TOY .',
    one((s, name, x) =>
      s.holds(name, x.TOY) && !s.thing(x.TOY).broken
        ? () => {
            s.put(x.TOY).broken = true;
          }
        : null,
    ),
  ),
  form(
    10,
    '[LINK] WHO fixed the TOY .',
    one((s, _, x) =>
      s.thing(x.TOY).broken
        ? () => {
            s.put(x.TOY).broken = false;
          }
        : null,
    ),
  ),
  form(4, 'the THING was [very|so|too] LOOK .', (s, x) => {
    const thing = s.thing(x.THING);
    return s.things.has(x.THING) && !thing.gone && mayLook(thing, x.LOOK) ? () => looksSo(s.put(x.THING), x.LOOK) : null;
  }),
  form(
    3,
    '[LINK] WHO wanted|loved|liked the THING .',
    one((s, _, x) => (s.things.has(x.THING) && !s.thing(x.THING).gone ? nothing : null)),
  ),
  form(
    4,
    '[LINK] WHO wanted to DO .',
    one(() => nothing),
  ),
  form(
    7,
    'WHO was|felt [very|so] MOOD .',
    one((s, name, x) => feels(s, [name], x.MOOD)),
  ),
  form(
    4,
    'they were [very|so] MOOD .',
    all((s, names, x) => feels(s, names, x.MOOD)),
  ),
  form(
    6,
    '[LINK] WHO DID [HOW] .',
    one(() => nothing),
  ),
  form(
    4,
    '[LINK] they DID [together|again] .',
    all(() => nothing),
  ),
  form(
    4,
    '[LINK] they played with the TOY .',
    all((s, names, x) => (names.some((name) => s.holds(name, x.TOY)) && !s.thing(x.TOY).broken ? nothing : null)),
  ),
  form(12, '[LINK] WHO LOVED WHOM .', happened('glad')),
  form(6, '[LINK] WHO HURT WHOM .', happened('upset')),
  form(
    3,
    '[LINK] WHO said hello|thanks|sorry|welcome to WHOM .',
    two(() => nothing),
  ),
  form(2, '[LINK] WHO said no|never to WHOM .', happened('upset')),
  form(
    3,
    '[LINK] WHO loved|liked WHOM .',
    two(() => nothing),
  ),
  form(
    8,
    '[LINK] WHO asked WHOM for the THING .',
    two((s, _a, b, x) => (s.holds(b, x.THING) ? nothing : null)),
  ),
  form(5, '[LINK] NAME came to the PLACE .', (s, x) =>
    !s.people.has(x.NAME) && [...s.people.values()].some(({ place }) => place === x.PLACE)
      ? () => {
          s.named(x.NAME).place = x.PLACE;
        }
      : null,
  ),
  form(
    5,
    '[LINK] WHO went|ran|walked to the PLACE .',
    one((s, name, x) => (s.person(name).place === x.PLACE ? null : isAt(s, [name], x.PLACE, true))),
  ),
  form(
    3,
    '[LINK] they went|ran|walked to the PLACE .',
    all((s, names, x) => (s.person(names[0]!).place === x.PLACE ? null : isAt(s, names, x.PLACE, true))),
  ),
  form(
    2,
    '[LINK] they went home .',
    all((s, names) => isAt(s, names, 'home', true)),
  ),
  form(
    2,
    'WHO was IN the PLACE .',
    one((s, name, x) => (inPlace(x) ? isAt(s, [name], x.PLACE, false) : null)),
  ),
  form(
    5,
    '[LINK] WHO saw a LOOK ANIMAL IN the PLACE .',
    one((s, name, x) => {
      const there = inPlace(x) ? isAt(s, [name], x.PLACE, false) : null;
      const met = there === null ? null : meets(s, x);
      return there === null || met === null
        ? null
        : () => {
            there();
            met();
          };
    }),
  ),
  form(4, '[LINK] WHO saw a LOOK ANIMAL .', meets),
  form(
    3,
    'the ANIMAL was [very|so|too] LOOK .',
    seen((s, noun, x) => (mayLook(s.animal(noun), x.LOOK) ? () => looksSo(s.see(noun), x.LOOK) : null)),
  ),
  form(
    3,
    '[LINK] the ANIMAL ran away .',
    seen((s, noun) => () => {
      s.see(noun).gone = true;
    }),
  ),
  form(
    5,
    '[LINK] the ANIMAL DID [HOW] .',
    seen(() => nothing),
  ),
  form(3, '[LINK] WHO fed|hugged|kissed|liked the ANIMAL .', (s, x) =>
    seen(() => nothing)(s, x) === null ? null : one(() => nothing)(s, x),
  ),
  form(2, 'the ANIMAL loved|liked WHOM .', (s, x) => {
    const name = whom(s, x);
    return name !== null && s.people.has(name) ? seen(() => nothing)(s, x) : null;
  }),
  form(1, 'it was a WEATHER DAYTIME .', (s, x) =>
    (s.weather ?? x.WEATHER) === x.WEATHER && (s.daytime ?? x.DAYTIME) === x.DAYTIME
      ? () => {
          s.weather = x.WEATHER;
          s.daytime = x.DAYTIME;
        }
      : null,
  ),
  form(
    2,
    'they were good|best friends .',
    all((s, names) => (names.every((name) => s.person(name).feels !== 'upset') ? nothing : null)),
  ),
  form(1, 'the sun|moon shone .', () => nothing),
  form(1, 'the rain|snow fell .', () => nothing),
];

export const FORMS: readonly Form[] = [...OPENINGS, ...EVENTS];

/** A sentence as it was read. */
export interface Parsed {
  readonly form: Form;
  readonly slots: Slots;
}

/** The ways to read words[from ..] by some parts: [slots, next place]. No form has two ways that differ. */
function match(parts: readonly Part[], at: number, sentence: readonly string[], from: number, slots: Slots): Slots | null {
  const part = parts[at];
  if (part === undefined) return from === sentence.length ? slots : null;
  if (part.kind === 'maybe')
    return match([...part.parts, ...parts.slice(at + 1)], 0, sentence, from, slots) ?? match(parts, at + 1, sentence, from, slots);
  const word = sentence[from];
  if (part.kind === 'article') {
    const next = sentence[from + 1];
    return next !== undefined && word === articleOf(next) ? match(parts, at + 1, sentence, from + 1, slots) : null;
  }
  if (word === undefined || !part.known.has(word)) return null;
  return match(parts, at + 1, sentence, from + 1, part.slot === null ? slots : { ...slots, [part.slot]: word });
}

/** Every way in which a sentence, its full stop included, is one of the forms; none: it is no sentence of the grammar. */
export const parse = (sentence: readonly string[]): readonly Parsed[] =>
  FORMS.flatMap((form) => {
    const slots = match(form.parts, 0, sentence, 0, NO_WORDS);
    return slots === null ? [] : [{ form, slots }];
  });

/** A text as sentences, each up to its full stop; the last one may lack it. */
export function sentencesOf(text: readonly string[]): string[][] {
  const out: string[][] = [];
  let open: string[] = [];
  for (const word of text) {
    open.push(word);
    if (word !== '.') continue;
    out.push(open);
    open = [];
  }
  if (open.length > 0) out.push(open);
  return out;
}

/** How many sentences there are, how many of them are of the grammar, and how many of these were true when they were read. */
export interface Reading {
  readonly sentences: number;
  readonly parsed: number;
  readonly true: number;
  readonly state: StoryState;
}

/** Reads a story from its beginning. A sentence is true if one of its readings is; one that is not changes nothing. */
export function read(text: readonly string[], state = new StoryState()): Reading {
  let [parsed, held] = [0, 0];
  const sentences = sentencesOf(text);
  for (const sentence of sentences) {
    const ways = parse(sentence);
    if (ways.length > 0) parsed++;
    for (const { form, slots } of ways) {
      const then = form.means(state, slots);
      if (then === null) continue;
      then();
      held++;
      break;
    }
  }
  return { sentences: sentences.length, parsed, true: held, state };
}
