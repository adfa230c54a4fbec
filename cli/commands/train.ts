/** `train`: a config over its seeds, in parallel; a table or JSON lines, and with --out a folder that can be resumed bit for bit. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { isGymEnv } from '#contract/game/gym-id.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { envIdOf, GYM_OPTIONS, refuseGym } from '../gym/gyms.ts';
import type { Command, Context } from '../kit/context.ts';
import { pathFrom } from '../kit/context.ts';
import { CommandFailure, Interrupted, UsageError } from '../kit/failure.ts';
import { checkFile } from '../kit/files.ts';
import { describeOptions, parseOptions } from '../kit/options.ts';
import { createOutput, number, type Output } from '../kit/output.ts';
import { writeWhole } from '../kit/seed-folder.ts';
import { CONFIG_OPTIONS, readConfig } from '../own/config.ts';
import { CODE_OPTIONS, namedBy, openGiven } from '../own/open.ts';
import { openRobot, ROBOT_OPTION } from '../own/robots.ts';
import { writeIndex } from '../train/container.ts';
import { EXECUTORS, executorFor, withExecutor } from '../train/executor.ts';
import { FROZEN_OPTION, withFrozen } from '../train/frozen.ts';
import { readKeep } from '../train/kept.ts';
import { createRunFolder, openRun, openRunFolder } from '../train/run-folder.ts';
import type { FromSeed, Job, SeedOutcome } from '../train/seeds.ts';
import { runSeeds } from '../train/seeds.ts';
import { summarise, summaryText } from '../train/summary.ts';
import { logFinished, logFolder } from '../train/tensorboard.ts';
import { threadsFor } from '../train/threads.ts';

const OPTIONS = {
  ...CONFIG_OPTIONS,
  ...CODE_OPTIONS,
  mjcf: ROBOT_OPTION,
  frozen: FROZEN_OPTION,
  ...GYM_OPTIONS,
  steps: { kind: 'count', value: 'N', min: 1, help: 'environment steps per seed' },
  seeds: { kind: 'count', value: 'N', min: 1, help: 'how many seeds, run in parallel' },
  'seed-start': { kind: 'count', value: 'K', min: 0, help: 'first seed; the others follow it' },
  executor: {
    kind: 'text',
    value: 'NAME',
    choices: EXECUTORS,
    help: `${EXECUTORS.join(', ')}; tfjs: its best backend here, auto: the fastest here`,
  },
  threads: {
    kind: 'text',
    value: 'N|auto',
    help: 'threads that compute one seed, for large networks (same bits); auto: as many as are faster here',
  },
  out: { kind: 'text', value: 'DIR', help: 'write curves, checkpoints, policies and results there' },
  keep: {
    kind: 'text',
    value: 'best,last,N',
    help: 'policies kept in --out: the best one by its greedy test, the last one, the newest N at the evaluations of run.evalEvery',
  },
  patience: { kind: 'count', value: 'N', min: 1, help: 'end a seed after N evaluations without a better one' },
  'stop-at': { kind: 'text', value: 'RETURN', help: 'end a seed whose last 100 training episodes have this mean return' },
  'on-eval': { kind: 'text', value: 'FILE', help: 'a JavaScript file that hears of every evaluation and may end the seed' },
  tensorboard: { kind: 'text', value: 'DIR', help: 'log every metric there as TensorBoard event files, while it trains' },
  resume: { kind: 'text', value: 'DIR', help: 'go on with what --out wrote there, bit for bit' },
  json: { kind: 'flag', help: 'JSON lines on stdout; the last one is the summary' },
} as const;

type Options = ReturnType<typeof parseOptions<typeof OPTIONS>>['options'];

interface Prepared {
  readonly config: RunConfig;
  readonly folder: string | null;
  readonly watch: Pick<Job, 'keeping' | 'stops'>;
}

/** The config of a new run or of the folder to resume, and the folder for its files. */
async function prepare(options: Options, context: Omit<Context, 'output'>): Promise<Prepared> {
  if (options.resume !== undefined) {
    const fixed = (['env', 'mjcf', 'gym', 'algo', 'config', 'steps', 'seeds', 'seed-start', 'executor', 'out'] as const).find(
      (name) => options[name] !== undefined,
    );
    if (fixed !== undefined || options.set.length > 0 || options.frozen.length > 0) {
      const other = options.set.length > 0 ? 'set' : 'frozen';
      throw new UsageError(`--resume goes on with the config in its folder: leave out --${fixed ?? other}.`);
    }
    const folder = pathFrom(context, options.resume);
    refuseGym(envIdOf(openRunFolder(folder)), 'It cannot be resumed');
    await openGiven(options, context);
    const config = await openRun(folder);
    return { config, folder, watch: watchOf(options, config, folder, context) };
  }
  const named = namedBy(await openGiven(options, context), options);
  const robot = options.mjcf === undefined ? {} : await openRobot(context, options.mjcf);
  const set = await withFrozen(options.frozen, options.set, context);
  const asked = { ...options, ...named, ...robot, set, executor: executorFor(options.executor) };
  const config = await withExecutor(await readConfig(asked, context));
  const folder = options.out === undefined ? null : pathFrom(context, options.out);
  const watch = watchOf(options, config, folder, context);
  if (folder !== null) createRunFolder(folder, config);
  return { config, folder, watch };
}

