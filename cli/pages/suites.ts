/** What a suite runs: the claims of experiments that stand in it, then comparisons with rivals. */

import { aliases } from '#claims/aliases.ts';
import { claimPaper } from '#claims/claim.ts';
import { experiments } from '#claims/experiments/index.ts';
import { paperOf, suites } from '#claims/index.ts';
import type { JudgedCard } from '#contract/papers/papers.ts';

export const claimCards = experiments.filter(({ expect }) => expect !== undefined);
export const suiteNames = (): readonly string[] => [
  ...new Set([...claimCards.flatMap((card) => card.suites ?? []), ...Object.keys(suites)]),
];

/** Claims as papers, without those that a paper has taken in: they are judged there. `quick`: those with a quick form. */
export const claimsOf = (cards: typeof claimCards, quick: boolean): readonly JudgedCard[] =>
  cards.flatMap((card) => (Object.hasOwn(aliases, card.id) ? [] : (claimPaper(card, quick) ?? [])));

/** The card of an id: a paper, a comparison, a longer form, or the claim of an experiment; undefined where there is none. */
export function cardOf(id: string): JudgedCard | undefined {
  const card = claimCards.find((experiment) => experiment.id === id);
  return paperOf(id) ?? (card && (claimPaper(card) ?? undefined));
}

/** Empty where there is no suite of this name. */
export const suiteOf = (name: string, quick: boolean): readonly JudgedCard[] => [
  ...claimsOf(
    claimCards.filter((card) => card.suites?.includes(name)),
    quick,
  ),
  ...(suites[name] ?? []),
];
