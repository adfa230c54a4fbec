/** A sweep by the command line: every run has a folder named by its config, so that a killed command goes on where it was and set-ups that are alike are run once. */
import { join } from 'node:path';
import { configHash } from '#contract/config-hash.ts';
import type { Sweep } from '#contract/sweep.ts';
import { runSweep, type SweepHost, type Swept } from '#contract/sweep-run.ts';
import { completeRun } from '#core/run/by-id.ts';
import { quantityOf } from '#papers/quantity.ts';
import { type BatchJob, Runs } from '../batch.ts';
import { readCurves } from '../claims/curves.ts';

export interface SweepOptions {
  /** Folder that keeps runs between commands. */
  readonly folder: string;
  readonly threads: number;
  /** One line that replaces the one before. */
  readonly progress: (text: string) => void;
}

/** Runs all of it in folders. Rejects with Interrupted, and with a LabError where a set-up's config cannot be. */
export async function sweepInFolders(
  sweep: Sweep,
  { folder, threads, progress }: SweepOptions,
): Promise<Swept & { readonly failures: readonly string[] }> {
  const runs = new Runs({ threads, progress });
  const failures: string[] = [];
  const host: SweepHost = {
    complete: completeRun,
    async run(configs, seeds, what) {
      const planned = configs.map((config) => {
        const hash = configHash(config);
        return { config: completeRun(config), kind: hash, folder: join(folder, 'runs', hash) };
      });
      const jobs = planned.flatMap((plan) => seeds.map((seed): BatchJob => ({ ...plan, seed })));
      for (const { job, failure } of await runs.run(jobs, what)) failures.push(`seed ${job.seed}: ${failure.message}`);
      return planned.map(({ config, folder: at }) =>
        seeds.map((seed) => {
          const outcome = runs.outcome(at, seed);
          return outcome ? quantityOf(sweep.quantity, sweep.better, outcome, readCurves(at, seed), config.run.steps) : null;
        }),
      );
    },
  };
  return { ...(await runSweep(sweep, host)), failures };
}
