/**
 * How a sweep goes, on the page and on the command line: set-ups by its search on the tuning seeds, then the best one and the config as it stands on the
 * reporting seeds. The same sweep asks for the same runs in every room.
 */
import { Rng } from '#math/rng.ts';
import { rungs } from '#math/search/halving.ts';
import { sobol } from '#math/search/sobol.ts';
import { gridPoints, type Point, type Value } from '#math/search/space.ts';
import { tpe, WARM_UP } from '#math/search/tpe.ts';
import { mean } from '#math/stats.ts';
import type { Rung } from '../game/stop-rules.ts';
import type { Json } from '../kit/json.ts';
import { FIRST_REPORTED_SEED } from '../papers/papers.ts';
import type { RunConfig } from '../run/config.ts';
import { configHash } from '../run/config-hash.ts';
import { differing, type LeftOut, type PlannedSetup, setupConfig } from './differing.ts';
import { type AtRungs, type PrunedRun, Pruning } from './prune.ts';
import { countOf, type Sweep, tuningSeeds } from './sweep.ts';

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
  /** Runs that were ended because others were ahead (prune.ts): they have no score. Left out: none was. */
  readonly pruned?: readonly PrunedRun[] | undefined;
}

/** A value of the contrasted field, by the best set-up that has it. */
export interface ContrastArm {
  readonly value: Value;
  /** Its set-up; null where none was measured. */
  readonly setup: number | null;
  readonly scores: readonly (number | null)[];
}

export interface Reported {
  readonly seeds: readonly number[];
  /** The best set-up on those seeds. */
  readonly best: readonly (number | null)[];
  /** The config as it stands; null where values or methods are compared instead. */
  readonly base: readonly (number | null)[] | null;
  /** Hash of the config as it stands, so that its runs are found without making it again; left out: it was not run, or not noted. */
  readonly baseConfig?: string | undefined;
  /** Of a sweep with a contrast. */
  readonly arms?: readonly ContrastArm[] | undefined;
}

/** A set-up that is to run. */
type Unscored = Omit<Setup, 'scores' | 'score' | 'first' | 'pruned'>;

export interface Swept {
  readonly setups: readonly Setup[];
  readonly best: Setup | null;
  readonly reported: Reported | null;
  /** Combinations that were not run because they cannot differ from a set-up; left out: of a version that ran them. */
  readonly left?: readonly LeftOut[] | undefined;
}

/** Runs may end early: where they miss what is to be reached. */
export interface Early {
  readonly rungs: readonly Rung[];
  /** Whether what is known of a run says so already. */
  readonly isOver: (config: RunConfig, seed: number) => Promise<boolean>;
}

/** What a room offers to a sweep: the command line trains in folders, the page in its workers. */
export interface SweepHost {
  /** Fills the defaults of a config. Throws or rejects with a LabError where it cannot be. */
  complete(config: Json): RunConfig | Promise<RunConfig>;
  /** The quantity of each config on each seed, null where a run failed or did not measure it. Rejects where it was ended from outside. */
  run(
    configs: readonly RunConfig[],
    seeds: readonly number[],
    what: string,
    early?: Early,
  ): Promise<readonly (readonly (number | null)[])[]>;
  /** A metric of a run at these steps, whether it ran to its end or not. A room without it ends no run early. */
  at?(config: RunConfig, seed: number, metric: string, steps: readonly number[]): AtRungs | Promise<AtRungs>;
  /** Hears of the set-ups whenever some are planned (without scores yet) or scored. */
  news?(setups: readonly Setup[], left: readonly LeftOut[]): void;
}

/**
 * Runs and environment steps of all rounds, known before the first run. `steps`: of one run of the config as it stands. `count`: set-ups that
 * differ, where that is known.
 */
export function sweepSize(sweep: Sweep, steps: number, count = countOf(sweep)): { readonly runs: number; readonly steps: number } {
  const { search, seeds } = sweep;
  const rounds = search.by === 'halving' ? rungs(count, steps, search.eta) : [{ setups: count, steps }];
  const tuning = rounds.reduce((sum, round) => sum + round.setups * round.steps, 0) * seeds.tuning;
  const runs = rounds.reduce((sum, round) => sum + round.setups, 0) * seeds.tuning;
  const reported = armsOf(sweep) * seeds.reporting;
  return { runs: runs + reported, steps: tuning + reported * steps };
}

