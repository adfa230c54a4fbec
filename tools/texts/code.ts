/** The texts of the page that are translated: what stands in t('…'), tn('…', '…') and msg('…') anywhere in src/. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Part } from '#text/languages.ts';

/** A text, and the file that shows it. */
export interface Found {
  readonly text: string;
  readonly where: string;
}

const TEXT = String.raw`'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"`;
const CALLS = new RegExp(String.raw`(?<![\w.])(?:t|msg)\(\s*(?:${TEXT})|(?<![\w.])tn\(\s*(?:${TEXT}),\s*(?:${TEXT})`, 'g');

/** As written in the code, without the escapes. */
const read = (quoted: string): string => quoted.replace(/\\(.)/g, '$1');

/** In the order of the files, each once. A plural is named by its second wording. */
export function textsIn(source: string): readonly string[] {
  return [...source.matchAll(CALLS)].map(([, one, two, , , other, otherDouble]) => read(one ?? two ?? other ?? otherDouble ?? ''));
}

/** Of those of tn, which have a wording for one: the wording for others, by which the catalogues name them. */
export function pluralsIn(source: string): readonly string[] {
  return [...source.matchAll(CALLS)].flatMap(([, one, two, , , other, otherDouble]) => {
    const named = other ?? otherDouble;
    return one !== undefined || two !== undefined || named === undefined ? [] : [read(named)];
  });
}

/** Plurals of the code of the page. */
export function pluralsOfPage(): readonly string[] {
  return [...new Set(sources().flatMap((name) => pluralsIn(readFileSync(`src/${name}`, 'utf8'))))];
}

const sources = (): readonly string[] =>
  readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name));

/** Files whose texts come with the first lesson. */
const OF_LESSONS = /^(lessons|ui\/lessons)\/|^ui\/data\/Compare\.tsx$/;

/** Files whose texts come with the page of a paper; the map of topics is on the front page, too. */
const OF_PAPERS = /^ui\/claims\/(?!TopicMap)/;

/** Files whose texts come with the panel Why. */
const OF_WHY = /^ui\/explain\//;

const PLACES: readonly (readonly [Part, RegExp])[] = [
  ['lessons', OF_LESSONS],
  ['why', OF_WHY],
  ['papers', OF_PAPERS],
];
const partOf = (name: string): Part => PLACES.find(([, files]) => files.test(name))?.[0] ?? 'page';

/** Texts of the code of a part, each with the files where it stands. */
export function textsOfCode(part: Part): readonly Found[] {
  const files = sources().filter((name) => !name.startsWith('text/') && partOf(name) === part);
  return [...files].sort().flatMap((name) => textsIn(readFileSync(`src/${name}`, 'utf8')).map((text) => ({ text, where: `src/${name}` })));
}
