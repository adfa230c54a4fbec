/** Numbers of the figures on a paper's page: middles with intervals, domains and ticks. Pure. */
import type { JudgedCard } from '#contract/papers/papers.ts';
import type { ArmResult } from '#contract/papers/results.ts';
import { contrastInterval } from '#math/contrast-interval.ts';
import type { Contrast } from '#math/contrasts.ts';
import { iqm } from '#math/stats.ts';

/** An interquartile mean over seeds and its interval; below five seeds, where an interval says nothing, from the least to the greatest. */
export interface Middle {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Beyond each side of a 95 % interval. */
const TAIL = 0.025;
/** Seeds from which on an interval is given. */
export const FEWEST = 5;

/** The IQM of the seeds that have a value, with the judge's own bootstrap at 95 % from five seeds on; null where none has. */
export function middleOf(values: readonly (number | null)[]): Middle | null {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  if (known.length < FEWEST) return { value: iqm(known), low: Math.min(...known), high: Math.max(...known) };
  const { estimate, low, high } = contrastInterval({ id: '', kind: 'level', arm: 'a', claim: 'above', none: 0 }, { a: known }, TAIL);
  return { value: estimate, low, high };
}

const known = new WeakMap<object, readonly (Middle | null)[]>();

/** The middles of an arm's curve at its steps; null where no seed has a value yet. Computed once for each curve. */
export function middlesOf(curve: NonNullable<ArmResult['curve']>): readonly (Middle | null)[] {
  let found = known.get(curve);
  if (found === undefined) {
    found = curve.steps.map((_, i) => middleOf(curve.values.map((row) => row[i] ?? null)));
    known.set(curve, found);
  }
  return found;
}

/** The arms with a curve, each with its place; one that measures something else of the same runs would lie upon the first. */
export function curvesOf(arms: readonly ArmResult[]) {
  const all = arms.flatMap(({ id, title, config, curve }, k) => (curve === null ? [] : [{ id, name: title, k, config, curve }]));
  return all.filter((one, i) => all.findIndex(({ config, curve }) => config === one.config && curve.metric === one.curve.metric) === i);
}

/** What a contrast is in these runs, without an interval: all that few seeds give. null where a run has no number, or none that fits. */
export function estimateOf(contrast: Contrast, arms: readonly Pick<ArmResult, 'id' | 'scores'>[]): number | null {
  const scores = Object.fromEntries(arms.map(({ id, scores: given }) => [id, given.map((score) => score ?? Number.NaN)]));
  try {
    return contrastInterval(contrast, scores, TAIL).estimate;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Where a contrast is the rank correlation of two quantities over runs: both of each run, place by place; runs without one are left out. */
export function pairsOf({ contrasts, arms, quantity, firstSeed }: JudgedCard, found: readonly Pick<ArmResult, 'id' | 'scores'>[]) {
  const titleOf = (id: string): string => (arms.find((arm) => arm.id === id)?.quantity ?? quantity).title;
  const scoresOf = (id: string): readonly (number | null)[] => found.find((arm) => arm.id === id)?.scores ?? [];
  return contrasts.flatMap((contrast) => {
    if (contrast.kind !== 'pairs') return [];
    return contrast.arms.flatMap((one, k) => {
      const other = contrast.others[k] ?? one;
      const [xs, ys] = [scoresOf(one), scoresOf(other)];
      const dots = xs.flatMap((x, i) => {
        const y = ys[i] ?? null;
        return x === null || y === null ? [] : [{ seed: firstSeed + i, x, y }];
      });
      const id = contrast.arms.length === 1 ? contrast.id : `${contrast.id}, ${k + 1}`;
      return dots.length === 0 ? [] : [{ id, arm: other, across: titleOf(one), up: titleOf(other), dots }];
    });
  });
}

/** From the least to the greatest of some numbers, with a share of room on both sides. */
export function domainOf(values: readonly number[], room: number): readonly [number, number] {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const pad = high > low ? room * (high - low) : Math.abs(high) * room || 1;
  return [low - pad, high + pad];
}
