/** What the runs of a step came to, in sentences made of their measured numbers. Pure. */
import type { Answer, Measure, Outcome, Prediction } from '#lessons/define.ts';
import { figure, summary, WORDS } from './results.ts';

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
  if (missing.length > 0) return `Nothing was measured for ${missing.map(({ label }) => `“${label}”`).join(' and ')}.`;
  const known = found as readonly { label: string; seeds: number; mean: number; min: number; max: number }[];
  const by = `${WORDS[measure]}${known[0]!.seeds > 1 ? `, mean over ${known[0]!.seeds} seeds` : ''}`;
  const sorted = known.toSorted((a, b) => b.mean - a.mean);
  const high = sorted[0]!;
  const low = sorted[sorted.length - 1]!;
  if (known.length === 1) {
    const range =
      high.seeds > 1 && figure(high.min) !== figure(high.max) ? `; single seeds from ${figure(high.min)} to ${figure(high.max)}` : '';
    return `Return of “${high.label}”: ${figure(high.mean)} (${by}${range}).`;
  }
  if (figure(high.mean) === figure(low.mean)) return `All have the same return: ${figure(high.mean)} (${by}).`;
  const apart =
    high.seeds < 2
      ? ''
      : high.min > low.max
        ? ` Every seed of “${high.label}” is above every seed of “${low.label}”.`
        : ' Their seeds overlap: with other seeds the order may differ.';
  if (known.length === 2)
    return `“${high.label}” has ${figure(high.mean - low.mean)} more return than “${low.label}”: ${figure(high.mean)} and ${figure(low.mean)} (${by}).${apart}`;
  return `Highest return: ${figure(high.mean)} with “${high.label}”. Lowest: ${figure(low.mean)} with “${low.label}” (${by}).${apart}`;
}

/** What was predicted, as it was chosen or typed; '' where nothing was, or where a line was drawn, which stands over the plot. */
export function predictionText(ask: Prediction | undefined, answer: Answer | undefined): string {
  if (ask === undefined || typeof answer !== 'number') return '';
  if (ask.kind === 'choice') return ask.options[answer] ?? '';
  return ask.kind === 'number' ? `${figure(answer)} ${ask.unit}` : '';
}
