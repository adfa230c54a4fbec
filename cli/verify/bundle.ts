/**
 * The texts of a bundle, made again from its runs. What only the page knew when it made them (the names that it showed, its address, its
 * version, the name of the file) is read from one place of them and must be the same in all others.
 */

import type { Source } from '#contract/catalog/catalog.ts';
import { INDEX_FILE, readIndex, SEED_FILES, seedFolderName } from '#contract/files/container.ts';
import { CURVES_HEADER } from '#contract/files/curves-csv.ts';
import { csvCell } from '#contract/kit/csv.ts';
import { toFailure } from '#contract/kit/errors.ts';
import { configHash } from '#contract/run/config-hash.ts';
import { algos } from '#core/algos/all.ts';
import { envs } from '#core/envs/all.ts';
import { completeRun } from '#core/run/loaded.ts';
import { type BundledRun, bundleReadme, citations, citationsBefore } from '#report/bundle-texts.ts';
import { citedSources, SOURCES } from '#report/cite.ts';
import { configOfLink } from '../kit/link.ts';
import { isMissing } from '../own/open.ts';
import { type Notes, unlike, unlikeLines } from './notes.ts';
import { partOf, type Tree } from './tree.ts';
import type { TreeRun } from './tree-run.ts';

const README = 'README.md';
const CITATION = 'CITATION.bib';
const FIGURE = 'figure.csv';

const BY = 'the runs that are there';

/** The runs in the order of the bundle, with the names and links that its README has. */
function bundledRuns(tree: Tree, runs: readonly TreeRun[], readme: string): readonly BundledRun[] {
  const order = new Map(
    tree.has(INDEX_FILE) ? readIndex(tree.text(INDEX_FILE)).runs.map((run, i) => [typeof run === 'string' ? run : run.folder, i]) : [],
  );
  const sorted = runs.toSorted((a, b) => (order.get(a.folder) ?? 0) - (order.get(b.folder) ?? 0));
  const names = [...readme.matchAll(/^## (.*)$/gm)].map(([, name = '']) => name);
  const sections = readme.split(/^## /m).slice(1);
  return sorted.map(({ folder, found }, i) => ({
    name: names[i] ?? found.file.name,
    config: found.file.config,
    hash: found.file.hash,
    folder,
    results: found.seeds.flatMap(({ result }) => result ?? []),
    link: /^Opens the set-up: <(.*)>$/m.exec(sections[i] ?? '')?.[1] ?? null,
  }));
}

/** A link that opens another set-up than that of its run, in words; null: it is right, there is none, or its run cannot be opened either. */
function wrongLink({ link, config, name }: BundledRun): string | null {
  if (link === null) return null;
  if (isMissing(config)) return null;
  try {
    const opens = configHash(completeRun(configOfLink(link).config));
    return opens === configHash(config) ? null : `the link of "${name}" opens the config ${opens}, not ${configHash(config)}`;
  } catch (error) {
    return `the link of "${name}" cannot be opened: ${toFailure(error).message}`;
  }
}

/** Every row of every curve of the runs, as the page writes them beside its figure. Of marks their steps, types and texts. */
function curveLines(tree: Tree, runs: readonly TreeRun[], names: readonly string[]): readonly string[] {
  return runs.flatMap(({ folder, found }, i) => {
    const own = partOf(tree, folder);
    const run = csvCell(names[i] ?? found.file.name);
    return found.file.seeds.flatMap(({ seed, marks }) => {
      const file = `${seedFolderName(seed)}/${SEED_FILES.curve}`;
      const rows = own.has(file)
        ? own
            .text(file)
            .split(/\r?\n/)
            .slice(1)
            .filter((line) => line !== '')
        : [];
      return [
        ...rows.map((row) => `${run},${row.slice(row.indexOf(',') + 1)}`),
        ...marks.map((mark) => `${run},${seed},${mark.step},event:${mark.type},${csvCell(mark.text)}`),
      ];
    });
  });
}

/** Of years, because who saves a bundle at the turn of one may be in another than its file says. */
const yearsAround = (savedAt: string): readonly number[] =>
  [-1, 0, 1].map((days) => new Date(Date.parse(savedAt) + days * 86_400_000).getUTCFullYear());

/** Where the environments and methods of runs come from; of what is not here nothing can be said. */
const sourcesOf = (runs: readonly BundledRun[]): readonly Source[] =>
  runs.flatMap(({ config }) => [
    ...envs.flatMap(({ id, source }) => (id === config.env.id ? [source] : [])),
    ...algos.flatMap(({ id, source }) => (id === config.algo.id ? [source] : [])),
  ]);

/** What the texts of a bundle say that its runs do not. */
export function wrongTexts(tree: Tree, runs: readonly TreeRun[], notes: Notes): void {
  const at = (file: string): string => `${tree.name}/${file}`;
  if (tree.has('figure.svg')) notes.aside.push('figure.svg');
  if (!tree.has(README) || !tree.has(CITATION)) {
    if (tree.has(FIGURE)) notes.open.push(`${at(FIGURE)}: the README.md and CITATION.bib of its bundle are not there.`);
    return;
  }
  const readme = tree.text(README);
  const [, build = ''] = /^Made by RL Workbench (.*)\. On the executor/m.exec(readme) ?? [];
  const [, file = ''] = /^npm run rl -- verify (.*?) {2,}#/m.exec(readme) ?? [];
  const bundled = bundledRuns(tree, runs, readme);
  const wrongReadme = unlikeLines(readme, bundleReadme(bundled, file, build), BY);
  if (wrongReadme !== '') notes.wrong.push(`${at(README)}: ${wrongReadme}.`);
  for (const run of bundled) {
    const wrong = wrongLink(run);
    if (wrong !== null) notes.wrong.push(`${at(README)}: ${wrong}.`);
  }
  const citation = tree.text(CITATION);
  const year = Number(/^ {2}year {9}= \{(\d+)\},$/m.exec(citation)?.[1]);
  const written = citation.includes('@software{') ? citations : citationsBefore;
  const [ofRuns = '', ofSources] = citation.split(`\n${SOURCES}`);
  const wrongCitation = unlikeLines(ofRuns, written(bundled, build, year), `the runs and ${README}`);
  if (wrongCitation !== '') notes.wrong.push(`${at(CITATION)}: ${wrongCitation}.`);
  if (ofSources !== undefined && `${SOURCES}${ofSources}` !== citedSources(sourcesOf(bundled)))
    notes.open.push(`${at(CITATION)}: the sources that it names are not those that this version names.`);
  if (tree.has(INDEX_FILE) && !yearsAround(readIndex(tree.text(INDEX_FILE)).savedAt).includes(year))
    notes.wrong.push(`${at(CITATION)}: the year ${year} is not that of ${INDEX_FILE}.`);
  if (!tree.has(FIGURE)) return;
  const [head = '', ...rows] = tree.text(FIGURE).split('\n');
  if (head !== CURVES_HEADER) {
    notes.open.push(`${at(FIGURE)}: the rows of a comparison are not computed again here.`);
    return;
  }
  const order = bundled.map(({ folder }) => runs.find((run) => run.folder === folder) as TreeRun);
  const names = bundled.map(({ name }) => name);
  const wrongRows = unlike(rows.filter((row) => row !== '').toSorted(), curveLines(tree, order, names).toSorted(), 'the curves');
  if (wrongRows !== '') notes.wrong.push(`${at(FIGURE)}: its rows are not those of the curves: ${wrongRows}.`);
}
