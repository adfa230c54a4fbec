/** Texts beside the results of runs, for who repeats them: what ran, what came out, the commands, and how to cite it. */

import { number } from '#contract/kit/numbers.ts';
import type { RunConfig } from '#contract/run/config.ts';
import type { SeedResult } from '#contract/run/events.ts';
import { citeTool, plain } from './cite.ts';

export interface BundledRun {
  readonly name: string;
  readonly config: RunConfig;
  /** Of the config. */
  readonly hash: string;
  /** Its folder in the bundle. */
  readonly folder: string;
  /** Of the seeds that are done. */
  readonly results: readonly SeedResult[];
  /** Address of a page that opens its set-up; null: it is too long for a link. */
  readonly link: string | null;
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s+/g, ' ');
const shown = (value: number): string => (Number.isFinite(value) ? number(value) : 'not measured');

function resultTable(results: readonly SeedResult[]): readonly string[] {
  if (results.length === 0) return ['No seed is done yet.'];
  return [
    '| seed | greedy test return | return while exploring | steps | learned |',
    '| --- | --- | --- | --- | --- |',
    ...results.map(
      ({ seed, evalReturn, finalReturn, steps, parameterHash }) =>
        `| ${seed} | ${shown(evalReturn)} | ${shown(finalReturn)} | ${number(steps)} | \`${parameterHash}\` |`,
    ),
  ];
}

/** README.md of a bundle. `file`: its name; `build`: version of the workbench, with its commit where that is known. */
export function bundleReadme(runs: readonly BundledRun[], file: string, build: string): string {
  const sections = runs.flatMap(({ name, config, hash, folder, results, link }) => [
    `## ${name}`,
    '',
    `Environment \`${config.env.id}\` (version ${config.env.version ?? 1}), method \`${config.algo.id}\` (version ${config.algo.version ?? 1}), ${number(config.run.steps)} environment steps, executor \`${config.run.executor}\`. Config \`${hash}\`, in full in \`${folder}/run.json\`.`,
    '',
    ...resultTable(results),
    '',
    ...(link === null ? [] : [`Opens the set-up: <${link}>`, '']),
  ]);
  return [
    `# ${runs.length === 1 ? cell(runs[0]?.name ?? '') : `${runs.length} runs`}`,
    '',
    `Made by RL Workbench ${build}. On the executor \`wasm\` the same config and seed give the same bits on every machine.`,
    '',
    '```sh',
    `npm run rl -- verify ${file}                            # runs every seed again and names each number that differs`,
    ...runs.map(({ folder }) => `npm run rl -- train --config ${folder}/run.json --out again   # of the unpacked bundle`),
    '```',
    '',
    `Dropped on the page, \`${file}\` opens with its curves and policies.`,
    '',
    '- `figure.svg`: the chart, with its configs inside',
    '- `project.json`: what is here, with the hash of every config and of what each seed learned',
    '- per run `run.json`, and per seed `curve.csv` (every metric, unsmoothed), `result.json`, `policies.rlwb` and `checkpoint.rlwb`',
    '- `CITATION.bib`: how to cite it',
    '',
    ...sections,
  ].join('\n');
}

/** BibTeX of a run. `year`: of today. */
export function citeRun({ name, config, hash, results, link }: Omit<BundledRun, 'folder'>, build: string, year: number): string {
  return entryOf({ name, config, hash, results, link: link !== null && elsewhereToo(link) ? link : null }, build, year);
}

/** Addresses that are the reader's own machine or network, or reach no machine: loopback, private and link-local ranges, names without a dot. */
const HERE =
  /^(localhost|.*\.localhost|.*\.local|[^.]*|127\..*|0\.0\.0\.0|10\..*|192\.168\..*|169\.254\..*|172\.(1[6-9]|2\d|3[01])\..*|\[.*\])$/;

/** Whether an address leads other people anywhere. */
const elsewhereToo = (address: string): boolean => {
  const [, host] = /^https?:\/\/(\[[^\]]*\]|[^/:?#]+)/.exec(address) ?? [];
  return host !== undefined && !HERE.test(host);
};

/** CITATION.bib: the workbench, and an entry for each run. Where sources of environments and methods are known, they follow (`citedSources`). */
export const citations = (runs: readonly Omit<BundledRun, 'folder'>[], build: string, year: number): string =>
  [citeTool(build, year), ...runs.map((run) => citeRun(run, build, year))].join('\n');

/** CITATION.bib as it was written up to 0.3.0: without the workbench, with whatever address the page had. */
export const citationsBefore = (runs: readonly Omit<BundledRun, 'folder'>[], build: string, year: number): string =>
  runs.map((run) => entryOf(run, build, year)).join('\n');

function entryOf({ name, config, hash, results, link }: Omit<BundledRun, 'folder'>, build: string, year: number): string {
  const seeds = results.map(({ seed }) => seed);
  const which = seeds.length === 0 ? 'no seed done' : `seeds ${Math.min(...seeds)} to ${Math.max(...seeds)}`;
  const learned = results.map(({ parameterHash }) => parameterHash).join(', ');
  return [
    `@misc{rlworkbench-${hash},`,
    `  title        = {${plain(name)}},`,
    '  author       = {{RL Workbench contributors}},',
    `  year         = {${year}},`,
    `  howpublished = {RL Workbench ${plain(build)}},`,
    ...(link === null ? [] : [`  url          = {${link}},`]),
    `  note         = {Environment ${plain(config.env.id)}, method ${plain(config.algo.id)}, ${config.run.steps} steps, ${which}; config ${hash}${learned === '' ? '' : `, learned ${learned}`}},`,
    '}',
    '',
  ].join('\n');
}
