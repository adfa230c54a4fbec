/** BibTeX of the workbench, of its environments and methods, and of where those come from. */
import type { Source } from '#contract/catalog/catalog.ts';

/** A text as BibTeX takes it: its special characters are escaped. */
export const plain = (text: string): string =>
  text.replace(/[{}\\%#&$_^~]/g, (mark) => (mark === '\\' ? '\\textbackslash{}' : `\\${mark}`));

/** An entry for the workbench itself. `year`: of today. */
export const citeTool = (build: string, year: number): string =>
  entry('software', 'rlworkbench', [
    ['title', 'RL Workbench'],
    ['author', '{RL Workbench contributors}'],
    ['year', String(year)],
    ['version', plain(build)],
    ['note', 'A reinforcement-learning laboratory in a browser tab'],
  ]);

/** An environment or a method of the workbench. */
export interface Cited {
  readonly kind: 'environment' | 'method';
  readonly id: string;
  readonly title: string;
  readonly version: number;
  readonly source: Source;
}

/** An entry for what is built here: an environment or a method in the version that computed the numbers. */
export const citeBuilt = ({ kind, id, title, version, source }: Cited, build: string, year: number): string =>
  entry('misc', `rlworkbench-${kind}-${id}`, [
    ['title', `{${plain(title)}}, the ${kind} ${plain(id)} of RL Workbench, version ${version}`],
    ['author', '{RL Workbench contributors}'],
    ['year', String(year)],
    ['howpublished', `RL Workbench ${plain(build)}`],
    ...(isElsewhere(source) ? ([['note', `After ${plain(source.authors)} (${source.year})`]] as const) : []),
  ]);

/** An entry for what it was built after; '' where it is of this project or has no source. */
export function citeSource(source: Source): string {
  if (!isElsewhere(source)) return '';
  const { title, authors, year, url } = source;
  return entry('misc', keyOf(source), [
    ['title', `{${plain(title)}}`],
    ['author', namesOf(authors)],
    ['year', String(year)],
    ...(url === undefined ? [] : ([['url', url.replace(/[{}\s]/g, '')]] as const)),
  ]);
}

/** All of one environment or method: the workbench, what is built here, where it comes from. */
export const citeAll = (cited: Cited, build: string, year: number): string =>
  [citeTool(build, year), citeBuilt(cited, build, year), citeSource(cited.source)].filter((text) => text !== '').join('\n');

/** First line of the part of a CITATION.bib that names sources. */
export const SOURCES = '% Where its environments and methods come from.';

/** Each source once, below its heading; '' where none is known. */
export function citedSources(sources: readonly Source[]): string {
  const entries = [...new Map(sources.map((source) => [keyOf(source), citeSource(source)])).values()].filter((text) => text !== '');
  return entries.length === 0 ? '' : [SOURCES, '', ...entries].join('\n');
}

/** What of the catalogue is not of this project. */
const isElsewhere = ({ authors, year }: Source): boolean =>
  year > 0 && !['', 'none', 'RL Workbench', 'own world', 'own method'].includes(authors);

/** "Barto, Sutton and Anderson" as BibTeX separates names; "et al." is its "others". A name of several words stays one. */
const namesOf = (authors: string): string =>
  authors
    .replace(/ et al\.?$/, ', others')
    .split(/, | and /)
    .map((name) => (name.includes(' ') ? `{${plain(name)}}` : plain(name)))
    .join(' and ');

/** Last name of the first author, year and title: "sutton2018-reinforcement-learning-an-introduction". */
function keyOf({ authors, year, title }: Source): string {
  const ascii = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const [name = ''] = ascii(authors.replace(/ et al.*$|,.*$| and .*$/, ''))
    .split(' ')
    .slice(-1);
  return `${name}${year}-${ascii(title)}`
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 80);
}

/** Names of fields stand in a column of twelve. */
const entry = (type: string, key: string, fields: readonly (readonly [string, string])[]): string =>
  [`@${type}{${key},`, ...fields.map(([name, value]) => `  ${name.padEnd(12)} = {${value}},`), '}', ''].join('\n');
