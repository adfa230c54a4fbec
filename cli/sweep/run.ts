/**
 * Runs a sweep: set-ups by its search on the tuning seeds, then the best one and the config as it stands on the reporting seeds. Every
 * run has a folder named by its config, so that a killed command goes on where it was and set-ups that are alike are run once.
 */
import { join } from 'node:path';
import type { RunConfig } from '#contract/config.ts';
import { configHash } from '#contract/config-hash.ts';
import { FIRST_REPORTED_SEED } from '#contract/papers.ts';
import { countOf, type Sweep, tuningSeeds, valuesOf, withValues } from '#contract/sweep.ts';
import { completeRun } from '#core/run/by-id.ts';
import { Rng } from '#math/rng.ts';
import { rungs } from '#math/search/halving.ts';
import { sobol } from '#math/search/sobol.ts';
import { gridPoints, type Point, type Value } from '#math/search/space.ts';
import { tpe } from '#math/search/tpe.ts';
import { mean } from '#math/stats.ts';
import { quantityOf } from '#papers/quantity.ts';
import { type BatchJob, Runs } from '../batch.ts';
import { readCurves } from '../claims/curves.ts';

/** Set-ups of TPE before its first proposal. */
const WARM_UP = 8;

export interface Setup {
  /** Place in the order in which they were tried, from 1. */
  readonly number: number;
  readonly point: Point;
  readonly values: { readonly [name: string]: Value };
  readonly config: RunConfig;
  /** The quantity on each tuning seed, after the most steps it was given; null: the run failed, or did not measure it. */
  readonly scores: readonly (number | null)[];
  /** Their mean; null where one is missing. */
  readonly score: number | null;
  /** The score after the first round, which all set-ups ran: that of halving's short runs, else the same as `score`. */
  readonly first: number | null;
  /** Environment steps of each of these runs: fewer than the others' where halving left it behind. */
  readonly steps: number;
}

export interface Reported {
  readonly seeds: readonly number[];
  /** The best set-up, and the config as it stands, on those seeds. */
  readonly best: readonly (number | null)[];
  readonly base: readonly (number | null)[];
}

export interface Swept {
  readonly setups: readonly Setup[];
  readonly best: Setup | null;
  readonly reported: Reported | null;
  readonly failures: readonly string[];
}

export interface SweepOptions {
  /** Folder that keeps runs between commands. */
  readonly folder: string;
  readonly threads: number;
  /** One line that replaces the one before. */
  readonly progress: (text: string) => void;
}

/** The config of a set-up with every default, and its steps. Throws LabError where a value cannot be. */
export function setupConfig(sweep: Sweep, values: { readonly [name: string]: Value }, steps?: number): RunConfig {
  const config = withValues(completeRun(sweep.config), values);
  return completeRun({ ...config, run: { ...config.run, seeds: 1, seedStart: 1, ...(steps !== undefined && { steps }) } });
}

/** Set-ups of the first round, as far as they do not depend on scores. */
export function firstPoints(sweep: Sweep): readonly Point[] {
  const { search, dimensions } = sweep;
  const count = countOf(sweep);
  const rng = Rng.from(search.seed).split('search');
  switch (search.by) {
    case 'grid':
      return gridPoints(dimensions);
    case 'random':
      return Array.from({ length: count }, () => dimensions.map(() => rng.uniform()));
    case 'sobol':
    case 'halving':
      return sobol(count, dimensions.length, search.seed);
    case 'tpe':
      return sobol(Math.min(WARM_UP, count), dimensions.length, search.seed);
  }
}

interface Runner {
  /** The quantity of each config on each seed. */
  run(configs: readonly RunConfig[], seeds: readonly number[], what: string): Promise<readonly (readonly (number | null)[])[]>;
  readonly failures: string[];
}

