/** Ids of the words of stories: pad, begin and end, then WORDS in their order. */
import { FIRST, type Vocabulary } from '../tokens.ts';
import { WORDS } from './words.ts';

/** Ids there are. @internal The training of the shipped model and its tests read it. */
export const STORY_VOCABULARY = FIRST + WORDS.length;
const ids = new Map(WORDS.map((word, i) => [word, FIRST + i]));

/** Words of a prompt, and words written at most. */
export const PROMPT_WORDS = 13;
export const MOST_WRITTEN = 34;
/** Of a row: the begin, the prompt, what is written. The trained model has an embedding for each of them. @internal Its tests read it. */
export const STORY_PLACES = 1 + PROMPT_WORDS + MOST_WRITTEN;

/** Ids of words. Throws Error for a word that has none. */
export function storyIds(text: readonly string[]): number[] {
  return text.map((word) => {
    const id = ids.get(word);
    if (id === undefined) throw new Error(`stories have no word "${word}"`);
    return id;
  });
}

/** The word of an id; begin, end and padding give ''. */
export const storyWord = (id: number): string => WORDS[id - FIRST] ?? '';

const wordsIn = (text: string): readonly string[] => text.split(' ').filter((word) => word !== '');

/** Texts are words with a space before each. */
export const STORY_TOKENS: Vocabulary = {
  names: ['·', '▸', '■', ...WORDS],
  words: true,
  encode: (text) => storyIds(wordsIn(text)),
  textOf: (id) => (id < FIRST ? '' : ` ${storyWord(id)}`),
  next(text, whole) {
    const [said, all] = [wordsIn(text), wordsIn(whole)];
    const word = all[said.length];
    return word === undefined || said.some((one, i) => one !== all[i]) ? null : (ids.get(word) ?? null);
  },
};

/** The words of a text. */
export const storyWords = wordsIn;
