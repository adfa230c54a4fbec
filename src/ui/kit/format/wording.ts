/**
 * Sentences that are made in English where no language is known (in workers, in the core), found again by their wording and said in the reader's
 * language.
 */
import { t } from '#text/text.ts';

const literal = (text: string): string => text.replace(/[.*+?^$()|[\]\\]/g, '\\$&');

/** Answers a sentence in the reader's language; one whose wording is not among these stays as it is. What it names may be such a sentence itself. */
export function wordings(sentences: readonly string[]): (sentence: string) => string {
  const patterns = sentences.map((english) => ({
    english,
    pattern: new RegExp(
      `^${english
        .split(/\{\w+\}/)
        .map(literal)
        .join('(.+)')}$`,
    ),
    names: [...english.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? ''),
  }));
  const translated = (sentence: string): string => {
    for (const { english, pattern, names } of patterns) {
      const found = pattern.exec(sentence);
      if (found !== null) return t(english, Object.fromEntries(names.map((name, i) => [name, translated(found[i + 1] ?? '')])));
    }
    return sentence;
  };
  return translated;
}
