/** `sweep FILE`: tries set-ups of one config, says what matters, and holds the best against the config as it stands on fresh seeds. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalJson, utf8 } from '#contract/kit/canonical.ts';
import { fail, LabError } from '#contract/kit/errors.ts';
import { groupBy } from '#contract/kit/group-by.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { sha256 } from '#contract/run/config-hash.ts';
import { taskNames } from '#contract/run/task-names.ts';
import { leftOutTexts, setupConfig } from '#contract/sweep/differing.ts';
import { plainOf, sweepFile } from '#contract/sweep/folder.ts';
import { type SweepIn, sweepsOf } from '#contract/sweep/parts.ts';
import { type ContrastedIn, contrastsOver, methodName, methodsIn, sweepCsv, tuningText } from '#contract/sweep/report.ts';
import { type FirstRound, firstSetups, reportingSeeds, sweepSize } from '#contract/sweep/run.ts';
import { countOf, type Sweep, tuningSeeds } from '#contract/sweep/sweep.ts';
import { completeRun } from '#core/run/loaded.ts';
import { GYM_OPTIONS } from '../gym/gyms.ts';
import type { Command } from '../kit/context.ts';
import { pathFrom } from '../kit/context.ts';
import { CommandFailure, UsageError } from '../kit/failure.ts';
import { commit, machine } from '../kit/machine.ts';
import { describeOptions, parseOptions } from '../kit/options.ts';
import { createOutput, number, type Output } from '../kit/output.ts';
import { writeWhole } from '../kit/seed-folder.ts';
import { algoTitle, envTitle } from '../kit/titles.ts';
import { openAll, readAsked } from '../own/asked.ts';
import { givenCode } from '../own/code.ts';
import { CODE_OPTIONS, openGiven } from '../own/open.ts';
import { openQueue, QUEUE_OPTION } from '../queue/options.ts';
import { QueuedRuns } from '../queue/runs.ts';
import { type ExportOptions, exportRuns, SCHEDULERS } from '../sweep/export.ts';
import { listedRuns } from '../sweep/list.ts';
import { contrastCsv, contrastLines, type MethodPart, methodsTable, standingLines, sweepText } from '../sweep/report.ts';
import { runFolder, type SweepOptions, sweepInFolders } from '../sweep/run.ts';
import { Runs } from '../train/batch.ts';
import { writeIndex } from '../train/container.ts';
import { ensureRunFolder } from '../train/run-folder.ts';
import { logFinished } from '../train/tensorboard.ts';

const OPTIONS = {
  out: { kind: 'text', value: 'DIR', help: 'keep runs and results there; without it runs are kept in the cache of the project' },
  jobs: { kind: 'count', value: 'N', min: 1, help: 'runs at the same time; default: as many as there are cores' },
  plan: { kind: 'flag', help: 'only say how many runs and steps it would be, and list the first set-ups' },
  queue: { ...QUEUE_OPTION, help: `let workers elsewhere train: ${QUEUE_OPTION.help}` },
  export: {
    kind: 'text',
    value: 'NAME',
    choices: SCHEDULERS,
    help: `print the list of runs as a job of ${SCHEDULERS.join(', ')} and run nothing; needs --out`,
  },
  run: { kind: 'count', value: 'N', min: 0, help: 'train only run N of that list, from 0; needs --out' },
  tensorboard: { kind: 'text', value: 'DIR', help: 'write the curves of every run that is over there as TensorBoard event files' },
  ...CODE_OPTIONS,
  ...GYM_OPTIONS,
  json: { kind: 'flag', help: 'JSON lines: a line per set-up, the last one is the summary' },
} as const;

/** One run of the list, into the folder where the sweep finds it. */
async function trainOne(parts: readonly SweepIn[], place: number, folder: string, progress: (line: string) => void): Promise<string> {
  const runs = await listedRuns(parts);
  const run = runs[place];
  if (run === undefined) throw new UsageError(`--run must be at most ${runs.length - 1}: this sweep lists ${runs.length} runs.`);
  const { config, hash, seed, part } = run;
  const at = runFolder(join(folder, part), hash);
  ensureRunFolder(at, config);
  const batch = new Runs({ threads: 1, progress });
  const [failed] = await batch.run([{ config, seed, kind: hash, folder: at }], `run ${place}`);
  if (failed !== undefined) throw new CommandFailure(`seed ${seed} failed: ${failed.failure.message}`);
  return `Run ${place} of ${runs.length}: ${hash}, seed ${seed}, learned ${batch.outcome(at, seed)?.parameterHash}`;
}

interface Exported {
  readonly title: string;
  readonly file: string;
  readonly folder: string;
  readonly text: string;
  readonly json: JsonObject;
  readonly codes: ExportOptions['codes'];
  readonly project: string;
}

