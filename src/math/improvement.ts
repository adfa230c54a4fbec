/**
 * One method against another over several tasks: the probability of improvement with its interval, the interval of an interquartile mean
 * over tasks with different numbers of runs, and performance profiles with their bands (Agarwal et al. 2021). Bootstraps draw the runs of
 * each task anew (stratified), RESAMPLES times from a fixed stream, so that every room gets the same digits.
 */
import { Rng } from './rng.ts';
import { RESAMPLES, SEEDS_FOR_INTERVAL } from './seeds.ts';
import { performanceProfile, quantile } from './stats.ts';

/** Scores of one method: the runs of each task. */
export type Tasks = readonly (readonly number[])[];

const LEVEL = 0.95;
/** 95 % of bootstrapped numbers. */
export const ends = (found: ArrayLike<number>): [low: number, high: number] => [
  quantile(found, (1 - LEVEL) / 2),
  quantile(found, (1 + LEVEL) / 2),
];

/** Fewest runs of any task; 0 without tasks. */
export const fewest = (tasks: Tasks): number => (tasks.length === 0 ? 0 : Math.min(...tasks.map((runs) => runs.length)));

/** 95 % percentile interval of the interquartile mean over all runs of all tasks; null where a task has fewer than five runs. */
export function stratifiedInterval(tasks: Tasks): [low: number, high: number] | null {
  if (fewest(tasks) < SEEDS_FOR_INTERVAL) return null;
  const rng = Rng.from(0);
  const found = new Float64Array(RESAMPLES);
  // Sorted once: a resample is how often each run stands in it, and its trimmed mean a walk along that order.
  const pooled = tasks.flat();
  const order = pooled.map((_, i) => i).sort((a, b) => pooled[a]! - pooled[b]!);
  const rank = new Uint32Array(pooled.length);
  order.forEach((run, at) => {
    rank[run] = at;
  });
  const sorted = Float64Array.from(order, (run) => pooled[run]!);
  const counts = new Uint16Array(pooled.length);
  const cut = Math.floor(pooled.length * 0.25);
  const keep = pooled.length - 2 * cut;
  for (let r = 0; r < RESAMPLES; r++) {
    counts.fill(0);
    let from = 0;
    for (const { length } of tasks) {
      for (let i = 0; i < length; i++) {
        const at = rank[from + rng.int(length)]!;
        counts[at] = counts[at]! + 1;
      }
      from += length;
    }
    let skip = cut;
    let left = keep;
    let sum = 0;
    for (let at = 0; left > 0; at++) {
      const skipped = Math.min(skip, counts[at]!);
      skip -= skipped;
      let times = Math.min(counts[at]! - skipped, left);
      left -= times;
      // Added one by one, as a mean over the written-out resample would.
      for (const value = sorted[at]!; times > 0; times--) sum += value;
    }
    found[r] = sum / keep;
  }
  return ends(found);
}

/** The values of two groups in one order, equal ones together. */
function ranked(a: readonly number[], b: readonly number[]): { readonly a: Uint32Array; readonly b: Uint32Array; readonly ranks: number } {
  const values = [...new Set([...a, ...b])].sort((x, y) => x - y);
  const rankOf = new Map(values.map((value, rank) => [value, rank]));
  const ranks = (of: readonly number[]): Uint32Array => Uint32Array.from(of, (value) => rankOf.get(value) ?? 0);
  return { a: ranks(a), b: ranks(b), ranks: values.length };
}

/** Share of all pairs in which a lies above b, a tie counting half. `countA`, `countB`: how often each rank stands. */
function above(countA: Uint32Array, countB: Uint32Array, pairs: number): number {
  let below = 0;
  let wins = 0;
  for (let rank = 0; rank < countA.length; rank++) {
    wins += countA[rank]! * (below + countB[rank]! / 2);
    below += countB[rank]!;
  }
  return wins / pairs;
}

export interface Improvement {
  /** Mean over tasks of P(a > b) + P(a = b) / 2. */
  readonly p: number;
  /** 95 % percentile interval; null where a group has fewer than five runs of a task. */
  readonly interval: readonly [low: number, high: number] | null;
  /** Fewest runs of any task and group. */
  readonly runs: number;
}

