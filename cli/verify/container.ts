/** What the files of a container say beside its runs: their records, the index, summaries, and the texts of a bundle. */

import { INDEX_FILE, indexedRun, newRunFile, RUN_FILE, readIndex, SEED_FILES, seedFolderName } from '#contract/files/container.ts';
import { curvesFromCsv } from '#contract/files/curves-csv.ts';
import { decodePolicyFile, parse, type RunFile, runFileSchema, summarySchema } from '#contract/files/files.ts';
import { objectOf, readJson } from '#contract/kit/json.ts';
import { configHash } from '#contract/run/config-hash.ts';
import { nameOfRun } from '#contract/run/run-names.ts';
import { decodeSaved } from '#contract/run/saved.ts';
import { wrongMarks } from '#contract/run/verify.ts';
import { algos } from '#core/algos/all.ts';
import { envs } from '#core/envs/all.ts';
import { stepOf } from '../kit/seed-folder.ts';
import { algoTitle, envTitle } from '../kit/titles.ts';
import { isMissing } from '../own/open.ts';
import type { SeedOutcome } from '../train/seeds.ts';
import { summarise } from '../train/summary.ts';
import { wrongTexts } from './bundle.ts';
import { firstOf, type Notes, noNotes, unlike } from './notes.ts';
import { nameIn, partOf, type Tree } from './tree.ts';
import type { TreeRun } from './tree-run.ts';

const spread = (seeds: readonly number[]): string => seeds.join(', ');

/** Seeds that the config asks for against those that are there. */
export function wrongSeeds(where: string, { run }: Pick<RunFile['config'], 'run'>, done: readonly number[], notes: Notes): void {
  const asked = Array.from({ length: run.seeds }, (_, i) => run.seedStart + i);
  const here = asked.filter((seed) => done.includes(seed));
  const more = done.filter((seed) => !asked.includes(seed));
  if (here.length < asked.length) {
    const missing = asked.filter((seed) => !done.includes(seed));
    notes.open.push(`${where}: ${here.length} of the ${asked.length} seeds of this config are here; missing: ${firstOf(missing)}.`);
  }
  if (more.length > 0) notes.open.push(`${where}: its config does not ask for the seeds ${spread(more)}.`);
}

/** A name that says another method or environment than the config has. */
function namedAs(name: string, { env, algo }: RunFile['config']): string | null {
  const own = nameOfRun(algoTitle(algo.id), envTitle(env.id));
  if (name.startsWith(own)) return null;
  const method = algos.find(({ title }) => name.startsWith(`${title} on `));
  const world = envs.find(({ title }) => new RegExp(` on ${title.replace(/\W/g, '\\$&')}( \\d+)?$`).test(name));
  return method !== undefined && world !== undefined && (method.id !== algo.id || world.id !== env.id) ? own : null;
}

/** Why a run is on wasm, as the page says it; the command line says nothing. */
const REASONS = ['', 'exact, the default', 'the default'];

