/**
 * The runs of a sweep's folder, local or of the queue, with what it takes to run them again. What the sweep says of them is made again: the
 * search itself on the scores of the runs that are there, so that set-ups, importance, verdict and tables follow from them.
 */
import { quantityOf } from '#claims/quantity.ts';
import { LabError } from '#contract/kit/errors.ts';
import { type Json, type JsonObject, objectOf, readJson } from '#contract/kit/json.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { configHash } from '#contract/run/config-hash.ts';
import { taskNames } from '#contract/run/task-names.ts';
import { setupConfig } from '#contract/sweep/differing.ts';
import { type FiledSweep, readSweepFile, SWEEP_FILE, sweepFile } from '#contract/sweep/folder.ts';
import { atRungs } from '#contract/sweep/prune.ts';
import { type FieldImportance, methodName, methodsIn, sweepCsv } from '#contract/sweep/report.ts';
import { reportingSeeds, runSweep, type SweepHost, type Swept } from '#contract/sweep/run.ts';
import { type Sweep, tuningSeeds } from '#contract/sweep/sweep.ts';
import { completeRun } from '#core/run/loaded.ts';
import { algoTitle, envTitle } from '../kit/titles.ts';
import { contrastCsv } from '../sweep/report.ts';
import type { SeedOutcome } from '../train/seeds.ts';
import { joinNotes, type Notes, noNotes, unlike, unlikeLines } from './notes.ts';
import { curvesByMetric } from './stored.ts';
import { partOf, type Tree } from './tree.ts';
import type { TreeRun } from './tree-run.ts';

