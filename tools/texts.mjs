/** The texts of the page that are translated: what stands in t('…'), tn('…', '…') and msg('…') anywhere in src/. */
import { readdirSync, readFileSync } from 'node:fs';

const TEXT = String.raw`'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"`;
const CALLS = new RegExp(String.raw`(?<![\w.])(?:t|msg)\(\s*(?:${TEXT})|(?<![\w.])tn\(\s*(?:${TEXT}),\s*(?:${TEXT})`, 'g');

/** As written in the code, without the escapes. */
const read = (quoted) => quoted.replace(/\\(.)/g, '$1');

/** In the order of the files, each once. A plural is named by its second wording. */
export function textsIn(source) {
  return [...source.matchAll(CALLS)].map(([, ...found]) => {
    const [one, two, , , other, otherDouble] = found;
    return read(one ?? two ?? other ?? otherDouble);
  });
}

export function textsOfPage() {
  const files = readdirSync('src', { recursive: true }).filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name));
  const all = files.sort().flatMap((name) => (name.startsWith('text/') ? [] : textsIn(readFileSync(`src/${name}`, 'utf8'))));
  return [...new Set(all)];
}
