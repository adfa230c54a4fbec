/** What the runs of a step came to, in sentences made of their measured numbers. Pure. */
import type { Answer, Measure, Outcome, Prediction } from '#lessons/define.ts';
import { t } from '#text/text.ts';
import { figure, measureWords, summary } from './results.ts';

export interface FinishedRun {
  readonly label: string;
  /** null: not all seeds have finished. */
  readonly outcome: Outcome | null;
}

/** null while a run has not finished, or where there is none. */
export function foundSentence(runs: readonly FinishedRun[], measure: Measure): string | null {
  const [first] = runs;
  if (first === undefined || runs.some(({ outcome }) => outcome === null)) return null;
  const found = runs.map(({ label, outcome }) => ({ label, seeds: outcome?.length ?? 0, ...summary(outcome ?? [], measure) }));
  const missing = found.filter(({ mean }) => mean === undefined);
  if (missing.length > 0)
    return t('Nothing was measured for {runs}.', { runs: missing.map(({ label }) => t('“{label}”', { label })).join(t(' and ')) });
  const all = found as readonly { label: string; seeds: number; mean: number; min: number; max: number }[];
  const words = measureWords(measure);
  const { seeds } = all[0]!;
  const by = seeds > 1 ? t('{measure}, mean over {n} seeds', { measure: words, n: seeds }) : words;
  const sorted = all.toSorted((a, b) => b.mean - a.mean);
  const high = sorted[0]!;
  const low = sorted[sorted.length - 1]!;
  const [most, least] = [figure(high.mean), figure(low.mean)];
  if (all.length === 1) {
    const [min, max] = [figure(high.min), figure(high.max)];
    return high.seeds > 1 && min !== max
      ? t('Return of “{label}”: {value} ({by}; single seeds from {min} to {max}).', { label: high.label, value: most, by, min, max })
      : t('Return of “{label}”: {value} ({by}).', { label: high.label, value: most, by });
  }
  if (most === least) return t('All have the same return: {value} ({by}).', { value: most, by });
  const labels = { high: high.label, low: low.label };
  const apart =
    high.seeds < 2
      ? ''
      : high.min > low.max
        ? ` ${t('Every seed of “{high}” is above every seed of “{low}”.', labels)}`
        : ` ${t('Their seeds overlap: with other seeds the order may differ.')}`;
  const values = { ...labels, most, least, by };
  if (all.length > 2) return t('Highest return: {most} with “{high}”. Lowest: {least} with “{low}” ({by}).', values) + apart;
  const difference = figure(high.mean - low.mean);
  return t('“{high}” has {difference} more return than “{low}”: {most} and {least} ({by}).', { ...values, difference }) + apart;
}

/** What was predicted, as it was chosen or typed; '' where nothing was, or where a line was drawn, which stands over the plot. */
export function predictionText(ask: Prediction | undefined, answer: Answer | undefined): string {
  if (ask === undefined || typeof answer !== 'number') return '';
  if (ask.kind === 'choice') return ask.options[answer] ?? '';
  return ask.kind === 'number' ? `${figure(answer)} ${ask.unit}` : '';
}
