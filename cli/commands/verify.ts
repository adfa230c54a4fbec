/** `verify FILE|FOLDER|LINK`: runs what a stored number came from again, and shows the same hash or the first step that differs. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configHash } from '#contract/config-hash.ts';
import { type CurveOf, firstDifference } from '#contract/verify.ts';
import { readCurves } from '../claims/curves.ts';
import type { Command } from '../context.ts';
import { CommandFailure, Interrupted, UsageError } from '../failure.ts';
import { describeOptions, parseOptions } from '../options.ts';
import { createOutput, number } from '../output.ts';
import { type Job, runSeeds, type SeedOutcome } from '../seeds.ts';
import { type StoredRun, storedRuns } from '../verify/records.ts';

const OPTIONS = {
  seeds: { kind: 'count', value: 'N', min: 1, help: 'only the first N runs; without it all of them' },
  json: { kind: 'flag', help: 'JSON lines: a line per run' },
} as const;

function differenceText(run: StoredRun, outcome: SeedOutcome, curves: ReadonlyMap<string, CurveOf>): string {
  const first = run.curves && firstDifference(run.curves, curves);
  if (first) return `first at step ${number(first.step)}: ${first.metric} ${first.stored} stored, ${first.here} here`;
  const { evalReturn } = run.numbers;
  const returns =
    evalReturn === undefined || evalReturn === null
      ? ''
      : `; greedy return ${number(evalReturn)} stored, ${number(outcome.evalReturn)} here`;
  return `${run.curves ? 'all curves agree' : 'no curves are stored to find the step'}${returns}`;
}

export const verify: Command = {
  usage: 'verify FILE|FOLDER|LINK [--seeds N]',
  summary: 'Runs what a stored number came from again and compares what was learned, bit for bit.',
  help: describeOptions(OPTIONS),
  async run(args, context) {
    const { options, rest } = parseOptions(args, OPTIONS);
    const [word, ...more] = rest;
    if (word === undefined || more.length > 0) throw new UsageError('Verify what? A folder of train --out, a result file, or a link.');
    const output = createOutput(options.json);
    const runs = storedRuns(word, context).slice(0, options.seeds);
    const folder = mkdtempSync(join(tmpdir(), 'rl-verify-'));
    try {
      const jobs = runs.map(({ config, seed }): Job => ({ config, seed, folder: join(folder, configHash(config)) }));
      for (const job of jobs) mkdirSync(job.folder as string, { recursive: true });
      let over = 0;
      const batch = await runSeeds(jobs, (message) => {
        if (message.kind === 'done' || message.kind === 'failed') output.progress(`${++over} of ${jobs.length} runs`);
      });
      output.progress('');
      if (batch.interrupted) throw new Interrupted('Interrupted: nothing was compared.');
      let same = 0;
      let differ = 0;
      runs.forEach((run, i) => {
        const outcome = batch.outcomes[i] ?? null;
        const equal = outcome?.parameterHash === run.parameterHash;
        const text =
          outcome === null
            ? 'failed here'
            : equal
              ? `same, ${run.parameterHash}`
              : `differs, ${run.parameterHash} stored, ${outcome.parameterHash} here; ${differenceText(run, outcome, readCurves(jobs[i]?.folder as string, run.seed))}`;
        if (equal) same++;
        else if (run.excuse === null) differ++;
        output.text(`${run.of}, seed ${run.seed}: ${text}${equal || run.excuse === null ? '' : ` (need not be the same: ${run.excuse})`}`);
        output.record({
          type: 'verified',
          of: run.of,
          seed: run.seed,
          stored: run.parameterHash,
          here: outcome?.parameterHash ?? null,
          same: equal,
          excuse: run.excuse,
        });
      });
      output.text(`${same} of ${runs.length} runs are the same, bit for bit.`);
      output.record({ type: 'summary', runs: runs.length, same, differ });
      if (differ > 0) throw new CommandFailure(`${differ} of ${runs.length} runs differ.`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
