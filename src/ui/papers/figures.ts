/** Numbers of the figures on a paper's page: middles with intervals, domains and ticks. Pure. */
import type { ArmResult } from '#contract/results.ts';
import { iqm } from '#math/stats.ts';
import { contrastInterval } from '#math/verdict.ts';

/** An interquartile mean over seeds and its interval; the two are the same where there is one seed. */
export interface Middle {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Beyond each side of a 95 % interval. */
const TAIL = 0.025;

/** The IQM of the seeds that have a value, with the judge's own bootstrap at 95 %; null where none has. */
export function middleOf(values: readonly (number | null)[]): Middle | null {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  if (known.length === 1) return { value: known[0]!, low: known[0]!, high: known[0]! };
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

/** The score of an arm: IQM of its seeds; null before any has one. */
export const scoreOf = ({ scores }: Pick<ArmResult, 'scores'>): number | null => {
  const values = scores.filter((score) => score !== null);
  return values.length === 0 ? null : iqm(values);
};

/** Round numbers inside [low, high], about `count` of them; steps of 1, 2 or 5 times a power of ten. */
export function ticksIn(low: number, high: number, count: number): readonly number[] {
  const range = high - low;
  if (!(range > 0) || !Number.isFinite(range)) return [low];
  const rough = range / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/** From the least to the greatest of some numbers, with a share of room on both sides. */
export function domainOf(values: readonly number[], room: number): readonly [number, number] {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const pad = high > low ? room * (high - low) : Math.abs(high) * room || 1;
  return [low - pad, high + pad];
}
