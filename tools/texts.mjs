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

/** Of those of tn, which have a wording for one: the wording for others, by which the catalogues name them. */
export function pluralsIn(source) {
  return [...source.matchAll(CALLS)].flatMap(([, one, two, , , other, otherDouble]) => {
    const named = other ?? otherDouble;
    return one !== undefined || two !== undefined || named === undefined ? [] : [read(named)];
  });
}

/** Plurals of the code of the page. */
export function pluralsOfPage() {
  return [...new Set(sources().flatMap((name) => pluralsIn(readFileSync(`src/${name}`, 'utf8'))))];
}

const sources = () => readdirSync('src', { recursive: true }).filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name));

/** Files whose texts come with the first lesson (src/text/catalogues/lessons/). */
const OF_LESSONS = /^(lessons|ui\/lessons|ui\/form\/(map|payoff))\/|^ui\/(data\/Compare|form\/Count)\.tsx$/;

/** Files whose texts come with the panel Why (src/text/catalogues/why/). */
const OF_WHY = /^ui\/explain\//;

/** Texts of the code of the page, each once: those of every visit, and those of lessons and class and of the panel Why, among which are some of the former. */
export function textsOfPage() {
  const files = sources();
  const texts = (some) => [...new Set(some.sort().flatMap((name) => textsIn(readFileSync(`src/${name}`, 'utf8'))))];
  const shown = files.filter((name) => !name.startsWith('text/'));
  return {
    page: texts(shown.filter((name) => !OF_LESSONS.test(name) && !OF_WHY.test(name))),
    lessons: texts(shown.filter((name) => OF_LESSONS.test(name))),
    why: texts(shown.filter((name) => OF_WHY.test(name))),
  };
}