/** Mean over tasks of P(a > b) + P(a = b) / 2 over all pairs of runs; the same tasks in the same order, each with runs of both. */
export function probability(a: Tasks, b: Tasks): number {
  const shares = a.map((runs, k) => {
    const others = b[k] ?? [];
    let wins = 0;
    for (const x of runs) for (const y of others) wins += x > y ? 1 : x === y ? 0.5 : 0;
    return wins / (runs.length * others.length);
  });
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

/** Whether a run of the first method scores higher than one of the second, over the same tasks in the same order; at least one task. */
export function improvement(a: Tasks, b: Tasks): Improvement {
  const tasks = a.map((runs, k) => ranked(runs, b[k] ?? []));
  const count = (ranks: Uint32Array, into: Uint32Array, pick: (i: number) => number): Uint32Array => {
    into.fill(0);
    for (let i = 0; i < ranks.length; i++) {
      const rank = ranks[pick(i)]!;
      into[rank] = into[rank]! + 1;
    }
    return into;
  };
  const room = tasks.map(({ ranks }) => [new Uint32Array(ranks), new Uint32Array(ranks)] as const);
  const share = (pick: (size: number, i: number) => number): number =>
    tasks.reduce((sum, task, k) => {
      const [ofA, ofB] = room[k]!;
      count(task.a, ofA, (i) => pick(task.a.length, i));
      count(task.b, ofB, (i) => pick(task.b.length, i));
      return sum + above(ofA, ofB, task.a.length * task.b.length);
    }, 0) / tasks.length;
  const p = share((_, i) => i);
  const runs = Math.min(fewest(a), fewest(b));
  if (runs < SEEDS_FOR_INTERVAL) return { p, interval: null, runs };
  const rng = Rng.from(0);
  return { p, interval: ends(Float64Array.from({ length: RESAMPLES }, () => share((size) => rng.int(size)))), runs };
}

export interface Profile {
  /** Share of runs above each threshold. */
  readonly share: readonly number[];
  /** Pointwise 95 % band; null below five runs of a task. */
  readonly band: { readonly low: readonly number[]; readonly high: readonly number[] } | null;
}

/** Thresholds of a profile. */
const THRESHOLDS = 41;

/** Evenly over the scores of all groups, and over 0 to 1. */
export function thresholdsOver(groups: readonly Tasks[]): readonly number[] {
  const all = groups.flatMap((tasks) => tasks.flat());
  const [low, high] = [Math.min(0, ...all), Math.max(1, ...all)];
  return Array.from({ length: THRESHOLDS }, (_, i) => low + ((high - low) * i) / (THRESHOLDS - 1));
}

/** Performance profile over all runs of all tasks, at ascending thresholds. */
export function profile(tasks: Tasks, thresholds: readonly number[]): Profile {
  const share = performanceProfile(
    tasks.flat().map((score) => [score]),
    thresholds,
  );
  if (fewest(tasks) < SEEDS_FOR_INTERVAL) return { share, band: null };
  const rng = Rng.from(0);
  const total = tasks.reduce((sum, runs) => sum + runs.length, 0);
  // Of every run, how many thresholds lie below it: a resample then only counts.
  const passed = tasks.map((runs) => Uint32Array.from(runs, (score) => thresholds.filter((tau) => score > tau).length));
  const found = thresholds.map(() => new Float64Array(RESAMPLES));
  const ending = new Uint32Array(thresholds.length + 1);
  for (let r = 0; r < RESAMPLES; r++) {
    ending.fill(0);
    for (const runs of passed) {
      for (let i = 0; i < runs.length; i++) {
        const at = runs[rng.int(runs.length)]!;
        ending[at] = ending[at]! + 1;
      }
    }
    let over = total;
    for (let k = 0; k < thresholds.length; k++) {
      over -= ending[k]!;
      found[k]![r] = over / total;
    }
  }
  const bounds = found.map(ends);
  return { share, band: { low: bounds.map(([low]) => low), high: bounds.map(([, high]) => high) } };
}
