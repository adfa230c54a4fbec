/**
 * What is so in a story: who is where, what they hold, how they feel, what things look like. A sentence changes it (grammar.ts), or says of it
 * what is true or not. What no sentence has said yet is open: whatever is said of it first is true from then on. But no person holds a thing
 * that the story has not given them, and no one is spoken of as "he" before a man was named.
 */
import { GLAD, HE, LOOKS, UPSET } from './words.ts';

export interface Person {
  place: string | null;
  feels: 'glad' | 'upset' | null;
}

export interface Thing {
  /** Who holds it. */
  holder: string | null;
  /** Where it was put. */
  at: string | null;
  broken: boolean;
  /** Eaten, or run away: it is spoken of no more. */
  gone: boolean;
  lost: boolean;
  readonly looks: Map<number, string>;
}

/** Each method that answers whether something is so makes it so where it was open. */
export class StoryState {
  readonly people = new Map<string, Person>();
  readonly things = new Map<string, Thing>();
  readonly animals = new Map<string, Thing>();
  /** Who was named last, by pronoun. */
  readonly last = new Map<'he' | 'she', string>();
  daytime: string | null = null;
  weather: string | null = null;
  ended = false;

  /** Someone who is named: in the story from now on. */
  named(name: string): Person {
    this.last.set(HE.includes(name) ? 'he' : 'she', name);
    const known = this.people.get(name);
    if (known !== undefined) return known;
    const made: Person = { place: null, feels: null };
    this.people.set(name, made);
    return made;
  }

  /** The same without a change: who a word stands for, null if for no person. */
  whoIs(word: string): string | null {
    if (word === 'he' || word === 'him') return this.last.get('he') ?? null;
    if (word === 'she' || word === 'her') return this.last.get('she') ?? null;
    return word;
  }

  person(name: string): Person {
    return this.people.get(name) ?? { place: null, feels: null };
  }

  /** A thing as it is, or as it would be if it was named now. */
  thing(noun: string): Thing {
    return this.things.get(noun) ?? freshThing();
  }

  animal(noun: string): Thing {
    return this.animals.get(noun) ?? freshThing();
  }

  holds(name: string, noun: string): boolean {
    const { holder, gone } = this.thing(noun);
    return holder === name && !gone;
  }

  /** Whether two could be in one place. */
  together(a: string, b: string): boolean {
    const [x, y] = [this.person(a).place, this.person(b).place];
    return x === null || y === null || x === y;
  }

  /** Two are in one place from now on. */
  meet(a: string, b: string): void {
    const [x, y] = [this.named(a), this.named(b)];
    const place = x.place ?? y.place;
    x.place = place;
    y.place = place;
  }

  put(noun: string): Thing {
    const thing = this.thing(noun);
    this.things.set(noun, thing);
    return thing;
  }

  see(noun: string): Thing {
    const animal = this.animal(noun);
    this.animals.set(noun, animal);
    return animal;
  }
}

const freshThing = (): Thing => ({ holder: null, at: null, broken: false, gone: false, lost: false, looks: new Map() });

/** Which line of LOOKS a word stands in; -1: none. */
const lineOf = (look: string): number => LOOKS.findIndex((line) => line.includes(look));

/** Whether a thing may look so: no other word of the same line was said of it. */
export const mayLook = ({ looks }: Thing, look: string): boolean => (looks.get(lineOf(look)) ?? look) === look;
export function looksSo({ looks }: Thing, look: string): void {
  looks.set(lineOf(look), look);
}

/** What a mood is: null for one of the body, which any event leaves as it is. */
export const feelingOf = (mood: string): Person['feels'] => (GLAD.includes(mood) ? 'glad' : UPSET.includes(mood) ? 'upset' : null);