/** Configs that are run on the reporting seeds: the best one and that as it stands, the best one of a method, or one for each contrasted value. */
export const armsOf = (sweep: Sweep): number => contrasted(sweep)?.length ?? (sweep.method === undefined ? 2 : 1);

function contrasted({ contrast, names, dimensions }: Sweep): readonly Value[] | null {
  const dimension = contrast === undefined ? undefined : dimensions[names.indexOf(contrast)];
  return dimension?.kind === 'choice' ? dimension.values : null;
}

/** Draws for each set-up that is asked for: where few differ, more are drawn than are run. */
const DRAWS = 8;

/** How many set-ups of the first round do not depend on scores. */
const firstCount = (sweep: Sweep): number => (sweep.search.by === 'tpe' ? Math.min(WARM_UP, countOf(sweep)) : countOf(sweep));

/** Points for the set-ups of the first round. Those that follow take the place of points that cannot differ from one before. */
function firstPoints(sweep: Sweep): readonly Point[] {
  const { search, dimensions } = sweep;
  if (search.by === 'grid') return gridPoints(dimensions);
  const count = firstCount(sweep) * (sweep.every === true ? 1 : DRAWS);
  if (search.by !== 'random') return sobol(count, dimensions.length, search.seed);
  const rng = Rng.from(search.seed).split('search');
  return Array.from({ length: count }, () => dimensions.map(() => rng.uniform()));
}

/** The first round of a search. */
export interface FirstRound {
  readonly search: ReturnType<typeof differing>;
  readonly setups: readonly PlannedSetup[];
}

/** Set-ups of the first round as they will be run, and what is left out of it. Rejects with a LabError where one cannot be. */
export async function firstSetups(sweep: Sweep, complete: SweepHost['complete']): Promise<FirstRound> {
  const search = differing(sweep, complete);
  const setups = await search.take(firstPoints(sweep), firstCount(sweep));
  await search.check();
  return { search, setups };
}

