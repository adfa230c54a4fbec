/** Own cards that a person made or kept, newest first: their links' text, on this machine, where the browser allows it. */
import { create } from 'zustand';
import { cardAddress } from '#client/compare/own-card.ts';
import { ownPaper } from '#client/compare/papers.ts';
import { readJson } from '#contract/kit/json.ts';
import { decodeCard, LONGEST_CARD, type OwnCard } from '#contract/link/card.ts';
import type { JudgedCard } from '#contract/papers/papers.ts';

const KEY = 'rl-workbench:own-cards';
/** More would be no list any more, and is half of what some browsers store for a whole site. */
export const MOST_KEPT = 100;

interface KeptCards {
  readonly packed: readonly string[];
  keep(packed: string): void;
  leave(packed: string): void;
}

function stored(): readonly string[] {
  try {
    const found: unknown = readJson(localStorage.getItem(KEY) ?? '[]');
    if (!Array.isArray(found)) return [];
    return found.filter((one): one is string => typeof one === 'string' && one.length <= LONGEST_CARD).slice(0, MOST_KEPT);
  } catch {
    return []; // blocked storage or a foreign text
  }
}

export const useKeptCards = create<KeptCards>((set, get) => {
  const put = (packed: readonly string[]): void => {
    set({ packed });
    try {
      localStorage.setItem(KEY, JSON.stringify(packed));
    } catch {
      // Storage is blocked or full: they are kept for this visit.
    }
  };
  // What another tab kept meanwhile is read before anything is written.
  return {
    packed: stored(),
    keep: (packed) => {
      const before = [...new Set([...stored(), ...get().packed])];
      if (packed.length <= LONGEST_CARD) put([packed, ...before.filter((one) => one !== packed)].slice(0, MOST_KEPT));
    },
    leave: (packed) => put([...new Set([...stored(), ...get().packed])].filter((one) => one !== packed)),
  };
});

/** A card that was opened from the text of its link. */
export interface OpenedCard {
  readonly packed: string;
  readonly own: OwnCard;
  readonly card: JudgedCard;
}

/** Throws LabError where the text is damaged or the card could not be judged. */
export function openedCard(packed: string): OpenedCard {
  const own = decodeCard(packed);
  return { packed, own, card: ownPaper(own, cardAddress(packed)) };
}

/** Those that can still be read: a later version may refuse what an earlier one wrote. */
export const readable = (packed: readonly string[]): readonly OpenedCard[] =>
  packed.flatMap((one) => {
    try {
      return [openedCard(one)];
    } catch {
      return [];
    }
  });
