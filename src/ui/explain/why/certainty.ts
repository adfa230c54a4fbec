/** How sure a choice is: one rule for every place of the page that says so. Pure. */
import { t } from '#text/text.ts';
import type { ActionRow } from './inspect.ts';

/** tie: several actions have the same, highest value, so which of them is taken means nothing. rates: values alone. */
export type Standing =
  | { readonly kind: 'none' }
  | { readonly kind: 'tie'; readonly alike: readonly ActionRow[]; readonly all: number }
  | { readonly kind: 'rates'; readonly first: ActionRow }
  | { readonly kind: Certainty; readonly first: ActionRow; readonly second: ActionRow | undefined };
export type Certainty = 'sure' | 'leans' | 'unsure' | 'chance';

/** Probabilities of the likeliest action from which a choice is called that. */
const FROM: readonly (readonly [Certainty, number])[] = [
  ['sure', 0.95],
  ['leans', 0.65],
];
/** The likeliest of n actions is at most so much above 1/n where the choice is called chance. */
const ABOVE_CHANCE = 0.05;

export function certaintyOf(probability: number, actions: number): Certainty {
  const found = FROM.find(([, from]) => probability >= from);
  if (found !== undefined) return found[0];
  return probability <= 1 / actions + ABOVE_CHANCE ? 'chance' : 'unsure';
}

/** How much speaks for an action: its probability, else its value. */
const weight = ({ probability, q }: ActionRow): number => (Number.isFinite(probability) ? probability : q);

/** Actions by what speaks for them, the most first; those of which nothing is known are left out. */
export const byWeight = (rows: readonly ActionRow[]): readonly ActionRow[] =>
  rows.filter((row) => Number.isFinite(weight(row))).toSorted((a, b) => weight(b) - weight(a));

export function standingOfChoice(rows: readonly ActionRow[]): Standing {
  const [first, second] = byWeight(rows);
  if (first === undefined) return { kind: 'none' };
  const best = Math.max(...rows.map(({ q }) => q));
  const alike = rows.filter(({ q }) => q === best);
  if (alike.length > 1) return { kind: 'tie', alike, all: rows.length };
  if (!Number.isFinite(first.probability)) return { kind: 'rates', first };
  return { kind: certaintyOf(first.probability, rows.length), first, second };
}

/** A tie in a sentence. That the first is taken is said where it was. */
export function tieWords({ alike, all }: Extract<Standing, { kind: 'tie' }>): string {
  const [first] = alike;
  const takesFirst = first?.chosen === true;
  const action = first?.label ?? '';
  if (alike.length === all)
    return takesFirst
      ? t('All {n} actions are worth the same to it: it takes the first, {action}.', { n: all, action })
      : t('All {n} actions are worth the same to it.', { n: all });
  const actions = alike.map(({ label }) => label).join(', ');
  return takesFirst
    ? t('These are worth the same to it, and the most: {actions}. It takes the first.', { actions })
    : t('These are worth the same to it, and the most: {actions}.', { actions });
}

/** The same in two words, beside the numbers. */
export function certaintyWords(standing: Standing): string {
  switch (standing.kind) {
    case 'none':
      return '';
    case 'tie':
      return t('a tie');
    case 'rates':
      return t('by value');
    case 'sure':
      return t('nearly sure');
    case 'leans':
      return t('leaning to {action}', { action: standing.first.label });
    case 'unsure':
      return t('unsure');
    case 'chance':
      return t('close to chance');
  }
}
