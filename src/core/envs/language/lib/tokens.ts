/** What tokens are: the vocabulary of all tasks on characters, 64 ids, one character each but for the first three, and what any other has. */

/** The first three of `names` are PAD, BOS and EOS. */
export interface Vocabulary {
  /** What each id is called. */
  readonly names: readonly string[];
  /** Texts are words, with spaces between them. */
  readonly words?: true;
  /** Ids of a text. Throws Error for what has none. */
  encode(text: string): number[];
  /** What an id puts behind a text; special ids put nothing. */
  textOf(id: number): string;
  /** The next id on the way from `text` to `whole`; null: it is whole, or no beginning of it. */
  next(text: string, whole: string): number | null;
}

export const PAD = 0;
export const BOS = 1;
export const EOS = 2;
const CHARACTERS = '0123456789abcdefghijklmnopqrstuvwxyz +-*/=%()[]{}<>.,:;?!#@|^';
/** The first id that is a character. */
export const FIRST = 3;
export const VOCABULARY = FIRST + CHARACTERS.length;

/** What each id is called: characters as they are, the special ones by a sign. */
export const TOKEN_NAMES: readonly string[] = ['·', '▸', '■', ...CHARACTERS];

const idOf = new Map([...CHARACTERS].map((c, i) => [c, FIRST + i]));

/** Ids of a text. Throws Error for a character that has none. */
export function encode(text: string): number[] {
  return [...text].map((c) => {
    const id = idOf.get(c);
    if (id === undefined) throw new Error(`the vocabulary has no "${c}"`);
    return id;
  });
}

/** The character of an id; special ids give none. */
export const characterOf = (id: number): string => CHARACTERS[id - FIRST] ?? '';
/** @internal Tests read a row. */
export const decode = (ids: ArrayLike<number>): string => Array.from(ids, characterOf).join('');
/** The name of the i-th of a few things: a, b, c .. */
export const nameOf = (i: number): string => String.fromCharCode(97 + i);

export const CHARACTER_TOKENS: Vocabulary = {
  names: TOKEN_NAMES,
  encode,
  textOf: characterOf,
  next(text, whole) {
    const found = whole.startsWith(text) ? whole[text.length] : undefined;
    return found === undefined ? null : encode(found)[0]!;
  },
};