/** What a record says that its seeds do not. */
function wrongRecord(tree: Tree, { folder, found, raw, listed }: TreeRun, notes: Notes): void {
  const { file, seeds } = found;
  const where = `${nameIn(tree, folder)}/${RUN_FILE}`;
  const wrong = (text: string): void => void notes.wrong.push(`${where}: ${text}.`);
  if (raw.kind === 'cli-run') {
    notes.aside.push('name');
    return;
  }
  const hash = configHash(file.config);
  if (hash !== file.hash) wrong(`its config has the hash ${hash}, and ${file.hash} is noted`);
  const called = namedAs(file.name, file.config);
  if (called !== null) wrong(`it is called "${file.name}", and its config is one of ${called}`);
  if (!listed) {
    // train --out writes nothing else there
    const { id, createdAt } = file;
    const { env, algo } = file.config;
    // What a person wrote is called by its title, in earlier versions by its id.
    const names = [algoTitle(algo.id), algo.id].flatMap((method) => [envTitle(env.id), env.id].map((world) => nameOfRun(method, world)));
    const name = isMissing(file.config) ? file.name : (names.find((one) => one === file.name) ?? names[0] ?? '');
    const made = newRunFile(raw.config as RunFile['config'], { id, name, createdAt });
    const text = unlike(raw, made, 'its config');
    if (text !== '') notes.open.push(`${where}: ${text}.`);
    if (!new RegExp(`^${createdAt.toString(36)}-${file.config.env.id}-${file.config.algo.id}-[0-9a-z]{4}$`).test(id))
      wrong(`the id ${id} is not one of that time, environment and method`);
    return;
  }
  const computed = parse(runFileSchema, JSON.stringify(raw), 'a run');
  const unread = unlike(raw, computed, 'what this version reads');
  if (unread !== '') notes.open.push(`${where}: ${unread}.`);
  if (file.config.run.executor === 'wasm' && !REASONS.includes(file.executorReason))
    notes.open.push(`${where}: its executor is wasm because of "${file.executorReason}".`);
  for (const one of computed.seeds) {
    const own = seeds.find(({ seed }) => seed === one.seed);
    const result = own?.result ?? null;
    const about = `seed ${one.seed}`;
    if (result !== null && one.state !== 'done') wrong(`${about} is "${one.state}", and it has a result`);
    if (result === null && one.state === 'done') wrong(`${about} is "done", and it has no result`);
    if (result !== null && one.step !== result.steps) wrong(`${about} has ${one.step} steps, and ${result.steps} by its result`);
    if (result !== null && one.seconds !== result.seconds) wrong(`${about} took ${one.seconds} s, and ${result.seconds} by its result`);
    if (result !== null && one.failure !== null) wrong(`${about} has a failure and a result`);
    if (own?.checkpoint) {
      const step = stepOf(decodeSaved(own.checkpoint));
      if (step !== one.checkpointStep)
        wrong(`${about} has its state of step ${one.checkpointStep}, and ${step} by ${SEED_FILES.checkpoint}`);
    }
    for (const text of wrongMarks(file.config, one.marks, result !== null)) wrong(`${about}: ${text}`);
  }
  notes.aside.push('note', 'colour', 'origin');
}

/** Names of the files of a seed that hold one policy each. */
function policyFiles({ files }: Tree, seed: number): readonly string[] {
  const at = `${seedFolderName(seed)}/`;
  return files.flatMap((file) =>
    file.startsWith(at) && /^(policy(-\d+)?|best)\.json$/.test(file.slice(at.length)) ? [file.slice(at.length)] : [],
  );
}

/** Numbers in files of a seed that say whose they are or what they took. */
function wrongSeedFiles(tree: Tree, { folder, found, listed }: TreeRun, notes: Notes): void {
  const own = partOf(tree, folder);
  for (const { seed, result } of found.seeds) {
    const at = (name: string): string => `${seedFolderName(seed)}/${name}`;
    const where = `${own.name}/${seedFolderName(seed)}`;
    if (result !== null && result.seed !== seed)
      notes.wrong.push(`${where}/${SEED_FILES.result}: it is the result of seed ${result.seed}.`);
    const speed = result === null || result.seconds === 0 ? 0 : result.steps / result.seconds;
    if (result !== null && Math.abs(result.stepsPerSecond - speed) > 1e-6 * Math.max(1, speed))
      notes.wrong.push(
        `${where}/${SEED_FILES.result}: ${result.steps} steps in ${result.seconds} s are not ${result.stepsPerSecond} a second.`,
      );
    const steps = new Map<number, string>();
    for (const file of policyFiles(own, seed)) {
      const text = own.text(at(file));
      const { step } = decodePolicyFile(text);
      const before = steps.get(step);
      if (before !== undefined && own.text(at(before)) !== text)
        notes.wrong.push(`${where}: ${before} and ${file} are both the policy of step ${step}, and differ.`);
      steps.set(step, file);
    }
    if (own.has(at(SEED_FILES.policy)) && own.has(at(SEED_FILES.policies)))
      notes.open.push(`${where}: of ${SEED_FILES.policy} and ${SEED_FILES.policies} only one is compared.`);
    if (own.has(at(SEED_FILES.curve))) {
      const text = own.text(at(SEED_FILES.curve));
      const others = [...new Set(curvesFromCsv(text).map((column) => column.seed))].filter((other) => other !== seed);
      if (others.length > 0) notes.wrong.push(`${where}/${SEED_FILES.curve}: it has rows of seed ${spread(others)}.`);
      const runs = [
        ...new Set(
          text
            .split(/\r?\n/)
            .slice(1, -1)
            .map((line) => line.split(',', 1)[0]),
        ),
      ];
      const expected = listed ? found.file.id : 'cli';
      const stranger = runs.find((run) => run !== expected);
      if (stranger !== undefined) notes.wrong.push(`${where}/${SEED_FILES.curve}: it has rows of the run "${stranger}".`);
    }
  }
}

