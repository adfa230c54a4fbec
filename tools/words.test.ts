/** Plain words: no text, comment or name uses a word of tools/words.json. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const {
  words,
  names,
  except,
  'free in tests': free,
} = JSON.parse(readFileSync('tools/words.json', 'utf8')) as {
  readonly words: Readonly<Record<string, string>>;
  readonly names: Readonly<Record<string, string>>;
  readonly except: Readonly<Record<string, string>>;
  readonly 'free in tests': readonly string[];
};
const own = new RegExp(Object.keys(names).join('|'), 'g');
const isTest = (file: string): boolean => /\.(test|spec)\.tsx?$/.test(file);

/** Whole words, in any case; an apostrophe may be typed or printed. */
const pattern = new RegExp(`\\b(${Object.keys(words).join('|').replaceAll("'", "['’]")})\\b`, 'gi');

/** What is found in a text: line, word, and what to write in its place. */
function found(text: string, allowed: readonly string[] = []): readonly string[] {
  return text.split('\n').flatMap((line, i) =>
    [...line.replaceAll(own, '').matchAll(pattern)].flatMap(([word]) => {
      const plain = word.toLowerCase().replaceAll('’', "'");
      return allowed.includes(plain) ? [] : [`${i + 1}: "${word}", better: ${words[plain]}`];
    }),
  );
}

test('words are found in sentences and in comments, not inside of other words', () => {
  expect(found('// Whoever asks\nlet x = 1; // what may be said')).toEqual([
    `1: "Whoever", better: ${words.whoever}`,
    `2: "what may be said", better: ${words['what may be said']}`,
  ]);
  expect(found('a person’s own code')).toHaveLength(1);
  expect(found('unbelievable, somebodyElse')).toEqual([]);
  expect(found('# The lever nobody pulled')).toEqual([]);
  expect(found('nobody pulls it')).toHaveLength(1);
  expect(found('nobody pulls it', free)).toEqual([]);
});

test('no file uses them', () => {
  const all = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs', '*.css', '*.md', '*.html'], { encoding: 'utf8' })
    .trim()
    .split('\n');
  const files = all.filter((file) => !Object.keys(except).some((start) => file.startsWith(start)) && file !== 'tools/words.test.ts');
  expect(files.length).toBeGreaterThan(1000);
  const lines = files.flatMap((file) => found(readFileSync(file, 'utf8'), isTest(file) ? free : []).map((line) => `${file}:${line}`));
  expect(lines).toEqual([]);
});
