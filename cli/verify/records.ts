/**
 * What was stored of runs, with what it takes to run them again: a run folder of `train --out`, the folder of a sweep, a project file or bundle,
 * each as a folder or as a zip; a summary, a run file of the page, a result of `claims`; a link whose config one of the published results has.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { experiments } from '#claims/experiments/index.ts';
import { INDEX_FILE, RUN_FILE, readContainer, readIndex } from '#contract/files/container.ts';
import { parse, runFileSchema, summarySchema } from '#contract/files/files.ts';
import { type Json, type JsonObject, objectOf, readJson } from '#contract/kit/json.ts';
import { isZip } from '#contract/kit/zip.ts';
import { type Result, resultSchema } from '#contract/papers/results.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { configHash } from '#contract/run/config-hash.ts';
import { wrongMarks } from '#contract/run/verify.ts';
import { SWEEP_FILE } from '#contract/sweep/folder.ts';
import { completeRun } from '#core/run/loaded.ts';
import { type Context, pathFrom } from '../kit/context.ts';
import { UsageError } from '../kit/failure.ts';
import { looksLikeLink } from '../kit/link.ts';
import { CODE_FILES, codeIn } from '../own/code.ts';
import { readConfig } from '../own/config.ts';
import type { Found } from '../own/open.ts';
import type { SeedOutcome } from '../train/seeds.ts';
import { summarise } from '../train/summary.ts';
import { wrongContainer, wrongSeeds } from './container.ts';
import { firstOf, joinNotes, type Notes, noNotes, unlike } from './notes.ts';
import { armsWith } from './paper-look.ts';
import { type Opened, openConfig, runsOfFound, type StoredRun, storedRun } from './stored.ts';
import { isIn, wrongSweeps } from './sweeps.ts';
import { foldersWith, folderTree, isKnownFile, nameIn, partOf, type Tree, zipTree } from './tree.ts';
import { runOf, type TreeRun } from './tree-run.ts';

/** Runs to be run again, and what is said beside them. */
export interface Stored {
  readonly runs: readonly StoredRun[];
  readonly notes: Notes;
  /** What only the runs done again can tell, by their outcomes in the order of `runs`; null: it was not run. */
  readonly after?: (outcomes: readonly (SeedOutcome | null)[]) => Notes;
}

/** The text of a result of a paper, which is run as `claims` runs it. */
export interface StoredPaper {
  readonly paper: string;
}

const inside = (folder: string, sweeps: readonly string[]): boolean => sweeps.some((sweep) => isIn(folder, sweep));

/** Own code that lies in it. */
const codesOf = (tree: Tree): Found['codes'] =>
  Object.values(CODE_FILES).flatMap((file) =>
    foldersWith(tree, file).map((folder) => {
      const own = partOf(tree, folder);
      return { name: tree.folder ? `${own.name}/${file}` : null, code: own.text(file) };
    }),
  );

async function ofTree(tree: Tree): Promise<Stored> {
  const old = tree.has(INDEX_FILE) && readIndex(tree.text(INDEX_FILE)).version === 1;
  const sweeps = foldersWith(tree, SWEEP_FILE);
  const runs: readonly TreeRun[] = old
    ? readContainer(new Map(tree.files.filter(isKnownFile).map((file) => [file, tree.bytes(file)]))).runs.map((found) => ({
        folder: found.folder,
        found,
        raw: objectOf(readJson(tree.text(`${found.folder}/${RUN_FILE}`))),
        listed: true,
      }))
    : foldersWith(tree, RUN_FILE).map((folder) => runOf(tree, folder));
  // Before anything is computed of them: sweeps and texts beside the runs need the same worlds and methods.
  const codes = codesOf(tree);
  const opened: Opened[] = [];
  for (const { found, folder } of runs)
    opened.push(
      await openConfig(found.file.config, { file: tree.folder ? `${nameIn(tree, folder)}/${RUN_FILE}` : null, codes }, found.file),
    );
  const notes = [wrongContainer(tree, runs, (folder) => inside(folder, sweeps)), await wrongSweeps(tree, sweeps, runs)];
  const unknown = tree.files.filter((file) => !isKnownFile(file) && !/(^|\/)commit$/.test(file));
  if (unknown.length > 0)
    notes.push({
      ...noNotes(),
      open: [`${tree.name}: not looked at: ${firstOf(unknown)}.`],
    });
  const stored: StoredRun[] = [];
  for (const [i, { found, listed, folder }] of runs.entries()) {
    const of = found.file.name || nameIn(tree, folder);
    for (const run of runsOfFound(found, opened[i] as Opened, listed)) stored.push({ ...run, of });
  }
  return { runs: stored, notes: joinNotes(notes) };
}

