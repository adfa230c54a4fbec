/**
 * `claims SUITE`: runs the experiments of a suite over their seeds, judges them, writes public/results/<id>.json and docs/results.md.
 * Every finished seed is kept under node_modules/.cache until the claim's config or the code changes, and running ones save
 * checkpoints, so that a killed command goes on where it was. Rivals that claims are measured against are trained before them. `--quick`
 * is for CI: fewer seeds and steps, nothing written.
 */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ExperimentCard } from '#contract/catalog.ts';
import type { RunConfig } from '#contract/config.ts';
import { configHash } from '#contract/config-hash.ts';
import { judge, measure, type Result } from '#contract/results.ts';
import { completeRun } from '#core/run/by-id.ts';
import { experiments } from '#experiments/index.ts';
import { summariseSeeds } from '#math/seeds.ts';
import type { Command } from '../context.ts';
import { pathFrom } from '../context.ts';
import { type ExternFile, loadExtern } from '../extern.ts';
import { CommandFailure, Interrupted, UsageError } from '../failure.ts';
import { codeHash, commit, machine } from '../machine.ts';
import { describeOptions, parseOptions } from '../options.ts';
import { createOutput, number, type Output, table } from '../output.ts';
import { writeResultsPage } from '../results-page.ts';
import { seedFolder, writeWhole } from '../run-folder.ts';
import { type Job, runSeeds, type SeedOutcome } from '../seeds.ts';

const OPTIONS = {
  quick: { kind: 'flag', help: 'the quick form of each claim: fewer seeds and steps, exact all the same; writes no results' },
  only: { kind: 'text', value: 'ID', help: 'this claim only' },
  fresh: { kind: 'flag', help: 'forget what an earlier, killed command had finished' },
  report: { kind: 'text', value: 'FILE', help: 'also write the verdicts there as JSON' },
  json: { kind: 'flag', help: 'JSON lines: one result per claim' },
} as const;

interface Claim {
  readonly card: ExperimentCard;
  readonly expect: NonNullable<ExperimentCard['expect']>;
  readonly config: RunConfig;
}

function claimsOf(suite: string, only: string | undefined, quick: boolean): readonly Claim[] {
  const found: Claim[] = [];
  for (const card of experiments) {
    if (card.suite !== suite || card.expect === undefined || (only !== undefined && card.id !== only)) continue;
    if (!quick) found.push({ card, expect: card.expect, config: completeRun(card.config) });
    else if (card.quick) {
      const full = card.config as { readonly run?: object };
      found.push({ card, expect: card.quick.expect, config: completeRun({ ...full, run: { ...full.run, ...card.quick.run } }) });
    }
  }
  if (found.length > 0) return found;
  const suites = [...new Set(experiments.flatMap((card) => card.suite ?? []))];
  if (!suites.includes(suite)) throw new UsageError(`There is no suite "${suite}". Use one of: ${suites.join(', ')}.`);
  const ids = experiments.filter((card) => card.suite === suite).map((card) => card.id);
  throw new UsageError(`There is no claim "${only}" in ${suite}. Use one of: ${ids.join(', ')}.`);
}

/** Whom a claim is measured against beside its verdict: the first seed of another experiment. */
interface Rival {
  readonly job: Job;
  readonly parameterHash: string;
  /** Its policy file; missing where its training failed. */
  readonly file: string | undefined;
}

