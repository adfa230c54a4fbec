/** What a suite runs: the claims of experiments that stand in it, then comparisons with rivals. */
import type { PaperCard } from '#contract/papers.ts';
import { experiments } from '#experiments/index.ts';
import { aliases } from '#papers/aliases.ts';
import { claimPaper } from '#papers/claim.ts';
import { suites } from '#papers/index.ts';

export const claimCards = experiments.filter(({ expect }) => expect !== undefined);
export const suiteNames = (): readonly string[] => [
  ...new Set([...claimCards.flatMap((card) => card.suites ?? []), ...Object.keys(suites)]),
];

/** Claims as papers, without those that a paper has taken in: they are judged there. `quick`: those with a quick form. */
export const claimsOf = (cards: typeof claimCards, quick: boolean): readonly PaperCard[] =>
  cards.flatMap((card) => (Object.hasOwn(aliases, card.id) ? [] : (claimPaper(card, quick) ?? [])));

/** Empty where there is no suite of this name. */
export const suiteOf = (name: string, quick: boolean): readonly PaperCard[] => [
  ...claimsOf(
    claimCards.filter((card) => card.suites?.includes(name)),
    quick,
  ),
  ...(suites[name] ?? []),
];
