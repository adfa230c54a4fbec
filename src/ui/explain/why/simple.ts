/** A decision in a sentence, and the few actions that it is about. Pure. */
import { t } from '#text/text.ts';
import type { ActionRow } from './inspect.ts';

/** Bars at the simple depth. */
const MOST = 4;
/** Probabilities from which a choice is called that. */
const SURE = 0.95;
const LEANING = 0.65;

/** How much speaks for an action: its probability, else its value. */
const weight = ({ probability, q }: ActionRow): number => (Number.isFinite(probability) ? probability : q);

const sorted = (rows: readonly ActionRow[]): ActionRow[] =>
  rows.filter((row) => Number.isFinite(weight(row))).toSorted((a, b) => weight(b) - weight(a));

/** The likeliest actions in the order in which the environment names them; all where there are few. */
export function likeliest(rows: readonly ActionRow[]): readonly ActionRow[] {
  if (rows.length <= MOST) return rows;
  const kept = new Set(sorted(rows).slice(0, MOST));
  return rows.filter((row) => kept.has(row));
}

export function decisionWords(rows: readonly ActionRow[]): string {
  const [first, second] = sorted(rows);
  if (first === undefined) return '';
  const action = first.label;
  // Where values are equal the choice of one of them means nothing, however sure it looks.
  const best = Math.max(...rows.map(({ q }) => q));
  const alike = rows.filter(({ q }) => q === best);
  if (alike.length > 1) {
    return t('It rates several actions alike here: {action} and {other} among them.', { action: alike[0]!.label, other: alike[1]!.label });
  }
  if (!Number.isFinite(first.probability)) return t('It rates “{action}” highest here.', { action });
  const percent = Math.round(100 * first.probability);
  if (first.probability >= SURE) return t('It is nearly sure here: {action}.', { action });
  if (first.probability >= LEANING) return t('It leans to {action}: {percent} of 100 times.', { action, percent });
  if (second === undefined) return t('It leans to {action}: {percent} of 100 times.', { action, percent });
  return t('It is unsure here: {action} {percent} %, {other} {rest} %.', {
    action,
    percent,
    other: second.label,
    rest: Math.round(100 * second.probability),
  });
}
