/** `transfer`: a row of runs for each setting that is trained, each policy tested with every setting: a grid, kept in a folder. */

import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  cellScores,
  columnConfig,
  parseTransfer,
  rowConfig,
  settingText,
  type Tested,
  type Transfer,
  testedSchema,
  transferSize,
} from '#contract/catalog/transfer.ts';
import { decodePolicyFile } from '#contract/files/files.ts';
import { FIRST_ISSUE } from '#contract/kit/bounded.ts';
import { canonicalJson, utf8 } from '#contract/kit/canonical.ts';
import { type Json, type JsonObject, readJson } from '#contract/kit/json.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { configHash, sha256 } from '#contract/run/config-hash.ts';
import { loadEnv } from '#core/envs/index.ts';
import { buildPolicy, completeRun } from '#core/run/by-id.ts';
import { evaluate } from '#core/run/evaluate.ts';
import { movedTo } from '#core/run/transfer.ts';
import { mean } from '#math/stats.ts';
import { GYM_OPTIONS } from '../gym/gyms.ts';
import type { Command } from '../kit/context.ts';
import { pathFrom } from '../kit/context.ts';
import { CommandFailure, UsageError } from '../kit/failure.ts';
import { machine } from '../kit/machine.ts';
import { describeOptions, parseOptions } from '../kit/options.ts';
import { createOutput, number } from '../kit/output.ts';
import { seedFolder, writeWhole } from '../kit/seed-folder.ts';
import { readAsked } from '../own/asked.ts';
import { CODE_OPTIONS, completeStored, openGiven } from '../own/open.ts';
import { runFolder } from '../sweep/run.ts';
import { type BatchJob, Runs } from '../train/batch.ts';
import { ensureRunFolder } from '../train/run-folder.ts';

const OPTIONS = {
  out: { kind: 'text', value: 'DIR', help: 'keep runs and the grid there; without it they are kept in the cache of the project' },
  jobs: { kind: 'count', value: 'N', min: 1, help: 'runs at the same time; default: as many as there are cores' },
  plan: { kind: 'flag', help: 'only say how many runs, steps and tests it would be' },
  ...CODE_OPTIONS,
  ...GYM_OPTIONS,
  json: { kind: 'flag', help: 'JSON lines: a line per test, the last one is the grid' },
} as const;

/** What was tested before with the same grid. */
function known(file: string, plan: Transfer): Tested[] {
  if (!existsSync(file)) return [];
  const { tested, ...before } = readJson(readFileSync(file, 'utf8')) as JsonObject;
  return canonicalJson(before) === canonicalJson(plan as unknown as Json) ? testedSchema.parse(tested, FIRST_ISSUE) : [];
}

/** Greedy episodes of one policy in every column that is missing. */
async function testPolicy(file: string, plan: Transfer, config: RunConfig, missing: readonly number[]): Promise<readonly number[]> {
  const snapshot = decodePolicyFile(readFileSync(file, 'utf8'));
  const entry = await loadEnv(config.env.id);
  const scores: number[] = [];
  for (const column of missing) {
    const here = columnConfig(config, plan, column);
    const { policy, free } = await buildPolicy(movedTo(snapshot, entry, here));
    try {
      scores.push((await evaluate(policy, entry, here, { episodes: plan.episodes })).score);
    } finally {
      free();
    }
  }
  return scores;
}

/** The grid as text: a line for each row, means over seeds. */
function gridText(plan: Transfer, tested: readonly Tested[]): string {
  const cell = (row: number, column: number): string => {
    const scores = cellScores(tested, row, column);
    return scores.length === 0 ? '-' : number(mean(scores));
  };
  const table = [
    ['', ...plan.test.map(settingText)],
    ...plan.train.map((one, row) => [settingText(one), ...plan.test.map((_, column) => cell(row, column))]),
  ];
  const widths = table[0]!.map((_, at) => Math.max(...table.map((line) => line[at]!.length)));
  const lines = table.map((line) => line.map((text, at) => (at === 0 ? text.padEnd(widths[0]!) : text.padStart(widths[at]!))).join('  '));
  return `Mean greedy return; rows: ${plan.field} in training, columns: in the test.\n${lines.join('\n')}`;
}

export const transfer: Command = {
  usage: 'transfer FILE [--out DIR] [--plan]',
  summary: 'Trains with each of several settings and tests every policy with each of others.',
  help: describeOptions(OPTIONS),
  async run(args, context) {
    const { options, rest } = parseOptions(args, OPTIONS);
    const [file, ...more] = rest;
    if (file === undefined || more.length > 0) throw new UsageError('Which grid? transfer FILE, one file (docs/cli.md).');
    const output = createOutput(options.json);
    const { json, found } = await readAsked(context, file, 'grid file', await openGiven(options, context));
    const plan = parseTransfer(json);
    const config = await completeStored(plan.config, found);
    const rows = plan.train.map((_, row) => completeRun(rowConfig(config, plan, row)));
    for (let column = 0; column < plan.test.length; column++)
      completeRun({ ...config, env: { ...config.env, config: columnConfig(config, plan, column) } });
    const size = transferSize(plan, config);
    output.text(`${size.runs} runs, ${number(size.steps)} environment steps, ${number(size.tests)} test episodes.`);
    output.record({ type: 'plan', ...size });
    if (options.plan) return;
    const named = sha256(utf8(canonicalJson(plan as unknown as Json))).slice(0, 12);
    const cache = join(context.project, 'node_modules/.cache/rl-workbench/transfer', named);
    const folder = options.out === undefined ? cache : pathFrom(context, options.out);
    mkdirSync(folder, { recursive: true });
    const grid = join(folder, 'transfer.json');
    const tested = known(grid, plan);
    const jobs = rows.flatMap((row): BatchJob[] => {
      const kind = configHash(row);
      const at = runFolder(folder, kind);
      ensureRunFolder(at, row);
      return Array.from({ length: row.run.seeds }, (_, i) => ({ config: row, kind, folder: at, seed: row.run.seedStart + i }));
    });
    const runs = new Runs({ threads: options.jobs ?? machine().cores, progress: output.progress });
    const failures = await runs.run(jobs, 'training');
    for (const [i, job] of jobs.entries()) {
      const row = Math.floor(i / config.run.seeds);
      const missing = plan.test.flatMap((_, column) =>
        tested.some((one) => one.row === row && one.column === column && one.seed === job.seed) ? [] : [column],
      );
      if (missing.length === 0 || runs.outcome(job.folder, job.seed) == null) continue;
      output.progress(`testing: ${i + 1} of ${jobs.length} policies`);
      const scores = await testPolicy(join(seedFolder(job.folder, job.seed), 'policy.json'), plan, config, missing);
      for (const [k, column] of missing.entries()) {
        const one: Tested = { row, column, seed: job.seed, score: scores[k]! };
        tested.push(one);
        output.record({ type: 'test', ...one });
      }
      writeWhole(grid, `${JSON.stringify({ ...plan, tested }, null, 1)}\n`);
    }
    output.progress('');
    output.record({ ...plan, tested });
    output.text(`${gridText(plan, tested)}\nWritten: ${grid}`);
    if (failures.length > 0) throw new CommandFailure(`${failures.length} runs failed: ${failures[0]?.failure.message}`);
  },
};