/** Tables of older versions have an apostrophe before negative numbers. */
const plainCsv = (text: string): string => text.replace(/(^|,)'(?=-[\d.])/gm, '$1');

interface Made {
  readonly filed: FiledSweep;
  readonly swept: Swept;
  readonly base: RunConfig;
}

/** The score of every run of a sweep that is done, by config hash and seed. */
function scoresOf(sweep: Sweep, runs: readonly TreeRun[]): ReadonlyMap<string, number | null> {
  return new Map(
    runs.flatMap(({ found: { file, seeds } }) =>
      seeds.flatMap(({ seed, result, stored, curves }): (readonly [string, number | null])[] => {
        if (result === null) return [];
        const outcome = { ...result, ...stored } as unknown as SeedOutcome;
        return [[`${file.hash} ${seed}`, quantityOf(sweep.quantity, sweep.better, outcome, curvesByMetric(curves), file.config.run.steps)]];
      }),
    ),
  );
}

/** Earlier versions wrote 0 for a share that cannot be told. */
function withShares(raw: JsonObject, found: readonly FieldImportance[]): JsonObject {
  const { importance } = raw;
  if (!Array.isArray(importance)) return raw;
  const shares = importance.map((one: Json, i) =>
    found[i]?.share === null && objectOf(one).share === 0 ? { ...objectOf(one), share: null } : one,
  );
  return { ...raw, importance: shares };
}

/** The sweep in a folder of the tree, held against its runs. */
async function ofSweep(
  tree: Tree,
  folder: string,
  runs: readonly TreeRun[],
): Promise<{ readonly notes: Notes; readonly made: Made | null }> {
  const notes = noNotes();
  const own = partOf(tree, folder);
  const where = `${own.name}/${SWEEP_FILE}`;
  const text = own.text(SWEEP_FILE);
  const filed = readSweepFile(text);
  const { sweep } = filed;
  notes.aside.push('dates', 'machine', 'commit', 'title');
  const scores = scoresOf(sweep, runs);
  const asked = new Set<string>();
  const missing = new Set<string>();
  let total = 0;
  let failed = 0;
  const curves = new Map(
    runs.flatMap(({ found: { file, seeds } }) =>
      seeds.map(({ seed, curves: own }) => [`${file.hash} ${seed}`, curvesByMetric(own)] as const),
    ),
  );
  const host: SweepHost = {
    complete: completeRun,
    at: (config, seed, metric, steps) => atRungs(curves.get(`${configHash(config)} ${seed}`)?.get(metric), steps),
    run: async (configs, seeds, _what, early) => {
      const over = new Set<string>();
      for (const config of early === undefined ? [] : configs)
        for (const seed of seeds) if (await early?.isOver(config, seed)) over.add(`${configHash(config)} ${seed}`);
      return configs.map((config) =>
        seeds.map((seed) => {
          const key = `${configHash(config)} ${seed}`;
          total++;
          asked.add(key);
          if (over.has(key)) return null; // ended early, so that it has no result
          if (scores.has(key)) return scores.get(key) ?? null;
          failed++;
          missing.add(key);
          return null;
        }),
      );
    },
  };
  let swept: Swept;
  let base: RunConfig;
  try {
    base = await setupConfig(sweep, {}, completeRun);
    swept = await runSweep(sweep, host);
  } catch (error) {
    if (!(error instanceof LabError)) throw error;
    notes.open.push(`${where}: its set-ups cannot be made here: ${error.message}`);
    return { notes, made: null };
  }
  for (const { folder: at, found } of runs) {
    const name = at.split('/').at(-1) ?? '';
    if (name !== found.file.hash) notes.wrong.push(`${own.name}: the run in runs/${name} has the config ${found.file.hash}.`);
  }
  const strange = [...scores.keys()].filter((key) => !asked.has(key));
  if (missing.size > 0) {
    const [first = ''] = missing;
    notes.open.push(
      `${own.name}: ${asked.size - missing.size} of the ${asked.size} runs of this sweep are here; missing: config ${first.replace(' ', ', seed ')}${missing.size > 1 ? ` and ${missing.size - 1} more` : ''}.`,
    );
  }
  if (strange.length > 0)
    notes.open.push(
      `${own.name}: ${strange.length} runs are none that this sweep asks for by its runs as they are: config ${strange[0]?.replace(' ', ', seed ')}.`,
    );
  if (filed.state !== 'done') {
    notes.open.push(`${where}: the sweep is not over ("${filed.state}"), so its tables are not compared.`);
    return { notes, made: null };
  }
  const raw = objectOf(readJson(text));
  const { commit, machine, date } = raw;
  const about = { ...(commit !== undefined && { commit }), ...(machine !== undefined && { machine }), date: String(date) };
  const computed = sweepFile(sweep, swept, about, { state: 'done', runs: { done: total, total, failed } });
  // Sweeps of earlier versions do not note what they asked by its hash, nor settings that came later.
  const wrong = unlike(withShares(raw, computed.importance), computed, 'its runs', { newer: ['hash', 'sweep', 'baseConfig'] });
  if (wrong !== '') notes.wrong.push(`${where}: ${wrong}.`);
  if (own.has('sweep.csv')) {
    const line = unlikeLines(plainCsv(own.text('sweep.csv')), plainCsv(sweepCsv(sweep, swept, tuningSeeds(sweep))), 'its runs');
    if (line !== '') notes.wrong.push(`${own.name}/sweep.csv: ${line}.`);
  }
  return { notes, made: { filed, swept, base } };
}

/** Tables over several sweeps, in the folder above them. The order of their rows is that of a file that is not there. */
function overAll(tree: Tree, made: readonly Made[], notes: Notes): void {
  const [first] = made;
  if (first === undefined) return;
  const nameOf = taskNames(
    made.map(({ base }) => base.env),
    envTitle,
  );
  const parts = made.map(({ filed, swept, base }) => ({
    env: nameOf(base.env),
    method: methodName(filed.sweep, algoTitle),
    arms: swept.reported?.arms ?? [],
    best: swept.best,
    reported: swept.reported,
  }));
  for (const [file, kind] of [
    ['methods.csv', 'method'],
    ['contrast.csv', 'value'],
  ] as const) {
    if (!tree.has(file)) continue;
    const [head, ...rows] = contrastCsv(kind === 'method' ? methodsIn(parts) : parts, reportingSeeds(first.filed.sweep), kind).split('\n');
    const sorted = (lines: readonly string[]): string =>
      lines
        .filter((line) => line !== '')
        .toSorted()
        .join('\n');
    const [storedHead, ...stored] = plainCsv(tree.text(file)).split('\n');
    const line = unlikeLines(`${storedHead}\n${sorted(stored)}`, `${head}\n${sorted(rows)}`, 'the sweeps (in the order of their letters)');
    if (line !== '') notes.wrong.push(`${tree.name}/${file}: ${line}.`);
  }
}

/** What the files of the sweeps in these folders say otherwise than their runs. */
export async function wrongSweeps(tree: Tree, folders: readonly string[], runs: readonly TreeRun[]): Promise<Notes> {
  const found: Awaited<ReturnType<typeof ofSweep>>[] = [];
  for (const folder of folders)
    found.push(
      await ofSweep(
        tree,
        folder,
        runs.filter((run) => isIn(run.folder, folder)),
      ),
    );
  const notes = noNotes();
  overAll(
    tree,
    found.flatMap(({ made }) => made ?? []),
    notes,
  );
  return joinNotes([...found.map((one) => one.notes), notes]);
}

/** Whether a run lies below the folder of a sweep. */
export const isIn = (run: string, sweep: string): boolean => run.startsWith(sweep === '' ? 'runs/' : `${sweep}/runs/`);
