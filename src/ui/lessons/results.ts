/** What runs have measured, as a lesson shows it. */
import { type Measure, type Outcome, optionOf, type Prediction } from '#lessons/define.ts';
import { SEEDS_FOR_INTERVAL } from '#math/seeds.ts';
import { iqm, mean } from '#math/stats.ts';
import { alikeSeeds } from '#stores/alike.ts';
import { curves } from '#stores/curves.ts';
import { locale, t } from '#text/text.ts';
import { marked } from '#ui/kit/format/numbers.ts';
import type { ArmRun } from './arms.ts';

export const measureWords = (measure: Measure): string => (measure === 'finalReturn' ? t('while learning, at the end') : t('greedy test'));

/** What each seed measured; null where one measured nothing. */
export function valuesOf(outcome: Outcome, measure: Measure): readonly number[] | null {
  const values = outcome.flatMap((seed) => {
    const value = seed[measure];
    return value === null || !Number.isFinite(value) ? [] : [value];
  });
  return values.length === 0 || values.length < outcome.length ? null : values;
}

/** The number that stands for several seeds, as beside the curves: their interquartile mean, of few seeds their mean. */
const middleOf = (values: readonly number[]): number => (values.length >= SEEDS_FOR_INTERVAL ? iqm(values) : mean(values));

export const middleWords = (n: number): string =>
  n >= SEEDS_FOR_INTERVAL ? t('interquartile mean over {n} seeds', { n }) : t('mean over {n} seeds', { n });

/** That number and the range over seeds; null where a seed measured nothing. */
export function summary(
  outcome: Outcome,
  measure: Measure,
): { readonly middle: number; readonly min: number; readonly max: number } | null {
  const known = valuesOf(outcome, measure);
  return known === null ? null : { middle: middleOf(known), min: Math.min(...known), max: Math.max(...known) };
}

/** Measured values at the places of a sketch: one run for each place, or one run's curve at those steps. null: nothing finished yet. */
export function atPlaces(ask: Prediction, runs: readonly ArmRun[] | null, measure: Measure): readonly (number | null)[] | null {
  if (ask.kind !== 'sketch' || runs === null || runs.every(({ outcome }) => outcome === null)) return null;
  if (runs.length === ask.x.length)
    return runs.map(({ outcome }) => (outcome === null ? null : (summary(outcome, measure)?.middle ?? null)));
  const group = runs[0]?.group;
  if (group === undefined || group === null) return null;
  return ask.x.map((label) => {
    const step = numberOf(label);
    const values = alikeSeeds(group).flatMap(({ seed }) => {
      const series = curves.series(group.id, seed, 'episodicReturn');
      return series === null || series.steps.length === 0 ? [] : [valueAt(series.steps, series.values, step)];
    });
    return values.length === 0 ? null : middleOf(values);
  });
}

/** What each run has measured; null where it has not finished. */
export const outcomesOf = (runs: readonly ArmRun[] | null): readonly (Outcome | null)[] => (runs ?? []).map(({ outcome }) => outcome);

/** What the run measured that a predicted number is about; null: nothing yet, or no run answers it. */
export function measuredNumber(ask: Prediction, runs: readonly ArmRun[] | null, measure: Measure): number | null {
  if (ask.kind !== 'number' || ask.answer === undefined) return null;
  const outcome = runs?.[ask.answer.arm]?.outcome ?? null;
  const found = outcome === null ? null : summary(outcome, measure);
  return found === null ? null : found.middle * (ask.answer.times ?? 1);
}

/** The option that came out, or the number that was measured; null: nothing yet, or no run answers it. */
export const foundFor = (ask: Prediction, runs: readonly ArmRun[] | null, measure: Measure): number | null =>
  measuredNumber(ask, runs, measure) ?? optionOf(ask, outcomesOf(runs), measure);

/** A place of a sketch as a number: lessons write "10,000". */
const numberOf = (label: string): number => Number(label.replaceAll(',', ''));

/** The number as the language of the page writes it. */
export const placeText = (label: string): string => new Intl.NumberFormat(locale(), { maximumFractionDigits: 6 }).format(numberOf(label));

/** The value measured nearest to a step; steps ascend. */
export function valueAt(steps: Float64Array, values: Float64Array, step: number): number {
  let best = 0;
  for (let i = 1; i < steps.length; i++) if (Math.abs(steps[i]! - step) < Math.abs(steps[best]! - step)) best = i;
  return values[best]!;
}

/** A figure of a table: at most two decimals, none where they say nothing, and a minus sign in place of the hyphen. */
export const figure = (value: number): string => digitsOf(value, Math.abs(value) >= 20 ? 0 : 2);

function digitsOf(value: number, digits: number): string {
  const text = digits === 0 ? value.toFixed(0) : value.toFixed(digits).replace(/\.?0+$/, '');
  return marked(text.replace('-', '−'));
}

/** A figure beside the goal that it is measured against: with as many decimals as it needs not to look like a goal that it misses or exceeds. */
export function figureBeside(value: number, goal: number | null): string {
  if (goal === null || value === goal || figure(value) !== figure(goal)) return figure(value);
  for (let digits = Math.abs(value) >= 20 ? 1 : 3; digits < 8; digits++)
    if (Number(value.toFixed(digits)) !== goal) return digitsOf(value, digits);
  return figure(value);
}