/** Summary of a folder, computed from the results beside it. */
function wrongSummary(tree: Tree, { folder, found, raw }: TreeRun, notes: Notes): void {
  const own = partOf(tree, folder);
  if (!own.has('summary.json')) return;
  const text = own.text('summary.json');
  parse(summarySchema, text, 'a summary');
  const results = found.seeds.flatMap(({ result }) => result ?? []);
  const computed = summarise(raw.config as RunFile['config'], results as SeedOutcome[]);
  const wrong = unlike(readJson(text), computed, 'its results', { newer: ['evalLoops', 'perAgent'] });
  if (wrong !== '') notes.wrong.push(`${own.name}/summary.json: ${wrong}.`);
}

/** The index of a container against the runs that are there. */
function wrongIndex(tree: Tree, runs: readonly TreeRun[], notes: Notes): void {
  if (!tree.has(INDEX_FILE)) return;
  const where = `${tree.name}/${INDEX_FILE}`;
  const text = tree.text(INDEX_FILE);
  const index = readIndex(text);
  const raw = objectOf(readJson(text));
  if (index.version === 1) {
    notes.open.push(`${where}: an index of version 1 says nothing of its runs.`);
    return;
  }
  const computed = runs.map(({ folder, found, listed }) => {
    const all = indexedRun({ folder, file: found.file });
    // the command line counts the steps of seeds that are done
    return listed ? all : { ...all, seeds: all.seeds.map((seed) => (seed.parameterHash === null ? { ...seed, step: 0 } : seed)) };
  });
  const order = new Map(index.runs.map((run, i) => [typeof run === 'string' ? run : run.folder, i]));
  const sorted = computed.toSorted((a, b) => (order.get(a.folder) ?? order.size) - (order.get(b.folder) ?? order.size));
  const wrong = unlike(raw.runs, sorted, 'the runs that are there');
  if (wrong !== '') notes.wrong.push(`${where}: runs ${wrong}.`);
  if (index.layout !== undefined) notes.aside.push('how the page was arranged');
}

/** Everything that can be said of a container without running anything. `inside`: folders whose runs others ask for, those of sweeps. */
export function wrongContainer(tree: Tree, runs: readonly TreeRun[], inside: (folder: string) => boolean): Notes {
  const notes = noNotes();
  for (const run of runs) {
    wrongRecord(tree, run, notes);
    wrongSeedFiles(tree, run, notes);
    wrongSummary(tree, run, notes);
    const done = run.found.seeds.flatMap(({ seed, result }) => (result === null ? [] : [seed]));
    if (!inside(run.folder) && run.found.file.imported === undefined)
      wrongSeeds(nameIn(tree, run.folder), run.found.file.config, done, notes);
  }
  wrongIndex(tree, runs, notes);
  wrongTexts(tree, runs, notes);
  notes.aside.push('dates', 'seconds');
  return notes;
}
