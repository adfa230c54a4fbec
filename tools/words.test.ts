/** Plain words: no text, comment or name uses a word of tools/words.json. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const { words, except } = JSON.parse(readFileSync('tools/words.json', 'utf8')) as {
  readonly words: Readonly<Record<string, string>>;
  readonly except: Readonly<Record<string, string>>;
};

/** Whole words, in any case; an apostrophe may be typed or printed. */
const pattern = new RegExp(`\\b(${Object.keys(words).join('|').replaceAll("'", "['’]")})\\b`, 'gi');

/** What is found in a text: line, word, and what to write in its place. */
function found(text: string): readonly string[] {
  return text
    .split('\n')
    .flatMap((line, i) =>
      [...line.matchAll(pattern)].map(([word]) => `${i + 1}: "${word}", better: ${words[word.toLowerCase().replaceAll('’', "'")]}`),
    );
}

test('words are found in sentences and in comments, not inside of other words', () => {
  expect(found('// Whoever asks\nlet x = 1; // what may be said')).toEqual([
    `1: "Whoever", better: ${words.whoever}`,
    `2: "what may be said", better: ${words['what may be said']}`,
  ]);
  expect(found('a person’s own code')).toHaveLength(1);
  expect(found('unbelievable, somebodyElse')).toEqual([]);
});

test('no file uses them', () => {
  const all = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs', '*.css', '*.md', '*.html'], { encoding: 'utf8' })
    .trim()
    .split('\n');
  const files = all.filter((file) => !Object.keys(except).some((start) => file.startsWith(start)) && file !== 'tools/words.test.ts');
  expect(files.length).toBeGreaterThan(1000);
  const lines = files.flatMap((file) => found(readFileSync(file, 'utf8')).map((line) => `${file}:${line}`));
  expect(lines).toEqual([]);
});