async function ofRunFile(text: string, name: string, beside: Found): Promise<Stored> {
  const file = parse(runFileSchema, text, 'a run file');
  const notes = noNotes();
  if (configHash(file.config) !== file.hash)
    notes.wrong.push(`${name}: its config has the hash ${configHash(file.config)}, and ${file.hash} is noted.`);
  const opened = await openConfig(file.config, beside, file);
  const done = file.seeds.filter(({ result }) => result !== null);
  wrongSeeds(
    name,
    file.config,
    done.map(({ seed }) => seed),
    notes,
  );
  for (const { seed, marks, result } of file.seeds)
    for (const wrong of wrongMarks(file.config, marks, result !== null)) notes.wrong.push(`${name}: seed ${seed}: ${wrong}.`);
  const raw = objectOf(readJson(text)).seeds as readonly { readonly result: object }[];
  return {
    runs: file.seeds.flatMap(({ seed, result, marks }, i): StoredRun[] =>
      result === null ? [] : [{ ...storedRun(file.name, opened, { ...result, seed }), numbers: { ...raw[i]?.result, seed }, marks }],
    ),
    notes,
  };
}

async function ofSummary(text: string, name: string, beside: Found): Promise<Stored> {
  const summary = parse(summarySchema, text, 'a summary');
  const notes = noNotes();
  const raw = objectOf(readJson(text));
  const opened = await openConfig(summary.config, beside);
  if (opened.apart === null && configHash(opened.config) !== configHash(summary.config))
    notes.open.push(
      `${name}: its config is not a whole one of this version: by hash ${configHash(summary.config)} stored, ${configHash(opened.config)} here.`,
    );
  wrongSeeds(
    name,
    summary.config,
    summary.seeds.map(({ seed }) => seed),
    notes,
  );
  notes.aside.push('seconds');
  const after = (outcomes: readonly (SeedOutcome | null)[]): Notes => {
    const found = noNotes();
    const done = outcomes.filter((outcome) => outcome !== null);
    if (done.length < outcomes.length) return found; // said of the run
    const wrong = unlike(raw, summarise(raw.config as unknown as RunConfig, done), 'its runs', {
      without: ['seconds', 'stepsPerSecond'],
      newer: ['evalLoops', 'perAgent'],
    });
    if (wrong !== '') found.wrong.push(`${name}: ${wrong}.`);
    return found;
  };
  const seeds = raw.seeds as readonly (JsonObject & { readonly seed: number; readonly parameterHash: string })[];
  return { runs: seeds.map((seed) => storedRun(name, opened, seed)), notes, after };
}

/** A result of the first form, one claim against one threshold. */
async function ofClaim(result: Result, name: string): Promise<Stored> {
  const card = experiments.find(({ id }) => id === result.id);
  if (card === undefined) throw new UsageError(`There is no claim "${result.id}" to run again.`);
  const opened = await openConfig(completeRun(card.config));
  const notes = noNotes();
  const same = configHash(opened.config) === result.config;
  if (!same)
    notes.open.push(
      `${name} was recorded with config ${result.config}, and today its config is ${configHash(opened.config)}: it cannot be run again as it was.`,
    );
  notes.open.push(`${name}: the verdict of a result of the first form is not computed again: run npm run claims -- ${result.id}.`);
  return { runs: same ? result.seeds.map((seed) => storedRun(result.id, opened, seed)) : [], notes };
}

async function ofText(text: string, name: string, beside: Found): Promise<Stored | StoredPaper> {
  const json = objectOf(readJson(text) as Json);
  if (json.kind === 'run') return ofRunFile(text, name, beside);
  if (json.type === 'summary') return ofSummary(text, name, beside);
  if (json.v === 2) return { paper: text };
  if (json.v === 1 && 'expect' in json) return ofClaim(parse(resultSchema, text, 'a result'), name);
  throw new UsageError(
    `"${name}" stores no result. Use a folder of train --out, a project file, a summary, a run file, a result of claims, or a link.`,
  );
}

/** The published runs that have the config of a link. Throws UsageError where there are none. */
async function ofLink(link: string, context: Pick<Context, 'typedIn' | 'project'>): Promise<Stored> {
  const config = await readConfig({ config: link, env: undefined, algo: undefined, set: [] }, context);
  const folder = join(context.project, 'public/results/papers');
  const runs = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => armsWith(config, readFileSync(join(folder, name), 'utf8')));
  if (runs.length > 0) return { runs, notes: noNotes() };
  throw new UsageError('No published result has the config of this link. Train it with --out, and verify that folder.');
}

/** What is stored at a path or link. Throws UsageError and LabError('file-invalid') with what is wrong. */
export async function readStored(word: string, context: Pick<Context, 'typedIn' | 'project'>): Promise<Stored | StoredPaper> {
  const path = pathFrom(context, word);
  if (!existsSync(path)) {
    if (looksLikeLink(word)) return ofLink(word, context);
    throw new UsageError(`"${word}" is no file, folder or link.`);
  }
  const bytes = statSync(path).isDirectory() ? null : new Uint8Array(readFileSync(path));
  const stored =
    bytes === null
      ? await ofTree(folderTree(path, word))
      : isZip(bytes)
        ? await ofTree(zipTree(bytes, word))
        : await ofText(new TextDecoder().decode(bytes), word, { file: word, codes: codeIn(dirname(path)) });
  if ('runs' in stored && stored.runs.length === 0) throw new UsageError(`"${word}" holds no run that has begun.`);
  return stored;
}
