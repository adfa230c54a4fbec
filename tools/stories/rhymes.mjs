/**
 * Writes src/core/envs/language/lib/stories/rhymes.ts: which words of the little stories rhyme, by the CMU pronouncing dictionary.
 *   npm install --no-save cmu-pronouncing-dictionary@3.0.0 && node tools/stories/rhymes.mjs
 * Two words rhyme if they sound alike from their last stressed vowel on; of a word with several pronunciations the first one counts.
 */
import { writeFileSync } from 'node:fs';
import { runnerImport } from 'vite';

const { dictionary } = await import(process.argv[2] ?? 'cmu-pronouncing-dictionary');
const { module } = await runnerImport('./src/core/envs/language/lib/stories/words.ts', { configFile: false });

const classes = new Map();
for (const word of module.WORDS) {
  const sounds = dictionary[word]?.split(' ');
  if (sounds === undefined) continue;
  const stressed = sounds.findLastIndex((sound) => /[12]$/.test(sound));
  const tail = sounds.slice(Math.max(0, stressed)).join(' ').replace(/\d/g, '');
  classes.set(tail, [...(classes.get(tail) ?? []), word]);
}
const lines = [...classes.values()].filter((words) => words.length > 1).map((words) => `  '${words.join(' ')}',`);
writeFileSync(
  'src/core/envs/language/lib/stories/rhymes.ts',
  `/**
 * Which words of the stories rhyme: those of one line. Written by tools/stories/rhymes.mjs from cmu-pronouncing-dictionary 3.0.0 (ISC, Zeke
 * Sikelianos), which is the CMU Pronouncing Dictionary: Copyright (C) 1993-2015 Carnegie Mellon University, BSD 2-clause.
 */
const LINES: readonly string[] = [
${lines.join('\n')}
];

const classes = new Map(LINES.flatMap((line, i) => line.split(' ').map((word) => [word, i] as const)));

/** The number of a word's rhyme; null: no other word of the stories rhymes with it. */
export const rhymeOf = (word: string): number | null => classes.get(word) ?? null;

/** Whether two words rhyme and are not the same. */
export const rhyme = (a: string, b: string): boolean => a !== b && rhymeOf(a) !== null && rhymeOf(a) === rhymeOf(b);
`,
);
