/** A sweep by the command line: every run has a folder named by its config, so that a killed command goes on where it was and set-ups that are alike are run once. */
import { join } from 'node:path';
import { quantityOf } from '#claims/quantity.ts';
import { isGymEnv } from '#contract/game/gym-id.ts';
import { configHash } from '#contract/run/config-hash.ts';
import type { SweepProgress } from '#contract/sweep/folder.ts';
import { atRungs } from '#contract/sweep/prune.ts';
import { runSweep, type Setup, type SweepHost, type Swept } from '#contract/sweep/run.ts';
import type { Sweep } from '#contract/sweep/sweep.ts';
import { completeRun } from '#core/run/loaded.ts';
import { readCurves } from '../kit/curves.ts';
import { readSeed } from '../kit/seed-folder.ts';
import type { BatchJob, BatchOptions, Runs } from '../train/batch.ts';
import { ensureRunFolder } from '../train/run-folder.ts';
import type { SeedOutcome } from '../train/seeds.ts';

/** Trains runs here (batch.ts) or by workers elsewhere (queue/runs.ts). */
export type SweepRuns = Pick<Runs, 'run' | 'outcome'>;

/** Between two reports of a sweep that goes on, ms. */
const REPORT = 1000;

export interface SweepOptions {
  /** Folder that keeps runs between commands. */
  readonly folder: string;
  readonly runs: (options: Required<Pick<BatchOptions, 'finished'>>) => SweepRuns;
  /** Hears of every run that is over. */
  readonly finished?: (job: BatchJob) => void;
  /** Hears of what is known so far, at most once a second, and of the end. */
  readonly report: (swept: Swept, progress: SweepProgress) => void;
}

/** Folder of a config's seeds. */
export const runFolder = (folder: string, hash: string): string => join(folder, 'runs', hash);

/** Runs all of it in folders. Rejects with Interrupted, and with a LabError where a set-up's config cannot be. */
export async function sweepInFolders(
  sweep: Sweep,
  { folder, runs: makeRuns, finished, report }: SweepOptions,
): Promise<Swept & { readonly failures: readonly string[]; readonly progress: SweepProgress }> {
  const failures: string[] = [];
  let setups: readonly Setup[] = [];
  let round: readonly BatchJob[] = [];
  /** Runs of the rounds that are over. */
  let before = 0;
  let reported = 0;
  const scores = new Map<string, number | null>();
  const key = (hash: string, seed: number): string => `${hash} ${seed}`;
  const score = ({ kind, folder: at, seed, config }: BatchJob, outcome: SeedOutcome | null | undefined): number | null => {
    const value = outcome ? quantityOf(sweep.quantity, sweep.better, outcome, readCurves(at, seed), config.run.steps) : null;
    scores.set(key(kind, seed), value);
    return value;
  };
  const progressOf = (state: SweepProgress['state']): SweepProgress => {
    const done = before + round.filter(({ kind, seed }) => scores.has(key(kind, seed))).length;
    return { state, runs: { done, total: before + round.length, failed: failures.length } };
  };
  const tell = (state: SweepProgress['state'], swept: Swept): void => report(swept, progressOf(state));
  /** Set-ups of this round with the scores that are known so far. */
  const soFar = (): Swept => {
    const seeds = [...new Set(round.map(({ seed }) => seed))];
    const partly = setups.map((setup) =>
      setup.scores.length > 0 ? setup : { ...setup, scores: seeds.map((seed) => scores.get(key(configHash(setup.config), seed)) ?? null) },
    );
    return { setups: partly, best: null, reported: null };
  };
  const runs = makeRuns({
    finished: (job) => {
      finished?.(job);
      score(job, readSeed(job.folder, job.seed).result as SeedOutcome | null);
      if (Date.now() - reported < REPORT) return;
      reported = Date.now();
      tell('running', soFar());
    },
  });
  const host: SweepHost = {
    complete: completeRun,
    at: (config, seed, metric, steps) => atRungs(readCurves(runFolder(folder, configHash(config)), seed).get(metric), steps),
    async run(configs, seeds, what, early) {
      const planned = configs.map((config) => {
        const kind = configHash(config);
        const stops = early === undefined || isGymEnv(config.env.id) ? {} : { stops: { rungs: [...early.rungs] } };
        return seeds.map((seed): BatchJob => ({ config: completeRun(config), kind, folder: runFolder(folder, kind), seed, ...stops }));
      });
      round = planned.flat();
      for (const job of round) ensureRunFolder(job.folder, job.config);
      tell('running', soFar());
      const over = new Set<BatchJob>();
      if (early !== undefined) for (const job of round) if (await early.isOver(job.config, job.seed)) over.add(job);
      try {
        const open = round.filter((job) => !over.has(job));
        for (const { job, failure } of await runs.run(open, what)) failures.push(`seed ${job.seed}: ${failure.message}`);
      } catch (error) {
        tell('interrupted', soFar());
        throw error;
      }
      const found = planned.map((jobs) => jobs.map((job) => score(job, runs.outcome(job.folder, job.seed))));
      for (const job of round) if (runs.outcome(job.folder, job.seed)) finished?.(job); // those that were done before, too
      before += round.length;
      round = [];
      return found;
    },
    news: (now) => {
      setups = now;
    },
  };
  const swept = await runSweep(sweep, host);
  tell('done', swept);
  return { ...swept, failures, progress: progressOf('done') };
}
