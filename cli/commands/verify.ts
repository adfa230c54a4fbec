/** `verify FILE|FOLDER|LINK`: runs what stored numbers came from again, and names each that is not the same. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CurveOf, type Difference, differencesOf, differencesText } from '#contract/verify.ts';
import { readCurves } from '../claims/curves.ts';
import type { Command } from '../context.ts';
import { CommandFailure, Interrupted, UsageError } from '../failure.ts';
import { describeOptions, parseOptions } from '../options.ts';
import { createOutput } from '../output.ts';
import { type Job, runSeeds, type SeedOutcome } from '../seeds.ts';
import { storedRuns } from '../verify/records.ts';
import type { StoredRun } from '../verify/stored.ts';

const OPTIONS = {
  seeds: { kind: 'count', value: 'N', min: 1, help: 'only the first N runs; without it all of them' },
  json: { kind: 'flag', help: 'JSON lines: a line per run' },
} as const;

/** A stored run against the same one done here; null: it failed here. */
function compared(run: StoredRun, outcome: SeedOutcome | null, folder: string): readonly Difference[] | null {
  if (outcome === null) return null;
  const curves = run.job?.script === undefined ? readCurves(folder, run.seed) : new Map<string, CurveOf>();
  const here = { parameterHash: outcome.parameterHash, numbers: run.measure?.(outcome, curves) ?? outcome, curves };
  return differencesOf(run, here);
}

export const verify: Command = {
  usage: 'verify FILE|FOLDER|LINK [--seeds N]',
  summary: 'Runs what stored numbers came from again and compares what was learned, every number and every row of a curve.',
  help: describeOptions(OPTIONS),
  async run(args, context) {
    const { options, rest } = parseOptions(args, OPTIONS);
    const [word, ...more] = rest;
    if (word === undefined || more.length > 0)
      throw new UsageError('Verify what? A folder of train --out or of a sweep, a result file, or a link.');
    const output = createOutput(options.json);
    const stored = await storedRuns(word, context);
    const runs = stored.runs.slice(0, options.seeds);
    const folder = mkdtempSync(join(tmpdir(), 'rl-verify-'));
    try {
      const jobs = runs.map(({ config, seed, job }, i): Job => ({ ...job, config, seed, folder: join(folder, String(i)) }));
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
        const differences = compared(run, outcome, jobs[i]?.folder as string);
        const equal = differences?.length === 0;
        const text =
          differences === null ? 'failed here' : equal ? `same, ${run.parameterHash}` : `differs: ${differencesText(differences)}`;
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
          differences: differences ?? [],
          excuse: run.excuse,
        });
      });
      for (const text of stored.wrong) output.text(text);
      output.text(`${same} of ${runs.length} runs are the same: hash, numbers and curves, bit for bit.`);
      output.record({ type: 'summary', runs: runs.length, same, differ, wrong: stored.wrong });
      if (differ > 0) throw new CommandFailure(`${differ} of ${runs.length} runs differ.`);
      if (stored.wrong.length > 0) throw new CommandFailure('The runs are the same, but a table beside them says something else.');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