/** Prints the list of runs as a job of a scheduler. */
async function exportList(parts: readonly SweepIn[], name: string, { folder, ...rest }: Exported): Promise<void> {
  const scheduler = SCHEDULERS.find((known) => known === name);
  if (scheduler === undefined) throw new UsageError(`--export takes ${SCHEDULERS.join(', ')}.`);
  process.stdout.write(exportRuns(scheduler, { ...rest, out: folder, runs: await listedRuns(parts) }));
}

type Name = Pick<MethodPart, 'env' | 'method'>;

/** Environment and method of every sweep as the page calls them. */
async function namesOf(parts: readonly SweepIn[]): Promise<readonly Name[]> {
  const configs = await Promise.all(parts.map(({ sweep: asked }) => setupConfig(asked, {}, completeRun)));
  const nameOf = taskNames(
    configs.map(({ env }) => env),
    envTitle,
  );
  return parts.map(({ sweep: asked }, i) => {
    const config = configs[i];
    return { env: config === undefined ? '' : nameOf(config.env), method: methodName(asked, algoTitle) };
  });
}

/** What came of one sweep of the file. */
type Found = ContrastedIn & MethodPart & { readonly setups: number };

interface Room {
  readonly folder: string;
  readonly runs: SweepOptions['runs'];
  /** Of TensorBoard's logs; null: none. */
  readonly logs: string | null;
  readonly about: { readonly date: string };
  readonly output: Output;
}

/** Runs the sweep of one environment, into a folder of its own where there are several. */
async function runPart({ folder: own, sweep: asked }: SweepIn, name: Name, { folder, runs, logs, about, output }: Room): Promise<Found> {
  const at = own === '' ? folder : join(folder, own);
  mkdirSync(at, { recursive: true });
  const report: SweepOptions['report'] = (swept, progress) =>
    writeWhole(join(at, 'sweep.json'), `${JSON.stringify(sweepFile(asked, swept, about, progress), null, 1)}\n`);
  const swept = await sweepInFolders(asked, {
    folder: at,
    runs,
    report,
    ...(logs !== null && { finished: (job) => logFinished(logs, job) }),
  });
  const { setups, ...summary } = sweepFile(asked, swept, about, swept.progress);
  for (const setup of setups) output.record({ ...setup, type: 'setup' });
  output.record(summary);
  writeWhole(join(at, 'sweep.csv'), sweepCsv(asked, swept, tuningSeeds(asked)));
  output.text(`${own === '' ? '' : `\n== ${own}\n`}${sweepText(asked, swept)}\nWritten: ${at}/sweep.json and sweep.csv`);
  if (swept.failures.length > 0) throw new CommandFailure(`${swept.failures.length} runs failed: ${swept.failures[0]}`);
  return { ...name, arms: swept.reported?.arms ?? [], best: swept.best, reported: swept.reported, setups: swept.setups.length };
}

/** The conclusions on contrasted values, or on methods, over all environments. */
function overAll(asked: Sweep, found: readonly Found[], folder: string, output: Output): void {
  const methods = asked.method !== undefined;
  if ((asked.contrast === undefined && !methods) || asked.seeds.reporting === 0) return;
  const arms = methods ? methodsIn(found) : found;
  const kind = methods ? 'methods' : 'contrast';
  writeWhole(join(folder, `${kind}.csv`), contrastCsv(arms, reportingSeeds(asked), methods ? 'method' : 'value'));
  const standing = contrastsOver(arms, asked.better);
  output.record({ type: kind, envs: arms.map(({ env }) => env), sentence: standing.sentence, verdicts: standing.pairs });
  // Environment by environment the same methods, so that the first that is not tuned alike tells it.
  const [unequal = ''] = [...groupBy(found, ({ env }) => env).values()]
    .map((own) => tuningText(own.map(({ method, setups }) => ({ name: method, setups }))))
    .filter((text) => text !== '');
  const count = arms.length === 1 ? `In ${arms[0]?.env}` : `Over ${arms.length} environments`;
  const lines = methods
    ? [
        `${count}, each method by its best set-up on fresh seeds:`,
        methodsTable(found),
        ...standingLines(standing),
        ...(unequal === '' ? [] : [`  ${unequal}`]),
      ]
    : [`${count}:`, ...contrastLines(asked, arms)];
  output.text(['', ...lines, `Written: ${folder}/${kind}.csv`].join('\n'));
}

/** The set-ups of each sweep's first round. Refuses a value that cannot be before anything runs, and names the sweep that has it. */
async function planParts(parts: readonly SweepIn[]): Promise<readonly FirstRound[]> {
  const plans: FirstRound[] = [];
  for (const { folder, sweep: asked } of parts) {
    try {
      plans.push(await firstSetups(asked, completeRun));
    } catch (error) {
      if (folder === '' || !(error instanceof LabError)) throw error;
      const { id, message, fix, field } = error.failure;
      throw fail(id, `${folder}: ${message}`, fix, field);
    }
  }
  return plans;
}