function runner(sweep: Sweep, { folder, threads, progress }: SweepOptions): Runner {
  const runs = new Runs({ threads, progress });
  const failures: string[] = [];
  return {
    failures,
    async run(configs, seeds, what) {
      const planned = configs.map((config) => {
        const hash = configHash(config);
        return { config, kind: hash, folder: join(folder, 'runs', hash) };
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
}

/** Runs all of it. Throws Interrupted, and LabError where a set-up's config cannot be. */
export async function runSweep(sweep: Sweep, options: SweepOptions): Promise<Swept> {
  const seeds = tuningSeeds(sweep);
  const { search, dimensions } = sweep;
  const sign = sweep.better === 'more' ? 1 : -1;
  /** Those that ran longest: halving leaves the others behind. */
  const longest = (list: readonly Setup[]): readonly Setup[] => {
    const most = Math.max(...list.map(({ steps }) => steps));
    return list.filter(({ steps }) => steps === most);
  };
  const work = runner(sweep, options);
  let setups: Setup[] = [];
  const scored = (setup: Omit<Setup, 'scores' | 'score' | 'first'>, scores: readonly (number | null)[]): Setup => {
    const known = scores.filter((score) => score !== null);
    const score = known.length === scores.length ? mean(known) : null;
    return { ...setup, scores, score, first: score };
  };
  const rank = (list: readonly Setup[]): readonly Setup[] =>
    list.filter(({ score }) => score !== null).sort((a, b) => sign * ((b.score ?? 0) - (a.score ?? 0)));
  const tryAll = async (points: readonly Point[], steps?: number): Promise<void> => {
    const added = points.map((point, i) => {
      const values = valuesOf(sweep, point);
      const config = setupConfig(sweep, values, steps);
      return { number: setups.length + i + 1, point, values, config, steps: config.run.steps };
    });
    const scores = await work.run(
      added.map(({ config }) => config),
      seeds,
      `${added.length} set-ups`,
    );
    setups = [...setups, ...added.map((setup, i) => scored(setup, scores[i] ?? []))];
  };

  const first = firstPoints(sweep);
  if (search.by === 'halving') {
    const [start, ...rest] = rungs(first.length, completeRun(sweep.config).run.steps, search.eta);
    await tryAll(first, start?.steps);
    for (const { setups: count, steps } of rest) {
      const kept = rank(longest(setups)).slice(0, count);
      const configs = kept.map(({ values }) => setupConfig(sweep, values, steps));
      const scores = await work.run(configs, seeds, `${kept.length} set-ups, ${steps.toLocaleString('en-US')} steps`);
      const longer = new Map(
        kept.map((setup, i) => [
          setup.number,
          { ...scored({ ...setup, config: configs[i] as RunConfig, steps }, scores[i] ?? []), first: setup.first },
        ]),
      );
      setups = setups.map((setup) => longer.get(setup.number) ?? setup);
    }
  } else await tryAll(first);
  if (search.by === 'tpe') {
    const rng = Rng.from(search.seed).split('search');
    while (setups.length < search.setups) {
      // More is better for the estimator. Points of the same batch count as tried without a score.
      const tried = setups.map(({ point, score }) => ({ point, score: score === null ? null : sign * score }));
      const points: Point[] = [];
      while (points.length < search.batch && setups.length + points.length < search.setups) {
        points.push(tpe(dimensions, [...tried, ...points.map((point) => ({ point, score: null }))], rng));
      }
      await tryAll(points);
    }
  }

  const best = rank(search.by === 'halving' ? longest(setups) : setups)[0] ?? null;
  if (best === null || sweep.seeds.reporting === 0) return { setups, best, reported: null, failures: work.failures };
  const fresh = Array.from({ length: sweep.seeds.reporting }, (_, i) => FIRST_REPORTED_SEED + i);
  const [ofBest, ofBase] = await work.run(
    [setupConfig(sweep, best.values), setupConfig(sweep, {})],
    fresh,
    'best and as it stands, on fresh seeds',
  );
  return { setups, best, reported: { seeds: fresh, best: ofBest ?? [], base: ofBase ?? [] }, failures: work.failures };
}
