/** A decision in a sentence, and the few actions that it is about. Pure. */
import { t } from '#text/text.ts';
import { measure } from '#ui/kit/format/numbers.ts';
import { byWeight, standingOfChoice, tieWords } from './certainty.ts';
import type { ActionRow } from './inspect.ts';

/** Bars at the simple depth. */
const MOST = 4;
/** Share of half a range from which a number counts as away from its middle. */
const AWAY = 0.1;

/** The likeliest actions in the order in which the environment names them; all where there are few. */
export function likeliest(rows: readonly ActionRow[]): readonly ActionRow[] {
  if (rows.length <= MOST) return rows;
  const kept = new Set(byWeight(rows).slice(0, MOST));
  return rows.filter((row) => kept.has(row));
}

export function decisionWords(rows: readonly ActionRow[]): string {
  const standing = standingOfChoice(rows);
  if (standing.kind === 'none') return '';
  // Where values are equal the choice of one of them means nothing, however sure it looks.
  if (standing.kind === 'tie') return tieWords(standing);
  const { first } = standing;
  const action = first.label;
  if (standing.kind === 'rates') return t('It rates “{action}” highest here.', { action });
  const percent = Math.round(100 * first.probability);
  if (standing.kind === 'sure') return t('It is nearly sure here: {action}.', { action });
  const { second } = standing;
  if (standing.kind === 'leans' || second === undefined) return t('It leans to {action}: {percent} of 100 times.', { action, percent });
  const values = { action, percent, other: second.label, rest: Math.round(100 * second.probability) };
  return standing.kind === 'chance'
    ? t('It is close to chance here: {action} {percent} %, {other} {rest} %.', values)
    : t('It is unsure here: {action} {percent} %, {other} {rest} %.', values);
}

/** One of the numbers that a continuous policy sets. */
export interface Setting {
  readonly name: string;
  readonly low: number;
  readonly high: number;
  readonly value: number;
}

/** How far from the middle of its range: 1 at either end. */
const away = ({ low, high, value }: Setting): number => (high > low ? Math.abs(2 * value - low - high) / (high - low) : 0);

/** What a continuous policy sets; of several numbers the one that says most. '': it sets none. */
export function settingWords(settings: readonly Setting[]): string {
  const [most] = settings.toSorted((a, b) => away(b) - away(a));
  if (most === undefined) return '';
  const words = { action: most.name, value: measure(most.value, 2), low: measure(most.low, 2), high: measure(most.high, 2) };
  if (settings.length === 1) return t('It sets {action} to {value} here; the range is {low} to {high}.', words);
  const n = settings.length;
  if (away(most) < AWAY) return t('It sets {n} numbers here, all of them near the middle of their ranges.', { n });
  return t('It sets {n} numbers here. Furthest from the middle of its range is {action}: {value}, in a range of {low} to {high}.', {
    ...words,
    n,
  });
}