/** Trains the rivals of these claims, each once, where they have not been trained before. By experiment. */
async function trainRivals(
  list: readonly Claim[],
  folderOf: (id: string, config: RunConfig) => string,
  say: (text: string) => void,
): Promise<{ readonly rivals: ReadonlyMap<string, Rival>; readonly interrupted: boolean }> {
  const ids = [...new Set(list.flatMap(({ card }) => card.rival?.experiment ?? []))];
  const jobs = ids.map((id): Job & { readonly folder: string } => {
    const card = experiments.find((experiment) => experiment.id === id);
    if (card === undefined) throw new UsageError(`There is no experiment "${id}" to train a rival by.`);
    const config = completeRun(card.config);
    const folder = folderOf(id, config);
    mkdirSync(folder, { recursive: true });
    return { config, seed: config.run.seedStart, folder };
  });
  if (jobs.length === 0) return { rivals: new Map(), interrupted: false };
  const batch = await runSeeds(jobs, () => say(`training ${ids.join(', ')} first, to be played against`));
  for (const { failure } of batch.failures) process.stderr.write(`A rival failed: ${failure.message}\n`);
  const rivals = jobs.map((job, i): [string, Rival] => {
    const file = join(seedFolder(job.folder, job.seed), 'policy.json');
    const outcome = batch.outcomes[i];
    const made = outcome !== null && existsSync(file);
    return [ids[i] as string, { job, parameterHash: outcome?.parameterHash ?? '', file: made ? file : undefined }];
  });
  return { rivals: new Map(rivals), interrupted: batch.interrupted };
}

/** What the outcomes of a claim's seeds say, as the file in public/results holds it. Exported for its test. */
export function resultOf(
  claim: Claim,
  outcomes: readonly (SeedOutcome | null)[],
  ranAt: string,
  data: readonly ExternFile[],
  rivals: ReadonlyMap<string, Rival>,
): Result {
  const { card, expect, config } = claim;
  const finite = (value: number | null | undefined): number | null =>
    value !== null && value !== undefined && Number.isFinite(value) ? value : null;
  const seeds = outcomes.map((outcome, i) => ({
    seed: config.run.seedStart + i,
    value: finite(outcome?.[expect.metric]),
    finalReturn: finite(outcome?.finalReturn),
    evalReturn: finite(outcome?.evalReturn),
    ...(card.rival && { rivalReturn: finite(outcome?.rivalReturn) }),
    ...(card.explain?.judge === 'ranks' && outcome?.pairs !== null && outcome?.pairs !== undefined && { pairs: outcome.pairs }),
    evalLoops: outcome?.evalLoops ?? 0,
    steps: outcome?.steps ?? 0,
    seconds: outcome?.seconds ?? 0,
    parameterHash: outcome?.parameterHash ?? '',
  }));
  const values = seeds.map((seed) => seed.value);
  const rival = card.rival && rivals.get(card.rival.experiment);
  return {
    v: 1,
    id: card.id,
    title: card.title,
    claim: card.claim,
    source: card.source ?? null,
    published: card.published ?? null,
    env: config.env,
    algo: config.algo,
    config: configHash(config),
    executor: config.run.executor,
    commit: ranAt,
    date: new Date().toISOString(),
    machine: machine(),
    seeds,
    ...summariseSeeds(values),
    measured: measure(expect, values),
    coreMinutes: seeds.reduce((sum, seed) => sum + seed.seconds, 0) / 60,
    ...(card.rival &&
      rival && {
        rival: {
          ...card.rival,
          seed: rival.job.seed,
          parameterHash: rival.parameterHash,
          ...summariseSeeds(seeds.map((seed) => seed.rivalReturn ?? null)),
        },
      }),
    ...(card.data && { data: data.filter(({ name }) => card.data?.includes(name)) }),
    budget: config.run.steps,
    expect,
    verdict: judge(expect, values),
  };
}

function verdictRow({ id, verdict, measured, expect, iqm: middle, ci95, seeds }: Result): string[] {
  const wanted = [expect.min === undefined ? '' : `>= ${number(expect.min)}`, expect.max === undefined ? '' : `<= ${number(expect.max)}`];
  const interval = ci95 ? `${number(ci95[0])} to ${number(ci95[1])}` : '-';
  const statistic = expect.statistic === 'every' ? 'worst' : expect.statistic;
  return [
    id,
    verdict,
    `${statistic} ${expect.metric}`,
    number(measured),
    wanted.filter(Boolean).join(' '),
    number(middle),
    interval,
    String(seeds.length),
  ];
}

