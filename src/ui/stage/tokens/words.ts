/** How tokens are written on the page. Pure. */
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { t } from '#text/text.ts';

/** One character, or a word where tokens are words; the special tokens by a sign. */
export function glyphOf({ action, tokens }: Pick<EnvCard, 'action' | 'tokens'>, id: number): string {
  if (id === tokens?.end) return '■';
  if (id === tokens?.begin) return '▸';
  const label = action.labels[id] ?? '';
  if (tokens?.words === true) return id < tokens.begin ? '·' : label;
  return label === 'space' ? '␣' : label.length === 1 ? label : '·';
}

/** A text of tokens. */
export const glyphsOf = (env: Pick<EnvCard, 'action' | 'tokens'>, ids: readonly number[]): string =>
  ids.map((id) => glyphOf(env, id)).join(env.tokens?.words === true ? ' ' : '');

/** A name to read out. */
export function nameOf({ action, tokens }: Pick<EnvCard, 'action' | 'tokens'>, id: number): string {
  const label = action.labels[id] ?? String(id);
  if (tokens?.words === true && id > tokens.end) return `"${label}"`;
  return label.length === 1 ? `"${label}"` : label;
}

/** What the verifier made of an episode, in a sentence. Measures by their ids; null: the episode was cut. */
export function verdictOf(measures: Readonly<Record<string, number>> | null): {
  readonly kind: 'right' | 'wrong' | 'open';
  readonly text: string;
} {
  if (measures === null) return { kind: 'open', text: t('Not finished') };
  if (measures.solved === 1) return { kind: 'right', text: t('Right') };
  return { kind: 'wrong', text: measures.wellFormed === 1 ? t('Wrong, in the right form') : t('Wrong: no answer of the right form') };
}

/** Share of the strongest tint, 0 to 1: log-probabilities from 0 (likely) to -4.2, the uniform choice among 64. */
export const doubtOf = (logProb: number, tokens: number): number => Math.min(1, Math.max(0, -logProb / Math.log(Math.max(2, tokens))));

/** A number of the strip in at most four characters. */
export function short(x: number): string {
  if (Math.abs(x) < 0.005) return '0';
  if (Math.abs(x) >= 99.5) return x < 0 ? '<-99' : '>99';
  return Math.abs(x) >= 9.95 ? x.toFixed(0) : x.toFixed(Math.abs(x) < 1 ? 2 : 1).replace('0.', '.');
}

/** A probability in percent, in at most three characters. */
export const percent = (p: number): string =>
  p >= 0.995 ? '100' : p < 0.001 ? '0' : p < 0.0995 ? (100 * p).toFixed(1) : (100 * p).toFixed(0);
