/** What two runs that share a past differ by: the same seeds went on from the same states, so their scores are compared in pairs. */
import { interval95 } from '#math/seeds.ts';
import { mean } from '#math/stats.ts';
import { alikeSeeds } from '#stores/alike.ts';
import { curves } from '#stores/curves.ts';
import type { RunGroup, Series } from '#stores/types.ts';
import { measure } from '#ui/kit/format/numbers.ts';
import { EXPLORING, GREEDY_TEST } from '#ui/kit/format/returns.ts';

export interface Effect {
  /** Greedy tests where all pairs have them, else the training curves where the slower one of each pair stands. */
  readonly of: string;
  /** Mean of the differences, the first run's minus the second's. */
  readonly mean: number;
  /** 95 % interval over seeds; null below five pairs. */
  readonly interval: readonly [number, number] | null;
  readonly pairs: number;
}

/** null: no seed of both has measured anything behind what they share. */
export function effectOf(run: RunGroup, other: RunGroup, sharedUpTo: (seed: number) => number): Effect | null {
  const [mine, theirs] = [alikeSeeds(run), alikeSeeds(other)];
  const common = mine.flatMap((own) => {
    const twin = theirs.find(({ seed }) => seed === own.seed);
    return twin === undefined ? [] : [{ own, twin }];
  });
  const tests = common.flatMap(({ own, twin }) => {
    const difference = (own.result?.evalReturn ?? Number.NaN) - (twin.result?.evalReturn ?? Number.NaN);
    return Number.isFinite(difference) ? [difference] : [];
  });
  const tested = tests.length === common.length;
  const values = tested ? tests : common.flatMap(({ own }) => whileExploring(run.id, other.id, own.seed, sharedUpTo(own.seed)));
  if (values.length === 0) return null;
  return { of: tested ? GREEDY_TEST : EXPLORING, mean: mean(values), interval: interval95(values), pairs: values.length };
}

/** The difference at the last step that both have measured. */
function whileExploring(id: string, other: string, seed: number, sharedUpTo: number): readonly number[] {
  const [a, b] = [curves.series(id, seed, 'episodicReturn'), curves.series(other, seed, 'episodicReturn')];
  const [lastA, lastB] = [a?.steps.at(-1), b?.steps.at(-1)];
  if (a === null || b === null || lastA === undefined || lastB === undefined) return [];
  const step = Math.min(lastA, lastB);
  if (step <= sharedUpTo) return [];
  const at = ({ steps, values }: Series): number => values[steps.findLastIndex((one) => one <= step)] ?? Number.NaN;
  const difference = at(a) - at(b);
  return Number.isFinite(difference) ? [difference] : [];
}

/** In words, without a verdict: the interval is what can be concluded. */
export function effectText({ of, mean: value, interval, pairs }: Effect): string {
  const seeds = `${pairs} paired ${pairs === 1 ? 'seed' : 'seeds'}`;
  const sign = value > 0 ? '+' : '';
  return interval === null
    ? `${of}: ${sign}${measure(value)}, ${seeds}; an interval needs five`
    : `${of}: ${sign}${measure(value)} [${measure(interval[0])}, ${measure(interval[1])}], ${seeds}`;
}