export const claims: Command = {
  usage: 'claims SUITE [--quick]      also: npm run claims -- SUITE',
  summary: 'Runs the experiments of a suite and says which of their claims hold.',
  help: describeOptions(OPTIONS),
  async run(args, context) {
    const { options, rest } = parseOptions(args, OPTIONS);
    const [suite, ...more] = rest;
    if (suite === undefined || more.length > 0) {
      throw new UsageError(`Which suite? Use one of: ${[...new Set(experiments.flatMap((card) => card.suite ?? []))].join(', ')}.`);
    }
    const output: Output = createOutput(options.json);
    const data = loadExtern();
    const missing = ({ card }: Claim): string | undefined => card.data?.find((name) => data.every((file) => file.name !== name));
    const all = claimsOf(suite, options.only, options.quick);
    for (const claim of all) {
      const file = missing(claim);
      if (file !== undefined) output.text(`${claim.card.id} is left out: it needs ${file} in the folder RL_DATA.`);
    }
    const list = all.filter((claim) => missing(claim) === undefined);
    if (list.length === 0) return;
    // Seeds that another state of the code has finished are not mixed in.
    const cache = join(
      context.project,
      'node_modules/.cache/rl-workbench/claims',
      `${await codeHash(context.bundle)}${options.quick ? '-quick' : ''}`,
    );
    const ranAt = commit(context.project);
    if (options.fresh || options.quick) rmSync(cache, { recursive: true, force: true });
    const folderOf = (id: string, config: RunConfig): string => join(cache, `${id}-${configHash(config)}`);
    for (const { card, config } of list) mkdirSync(folderOf(card.id, config), { recursive: true });
    const { rivals, interrupted } = await trainRivals(list, folderOf, (text) => output.progress(text));
    output.progress('');
    if (interrupted) throw new Interrupted('Interrupted while a rival was trained. The same command goes on from here.');

    const jobs: (Job & { readonly claim: Claim })[] = list.flatMap((claim) =>
      Array.from({ length: claim.config.run.seeds }, (_, i) => {
        const rival = claim.card.rival && rivals.get(claim.card.rival.experiment)?.file;
        return {
          claim,
          config: claim.config,
          seed: claim.config.run.seedStart + i,
          folder: folderOf(claim.card.id, claim.config),
          ...(claim.card.against && { against: claim.card.against }),
          ...(rival !== undefined && { rival }),
          ...(claim.expect.metric === 'sampledReturn' && { sampled: true }),
          ...(claim.card.explain && { explain: claim.card.explain }),
        };
      }),
    );
    let done = 0;
    const batch = await runSeeds(jobs, (message) => {
      if (message.kind === 'done' || message.kind === 'failed') done++;
      if (message.kind !== 'mark') output.progress(`${done} of ${jobs.length} seeds done`);
    });
    output.progress('');
    if (batch.interrupted) throw new Interrupted(`Interrupted after ${done} of ${jobs.length} seeds. The same command goes on from here.`);
    for (const { job, failure } of batch.failures)
      process.stderr.write(`${job.config.env.id}, seed ${job.seed} failed: ${failure.message}\n`);

    const results = list.map((claim) =>
      resultOf(
        claim,
        batch.outcomes.filter((_, i) => jobs[i]?.claim === claim),
        ranAt,
        data,
        rivals,
      ),
    );
    if (!options.quick) mkdirSync(join(context.project, 'public/results'), { recursive: true });
    for (const result of results) {
      output.record({ type: 'result', ...result });
      if (!options.quick) writeWhole(join(context.project, 'public/results', `${result.id}.json`), `${JSON.stringify(result, null, 2)}\n`);
    }
    if (!options.quick) writeResultsPage(context.project);
    output.text(table(['claim', 'verdict', 'statistic', 'measured', 'wanted', 'IQM', '95 % interval', 'seeds'], results.map(verdictRow)));
    if (options.report !== undefined) {
      const file = pathFrom(context, options.report);
      mkdirSync(dirname(file), { recursive: true });
      writeWhole(file, `${JSON.stringify({ claims: results.map(({ id, verdict, measured }) => ({ id, verdict, measured })) }, null, 2)}\n`);
    }
    const missed = results.filter((result) => result.verdict !== 'reproduced');
    if (missed.length > 0)
      throw new CommandFailure(`${missed.length} of ${results.length} claims not reproduced: ${missed.map((r) => r.id).join(', ')}.`);
  },
};
