/** What the runs of a step came to, in sentences made of their measured numbers. Pure. */

import { judgePair } from '#contract/sweep/comparison.ts';
import type { Answer, Measure, Outcome, Prediction } from '#lessons/define.ts';
import { t } from '#text/text.ts';
import { figure, measureWords, middleWords, summary, valuesOf } from './results.ts';

export interface FinishedRun {
  readonly label: string;
  /** null: not all seeds have finished. */
  readonly outcome: Outcome | null;
}

/** null while a run has not finished, or where there is none. */
export function foundSentence(runs: readonly FinishedRun[], measure: Measure): string | null {
  const [first] = runs;
  if (first === undefined || runs.some(({ outcome }) => outcome === null)) return null;
  const found = runs.map(({ label, outcome }) => ({
    label,
    seeds: valuesOf(outcome ?? [], measure) ?? [],
    ...summary(outcome ?? [], measure),
  }));
  const missing = found.filter(({ middle }) => middle === undefined);
  if (missing.length > 0)
    return t('Nothing was measured for {runs}.', { runs: missing.map(({ label }) => t('“{label}”', { label })).join(t(' and ')) });
  const all = found as readonly { label: string; seeds: readonly number[]; middle: number; min: number; max: number }[];
  const words = measureWords(measure);
  const n = all[0]!.seeds.length;
  const by = n > 1 ? `${words}, ${middleWords(n)}` : words;
  const sorted = all.toSorted((a, b) => b.middle - a.middle);
  const high = sorted[0]!;
  const low = sorted[sorted.length - 1]!;
  const [most, least] = [figure(high.middle), figure(low.middle)];
  if (all.length === 1) {
    const [min, max] = [figure(high.min), figure(high.max)];
    return n > 1 && min !== max
      ? t('Return of “{label}”: {value} ({by}; single seeds from {min} to {max}).', { label: high.label, value: most, by, min, max })
      : t('Return of “{label}”: {value} ({by}).', { label: high.label, value: most, by });
  }
  if (most === least) return t('All have the same return: {value} ({by}).', { value: most, by });
  const labels = { high: high.label, low: low.label };
  const apart = n < 2 ? '' : ` ${verdictOf(high, low)}`;
  const values = { ...labels, most, least, by };
  if (all.length > 2) return t('Highest return: {most} with “{high}”. Lowest: {least} with “{low}” ({by}).', values) + apart;
  const difference = figure(high.middle - low.middle);
  return t('“{high}” has {difference} more return than “{low}”: {most} and {least} ({by}).', { ...values, difference }) + apart;
}

/** Whether that order is more than chance, by the one rule of comparing (contract/sweep/comparison.ts). */
function verdictOf(high: { readonly label: string; readonly seeds: readonly number[] }, low: typeof high): string {
  const sample = ({ label, seeds }: typeof high) => ({ name: label, tasks: new Map([['', seeds]]) });
  const { state } = judgePair(sample(high), sample(low), 'more');
  if (state === 'few') return t('Fewer than five seeds do not tell whether it would be so with others.');
  return state === 'first'
    ? t('By the rule of comparing, “{high}” is above “{low}”.', { high: high.label, low: low.label })
    : t('By the rule of comparing, there is no winner: with other seeds the order may differ.');
}

/** What was predicted, as it was chosen or typed; '' where nothing was, or where a line was drawn, which stands over the plot. */
export function predictionText(ask: Prediction | undefined, answer: Answer | undefined): string {
  if (ask === undefined || typeof answer !== 'number') return '';
  if (ask.kind === 'choice') return ask.options[answer] ?? '';
  return ask.kind === 'number' ? `${figure(answer)} ${ask.unit}` : '';
}