export const sweep: Command = {
  usage: 'sweep FILE [--out DIR] [--plan] [--queue URL]',
  summary: 'Tries set-ups of a config and says which field matters and whether the best one holds.',
  help: describeOptions(OPTIONS),
  async run(args, context) {
    const { options, rest } = parseOptions(args, OPTIONS);
    const [file, ...more] = rest;
    if (file === undefined || more.length > 0) throw new UsageError('Which sweep? sweep FILE, one file (docs/sweeps.md).');
    const single = (['plan', 'export', 'run', 'queue'] as const).filter((name) => options[name] !== undefined && options[name] !== false);
    if (single.length > 1) throw new UsageError(`--${single[0]} and --${single[1]} exclude each other.`);
    const output = createOutput(options.json);
    if (options.gym !== undefined && (single[0] === 'queue' || single[0] === 'export' || single[0] === 'run'))
      throw new UsageError(`An environment in Python is trained by this command, as a whole: leave out --${single[0]}.`);
    const { text, json, found: place } = await readAsked(context, file, 'sweep file', await openGiven(options, context));
    const parts = sweepsOf(json);
    await openAll(
      parts.map(({ sweep: asked }) => asked.config),
      place,
    );
    const plans = await planParts(parts);
    if ((options.export ?? options.run) !== undefined && options.out === undefined)
      throw new UsageError('Which folder gets the runs? --out DIR, the same for all of them.');
    const [only] = parts;
    const alone = parts.length === 1 ? only : undefined;
    const named = sha256(utf8(canonicalJson(alone === undefined ? json : plainOf(alone.sweep)))).slice(0, 12);
    const folder =
      options.out === undefined ? join(context.project, 'node_modules/.cache/rl-workbench/sweeps', named) : pathFrom(context, options.out);
    if ((options.export ?? options.run) !== undefined) {
      if (options.run !== undefined) output.text(await trainOne(parts, options.run, folder, output.progress));
      else
        await exportList(parts, options.export ?? '', {
          title: only?.sweep.title ?? named,
          file: pathFrom(context, file),
          folder,
          text,
          json,
          codes: givenCode().map(({ name, code }) => ({ file: pathFrom(context, name), code })),
          project: context.project,
        });
      return;
    }
    for (const [i, { folder: own, env, method, sweep: asked }] of parts.entries()) {
      const plan = plans[i];
      // Of a search that follows scores the first round alone is known.
      const count = asked.search.by === 'tpe' ? countOf(asked) : (plan?.setups.length ?? 0);
      const { runs, steps } = sweepSize(asked, (await setupConfig(asked, {}, completeRun)).run.steps, count);
      const where = own === '' ? '' : `${own}: `;
      output.text(`${where}${count} set-ups by ${asked.search.by}, ${number(runs)} runs, ${number(steps)} environment steps.`);
      if (count < countOf(asked)) output.text(`  ${countOf(asked)} were asked for: no more of them can differ.`);
      for (const text of leftOutTexts(plan?.search.left() ?? [])) output.text(`  ${text}`);
      output.record({ type: 'plan', ...(env !== '' && { env }), ...(method !== null && { method }), setups: count, runs, steps });
    }
    if (options.plan) {
      for (const { values } of plans[0]?.setups ?? []) output.text(JSON.stringify(values));
      return;
    }
    const logs = options.tensorboard === undefined ? null : pathFrom(context, options.tensorboard);
    const about = { commit: commit(context.project), machine: machine(), date: new Date().toISOString() };
    const connection = options.queue === undefined ? null : await openQueue(options.queue);
    let queued: QueuedRuns | null = null;
    const makeRuns: SweepOptions['runs'] = ({ finished }) => {
      const { progress } = output;
      if (connection === null) return new Runs({ threads: options.jobs ?? about.machine.cores, progress, finished });
      queued = new QueuedRuns({ connection, progress, finished });
      return queued;
    };
    try {
      const found: Found[] = [];
      const names = await namesOf(parts);
      for (const [i, part] of parts.entries()) {
        found.push(await runPart(part, names[i] ?? { env: '', method: '' }, { folder, runs: makeRuns, logs, about, output }));
        await (queued as QueuedRuns | null)?.close();
        queued = null;
      }
      const [first] = parts;
      if (first !== undefined && alone === undefined) overAll(first.sweep, found, folder, output);
      writeIndex(folder);
    } finally {
      await (queued as QueuedRuns | null)?.close();
      connection?.close();
    }
  },
};