/** Runs all of it. Rejects with a LabError where a set-up's config cannot be, and with what `host.run` rejects with. */
export async function runSweep(sweep: Sweep, host: SweepHost): Promise<Swept> {
  const seeds = tuningSeeds(sweep);
  const { search, dimensions } = sweep;
  const sign = sweep.better === 'more' ? 1 : -1;
  /** Those that ran longest: halving leaves the others behind. */
  const longest = (list: readonly Setup[]): readonly Setup[] => {
    const most = Math.max(...list.map(({ steps }) => steps));
    return list.filter(({ steps }) => steps === most);
  };
  let setups: Setup[] = [];
  const scored = (setup: Unscored, scores: readonly (number | null)[]): Setup => {
    const known = scores.filter((score) => score !== null);
    const score = known.length === scores.length ? mean(known) : null;
    return { ...setup, scores, score, first: score };
  };
  const rank = (list: readonly Setup[]): readonly Setup[] =>
    list.filter(({ score }) => score !== null).sort((a, b) => sign * ((b.score ?? 0) - (a.score ?? 0)));
  const { search: found, setups: first } = await firstSetups(sweep, host.complete);
  const { prune } = sweep;
  const { at } = host;
  const budget = prune === undefined ? 0 : (await host.complete(sweep.config)).run.steps;
  const pruning =
    prune === undefined || at === undefined
      ? null
      : new Pruning(prune, budget, (config, seed, steps) => at(config, seed, prune.metric, steps));
  const tryAll = async (points: FirstRound['setups']): Promise<void> => {
    const added = points.map((planned, i) => ({ ...planned, number: setups.length + i + 1, steps: planned.config.run.steps }));
    host.news?.([...setups, ...added.map((setup) => ({ ...setup, scores: [], score: null, first: null }))], found.left());
    setups = [...setups, ...(await runBatch(added))];
    host.news?.(setups, found.left());
  };
  /** Set-ups on the tuning seeds. Where runs are ended early, they are held against those of the batches before. */
  const runBatch = async (added: readonly Unscored[]): Promise<readonly Setup[]> => {
    const configs = added.map(({ config }) => config);
    const early = pruning === null ? undefined : { rungs: pruning.rungs(seeds), isOver: pruning.isOver };
    const scores = await host.run(configs, seeds, `${added.length} set-ups`, early);
    const ended = (await pruning?.take(configs, seeds)) ?? [];
    return added.map((setup, i) => {
      const [pruned = [], own = []] = [ended[i], scores[i]];
      const left = seeds.map((seed, s) => (pruned.some((run) => run.seed === seed) ? null : (own[s] ?? null)));
      return { ...scored(setup, left), ...(pruned.length > 0 && { pruned }) };
    });
  };

  if (search.by === 'halving') {
    const [start, ...rest] = rungs(first.length, (await host.complete(sweep.config)).run.steps, search.eta);
    const short = first.map(async (one) => ({ ...one, config: await setupConfig(sweep, one.values, host.complete, start?.steps) }));
    await tryAll(await Promise.all(short));
    for (const { setups: count, steps } of rest) {
      const kept = rank(longest(setups)).slice(0, count);
      const configs = await Promise.all(kept.map(({ values }) => setupConfig(sweep, values, host.complete, steps)));
      const scores = await host.run(configs, seeds, `${kept.length} set-ups, ${steps.toLocaleString('en-US')} steps`);
      const longer = new Map(
        kept.map((setup, i) => [
          setup.number,
          { ...scored({ ...setup, config: configs[i] as RunConfig, steps }, scores[i] ?? []), first: setup.first },
        ]),
      );
      setups = setups.map((setup) => longer.get(setup.number) ?? setup);
      host.news?.(setups, found.left());
    }
  } else {
    const together = sweep.prune === undefined ? Math.max(1, first.length) : search.batch;
    for (let from = 0; from < first.length; from += together) await tryAll(first.slice(from, from + together));
  }
  if (search.by === 'tpe') {
    const rng = Rng.from(search.seed).split('search');
    // In a room of few values all that differ may be tried before the search has as many as it asks for.
    for (let drawn = 0; setups.length < search.setups && drawn < DRAWS * search.setups; ) {
      // More is better for the estimator. Points of the same batch, and those that were left out, count as tried without a score.
      const tried = [
        ...setups.map(({ point, score }) => ({ point, score: score === null ? null : sign * score })),
        ...found.copies().map((point) => ({ point, score: null })),
      ];
      const batch: PlannedSetup[] = [];
      const proposed: Point[] = [];
      while (batch.length < search.batch && setups.length + batch.length < search.setups && drawn < DRAWS * search.setups) {
        const point = tpe(dimensions, [...tried, ...proposed.map((one) => ({ point: one, score: null }))], rng);
        drawn++;
        proposed.push(point);
        batch.push(...(await found.take([point], 1)));
      }
      if (batch.length > 0) await tryAll(batch);
    }
  }

  const ranked = rank(search.by === 'halving' ? longest(setups) : setups);
  const best = ranked[0] ?? null;
  const ended = (reported: Reported | null): Swept => ({ setups, best, reported, ...(sweep.every !== true && { left: found.left() }) });
  if (best === null || sweep.seeds.reporting === 0) return ended(null);
  const fresh = reportingSeeds(sweep);
  const values = contrasted(sweep);
  if (values !== null) {
    const leaders = values.map((value) => ranked.find((setup) => setup.values[sweep.contrast ?? ''] === value) ?? null);
    const known = leaders.filter((setup) => setup !== null);
    const found = await host.run(
      await Promise.all(known.map((setup) => setupConfig(sweep, setup.values, host.complete))),
      fresh,
      `the best of each of ${values.length} values, on fresh seeds`,
    );
    const scoresOf = (setup: Setup | null): readonly (number | null)[] => (setup === null ? [] : (found[known.indexOf(setup)] ?? []));
    const arms = values.map(
      (value, i): ContrastArm => ({ value, setup: leaders[i]?.number ?? null, scores: scoresOf(leaders[i] ?? null) }),
    );
    return ended({ seeds: fresh, best: scoresOf(best), base: null, arms });
  }
  if (sweep.method !== undefined) {
    const [own] = await host.run(
      [await setupConfig(sweep, best.values, host.complete)],
      fresh,
      `${sweep.method} at its best, on fresh seeds`,
    );
    return ended({ seeds: fresh, best: own ?? [], base: null });
  }
  const base = await setupConfig(sweep, {}, host.complete);
  const [ofBest, ofBase] = await host.run(
    [await setupConfig(sweep, best.values, host.complete), base],
    fresh,
    'best and as it stands, on fresh seeds',
  );
  return ended({ seeds: fresh, best: ofBest ?? [], base: ofBase ?? [], baseConfig: configHash(base) });
}

/** Seeds of the report: those from the first reported one on, on which nothing was chosen. */
export const reportingSeeds = ({ seeds }: Sweep): readonly number[] =>
  Array.from({ length: seeds.reporting }, (_, i) => FIRST_REPORTED_SEED + i);