/** What is kept on the way and what ends a seed early. Throws UsageError where it needs evaluations, or a folder, that there are not. */
function watchOf(
  options: Options,
  { run }: RunConfig,
  folder: string | null,
  context: Pick<Context, 'typedIn'>,
): Pick<Job, 'keeping' | 'stops'> {
  const { patience = null } = options;
  const onEval = options['on-eval'] === undefined ? null : checkFile(context, options['on-eval'], 'file of --on-eval');
  const keeping = { ...readKeep(options.keep), patience, onEval };
  const asked = keeping.best || keeping.newest > 0 || patience !== null || onEval !== null;
  if (asked && run.evalEvery === 0)
    throw new UsageError('Nothing is evaluated on the way: add --set run.evalEvery=N, the environment steps between two evaluations.');
  if ((keeping.best || keeping.newest > 0) && folder === null)
    throw new UsageError('--keep needs --out, the folder where policies are kept.');
  const meanReturn = Number(options['stop-at']);
  if (options['stop-at'] !== undefined && (options['stop-at'].trim() === '' || !Number.isFinite(meanReturn)))
    throw new UsageError(`--stop-at must be a number, not "${options['stop-at']}".`);
  return { ...(asked && { keeping }), ...(options['stop-at'] !== undefined && { stops: { meanReturn } }) };
}

/** Passes on what seeds say: JSON lines, or one changing line for a person. */
function reporter(output: Output, config: RunConfig): (message: FromSeed) => void {
  const at = new Map<number, { step: number; stepsPerSecond: number; episodicReturn: number | null }>();
  return (message) => {
    switch (message.kind) {
      case 'progress': {
        const { kind, ...rest } = message;
        output.record({ type: kind, ...rest });
        at.set(message.seed, message);
        const seeds = [...at].map(
          ([seed, p]) => `seed ${seed}: ${Math.floor((100 * p.step) / config.run.steps)} % ${number(p.episodicReturn)}`,
        );
        const speed = [...at.values()].reduce((sum, p) => sum + p.stepsPerSecond, 0);
        output.progress(`${seeds.join('  ')}  ${number(Math.round(speed))} steps/s`);
        break;
      }
      case 'mark':
        output.record(markRecord(message));
        if (message.type === 'stop') process.stderr.write(`seed ${message.seed}, step ${message.step}: ${message.text}\n`);
        if (message.type === 'warning') process.stderr.write(`seed ${message.seed}, step ${message.step}: ${warningText(message)}\n`);
        break;
      case 'done':
        at.delete(message.seed);
        output.record({ type: 'seed', ...message.outcome });
        break;
      case 'failed':
        at.delete(message.seed);
        output.record({ type: 'failure', seed: message.seed, failure: message.failure });
        break;
      case 'stopped':
        output.record({ type: 'stopped', seed: message.seed });
        break;
    }
  };
}

type MarkMessage = Extract<FromSeed, { kind: 'mark' }>;

/** A line of --json. `finding` and `ends` are there only where the mark has them. */
function markRecord({ seed, step, type, text, finding, ends }: MarkMessage): Record<string, unknown> {
  return { type: 'mark', seed, step, mark: type, text, ...(finding !== undefined && { finding }), ...(ends !== undefined && { ends }) };
}

/** A finding with its evidence, a line each, and the settings to try as this command takes them. */
function warningText({ text, finding }: MarkMessage): string {
  if (finding === undefined) return text;
  const evidence = finding.evidence.map((line) => `  ${line}`);
  const ways = finding.ways.map(({ path, value }) => `  Try: --set ${path}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  return [`${finding.title} (${finding.sure}).`, ...evidence, ...ways].join('\n');
}

export const train: Command = {
  usage: 'train --env ID | --env-file FILE | --mjcf FILE | --gym ID  --algo ID | --algo-file FILE | --config FILE|LINK|PRESET [options]',
  summary: 'Trains a config over its seeds.',
  help: describeOptions(OPTIONS),
  async run(args, context) {
    const { options, rest } = parseOptions(args, OPTIONS);
    if (rest.length > 0) throw new UsageError(`train takes only options, not "${rest[0]}".`);
    const output = createOutput(options.json);
    const { config, folder, watch } = await prepare(options, context);
    output.record({ type: 'config', config, executor: config.run.executor });
    const logs = options.tensorboard === undefined ? null : pathFrom(context, options.tensorboard);
    const threads = await threadsFor(options.threads, config);
    const jobs = Array.from({ length: config.run.seeds }, (_, i): Job => {
      const seed = config.run.seedStart + i;
      return { config, seed, folder, ...(logs !== null && { log: logFolder(logs, config, seed) }), threads, ...watch };
    });
    const { outcomes, failures, interrupted } = await runSeeds(
      jobs,
      reporter(output, config),
      Math.floor(availableParallelism() / threads),
    );
    output.progress('');
    if (logs !== null) for (const job of jobs) logFinished(logs, job); // seeds that were done before
    const done = outcomes.filter((outcome): outcome is SeedOutcome => outcome !== null);
    if (interrupted && done.length < jobs.length) {
      throw new Interrupted(
        folder === null || isGymEnv(config.env.id)
          ? `Interrupted; ${folder === null ? 'without --out' : 'of an environment in Python'} nothing is kept.`
          : `Interrupted. Go on with: train --resume ${folder}`,
      );
    }
    const summary = summarise(config, done);
    if (done.length > 0) output.text(summaryText(summary));
    if (folder !== null) {
      writeWhole(join(folder, 'summary.json'), `${JSON.stringify(summary, null, 2)}\n`);
      writeIndex(folder);
    }
    for (const { job, failure } of failures) process.stderr.write(`seed ${job.seed} failed: ${failure.message} ${failure.fix}\n`);
    output.record(summary);
    if (failures.length > 0) throw new CommandFailure(`${failures.length} of ${jobs.length} seeds failed.`);
  },
};
