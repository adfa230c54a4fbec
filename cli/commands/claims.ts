/**
 * `claims SUITE`: runs the experiments of a suite over their seeds, judges them, writes public/results/<id>.json and docs/results.md.
 * Every finished seed is kept under node_modules/.cache until the claim's config or the code changes, and running ones save
 * checkpoints, so that a killed command goes on where it was. `--quick` is for CI: fewer seeds and steps, nothing written.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { configHash } from '#contract/canonical.ts';
import type { ExperimentCard } from '#contract/catalog.ts';
import type { RunConfig } from '#contract/config.ts';
import { iqm, judge, measure, type Result } from '#contract/results.ts';
import { completeRun } from '#core/run/complete.ts';
import { experiments } from '#experiments/index.ts';
import type { Command } from '../context.ts';
import { pathFrom } from '../context.ts';
import { type ExternFile, loadExtern } from '../extern.ts';
import { CommandFailure, Interrupted, UsageError } from '../failure.ts';
import { codeHash, commit, machine } from '../machine.ts';
import { describeOptions, parseOptions } from '../options.ts';
import { createOutput, number, type Output, table } from '../output.ts';
import { writeResultsPage } from '../results-page.ts';
import { writeWhole } from '../run-folder.ts';
import { type Job, runSeeds, type SeedOutcome } from '../seeds.ts';
import { interval95 } from '../summary.ts';

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

function resultOf(claim: Claim, outcomes: readonly (SeedOutcome | null)[], ranAt: string, data: readonly ExternFile[]): Result {
  const { card, expect, config } = claim;
  const finite = (value: number | null | undefined): number | null =>
    value !== null && value !== undefined && Number.isFinite(value) ? value : null;
  const seeds = outcomes.map((outcome, i) => ({
    seed: config.run.seedStart + i,
    value: finite(outcome?.[expect.metric]),
    finalReturn: finite(outcome?.finalReturn),
    evalReturn: finite(outcome?.evalReturn),
    evalLoops: outcome?.evalLoops ?? 0,
    steps: outcome?.steps ?? 0,
    seconds: outcome?.seconds ?? 0,
    parameterHash: outcome?.parameterHash ?? '',
  }));
  const values = seeds.map((seed) => seed.value);
  const known = values.filter((value): value is number => value !== null);
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
    iqm: known.length === values.length ? iqm(known) : null,
    ci95: known.length === values.length ? interval95(known) : null,
    measured: measure(expect, values),
    coreMinutes: seeds.reduce((sum, seed) => sum + seed.seconds, 0) / 60,
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
    const folderOf = (claim: Claim): string => join(cache, `${claim.card.id}-${configHash(claim.config)}`);
    for (const claim of list) mkdirSync(folderOf(claim), { recursive: true });

    const jobs: (Job & { readonly claim: Claim })[] = list.flatMap((claim) =>
      Array.from({ length: claim.config.run.seeds }, (_, i) => ({
        claim,
        config: claim.config,
        seed: claim.config.run.seedStart + i,
        folder: folderOf(claim),
        ...(claim.card.against && { against: claim.card.against }),
        ...(claim.card.explain && { explain: claim.card.explain }),
      })),
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
