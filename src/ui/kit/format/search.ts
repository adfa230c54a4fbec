/** Searching lists by words. */
import { nearest } from '#contract/kit/nearest.ts';

const wordsOf = (text: string): readonly string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** Whether a text holds every word of `query`, in any order, whatever the case. No words: every text does. */
export function finder(query: string): (text: string) => boolean {
  const words = wordsOf(query);
  return (text) => {
    const lower = text.toLowerCase();
    return words.every((word) => lower.includes(word));
  };
}

/**
 * What a query that finds nothing was probably meant to be: each word that no text holds is replaced by the nearest word of the texts. null: every
 * word is held, or one of them is near to none.
 */
export function corrected(query: string, texts: readonly string[]): string | null {
  const all = texts.join(' ').toLowerCase();
  const known = new Set(all.split(/[^\p{L}\p{N}-]+/u).filter((word) => word.length > 2));
  const words = wordsOf(query);
  const better = words.map((word) => (all.includes(word) ? word : nearest(word, known, 1)[0]));
  return better.includes(undefined) || better.every((word, i) => word === words[i]) ? null : better.join(' ');
}
