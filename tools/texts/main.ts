/**
 * `npm run texts`: collects every text of the page and writes the catalogues anew. Translations stay; a text that is new has none yet, one that is
 * shown nowhere goes. Prints what waits for a translation. Exit code 1 where something waits; words of data (`facts`) may, they are many.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { LANGUAGES, PARTS } from '#text/languages.ts';
import { poText, translationsIn } from '../po.mjs';
import { collectTexts } from './collect.ts';

const FOLDER = 'src/text/catalogues';
const texts = collectTexts();
let waiting = 0;
for (const { id, name, load } of LANGUAGES) {
  if (load === null) continue;
  for (const part of PARTS) {
    const file = `${FOLDER}/${part === 'page' ? '' : `${part}/`}${id.toLowerCase()}.po`;
    const before = existsSync(file) ? translationsIn(readFileSync(file, 'utf8')) : {};
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, poText(id, texts[part], before));
    const missing = [...texts[part].keys()].filter((english) => before[english] === undefined);
    const gone = Object.keys(before).filter((english) => !texts[part].has(english));
    const open = part === 'facts' && !process.argv.includes('--facts');
    if (open && missing.length > 0)
      console.log(`${name}: ${missing.length} of ${texts.facts.size} words of data show in English (--facts lists them)`);
    else for (const english of missing) console.log(`${name}, ${part}: waits for a translation: ${english}`);
    for (const english of gone) console.log(`${name}, ${part}: shown nowhere, left out: ${english}`);
    if (part !== 'facts') waiting += missing.length;
  }
}
if (waiting > 0) process.exitCode = 1;
else console.log('Every text has a translation in every language.');
