/** The one number of a run that contrasts compare, and its curve for the result file. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { curvesFromCsv } from '#contract/files.ts';
import type { Quantity } from '#contract/papers.ts';
import { mean } from '#math/stats.ts';
import { seedFolder } from '../run-folder.ts';
import type { SeedOutcome } from '../seeds.ts';

/** Rows of a metric of one run. */
export interface Curve {
  readonly steps: ArrayLike<number>;
  readonly values: ArrayLike<number>;
}

/** All curves of a run that is done, by metric; empty where it wrote none. Throws LabError('file-invalid') for a broken file. */
export function readCurves(folder: string, seed: number): ReadonlyMap<string, Curve> {
  const file = join(seedFolder(folder, seed), 'curve.csv');
  if (!existsSync(file)) return new Map();
  return new Map(curvesFromCsv(readFileSync(file, 'utf8')).map(({ metric, steps, values }) => [metric, { steps, values }]));
}

const finite = (value: number | null | undefined): number | null =>
  value !== null && value !== undefined && Number.isFinite(value) ? value : null;

/** The quantity of a run; null where it was not measured. `budget`: the run's environment steps, which stand for a level that is never reached. */
export function quantityOf(
  quantity: Quantity,
  better: 'more' | 'less',
  outcome: SeedOutcome,
  curves: ReadonlyMap<string, Curve>,
  budget: number,
): number | null {
  if ('of' in quantity) return finite(outcome[quantity.of]);
  const curve = curves.get(quantity.metric);
  const values = Array.from(curve?.values ?? []);
  if (curve === undefined || values.length === 0) return null;
  if ('reaches' in quantity) {
    const at = values.findIndex((value) => (better === 'more' ? value >= quantity.reaches : value <= quantity.reaches));
    return at < 0 ? budget : finite(curve.steps[at]);
  }
  if (quantity.take === 'last') return finite(values.at(-1));
  if (quantity.take === 'mean') return finite(mean(values));
  return finite(values.reduce((a, b) => (better === 'more' ? Math.max(a, b) : Math.min(a, b))));
}

/** Places of a decimated curve. */
const POINTS = 40;

/** Four significant digits: more is not seen in a curve. */
const short = (value: number): number => Number(value.toPrecision(4));

/** The curves of an arm's seeds at common steps: the last value up to each; null before the first. */
export function decimate(curves: readonly (Curve | undefined)[], budget: number) {
  const steps = Array.from({ length: POINTS }, (_, i) => Math.round(((i + 1) * budget) / POINTS));
  const values = curves.map((curve) => {
    if (curve === undefined) return steps.map(() => null);
    let at = -1;
    return steps.map((step) => {
      while (at + 1 < curve.steps.length && curve.steps[at + 1]! <= step) at++;
      return at < 0 ? null : finite(short(curve.values[at]!));
    });
  });
  return { steps, values };
}
