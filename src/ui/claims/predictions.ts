/** What a visitor predicted of papers, before anything was pressed: kept on this machine, by paper. And the question of cards with an outcome. */
import { useEffect } from 'react';
import { create } from 'zustand';
import { capital } from '#contract/kit/capital.ts';
import { objectOf, readJson } from '#contract/kit/json.ts';
import { type Asked, isJudged, type PaperCard } from '#contract/papers/forms.ts';
import type { JudgedCard } from '#contract/papers/papers.ts';
import type { PaperResult } from '#contract/papers/results.ts';
import { type Contrast, isCounted } from '#math/contrasts.ts';
import { NO_EFFECT, type State } from '#math/rule.ts';
import { claimInWords, contrastInWords } from './sentences.ts';

interface Kept {
  /** Place of the choice, from 0. */
  readonly choice: number;
  /** Tells the code of one visitor from that of another: 16 bits. */
  readonly mark: number;
}

interface PredictionState {
  readonly kept: { readonly [paper: string]: Kept | undefined };
  readonly read: (paper: string) => void;
  readonly predict: (paper: string, choice: number) => void;
}

const keyOf = (paper: string): string => `rl-workbench:predicted:${paper}`;

function stored(paper: string): Kept | undefined {
  try {
    const { choice, mark } = objectOf(readJson(localStorage.getItem(keyOf(paper)) ?? '{}'));
    return typeof choice === 'number' && typeof mark === 'number' ? { choice, mark } : undefined;
  } catch {
    return undefined; // blocked storage or a foreign text: nothing was predicted
  }
}

export const usePredictions = create<PredictionState>((set, get) => ({
  kept: {},
  read: (paper) => {
    if (get().kept[paper] === undefined) set({ kept: { ...get().kept, [paper]: stored(paper) } });
  },
  predict: (paper, choice) => {
    const mark = get().kept[paper]?.mark ?? crypto.getRandomValues(new Uint16Array(1))[0] ?? 0;
    set({ kept: { ...get().kept, [paper]: { choice, mark } } });
    try {
      localStorage.setItem(keyOf(paper), JSON.stringify({ choice, mark }));
    } catch {
      // Storage is blocked: the prediction lasts for this visit.
    }
  },
}));

/** What was predicted of a paper on this machine; undefined: nothing. */
export function useKept(paper: string): Kept | undefined {
  const { kept, read } = usePredictions();
  useEffect(() => read(paper), [read, paper]);
  return kept[paper];
}

/** A question and its choices. */
export type Question = Pick<Asked, 'ask' | 'choices'>;

const EFFECT = [
  'As large as claimed, or larger',
  'There, but smaller than claimed',
  'No clear difference',
  'Clear, and the other way round',
];
const BAR = ['Yes', 'No clear answer', 'No'];

const isBar = ({ kind, none }: Contrast): boolean => kind === 'level' || kind === 'every' || (kind === 'cells' && none !== undefined);

/** The contrast that a card is asked about. */
export const mainOf = ({ contrasts }: Pick<JudgedCard, 'contrasts'>): Contrast => contrasts.find(isCounted) ?? contrasts[0];

/** What a visitor is asked of a card with an outcome: what its main contrast will be. */
export function questionOf(card: JudgedCard): Question {
  const main = mainOf(card);
  const what = contrastInWords(main, card);
  if (isBar(main)) return { ask: `${capital(card.question)} Asked for: ${claimInWords(main)}, of ${what}.`, choices: BAR };
  return { ask: `${capital(card.question)} Compared: ${what}; claimed: ${claimInWords(main)}.`, choices: EFFECT };
}

/** The question of a card of any form. */
export const askedOf = (card: PaperCard): Question => (isJudged(card) ? questionOf(card) : card.asked);

const PLACES: { readonly [S in State]: number } = { held: 0, smaller: 1, [NO_EFFECT]: 2, refuted: 2, open: 2, reversed: 3 };

/** The choice that came out by the findings of runs; null: nothing was judged. */
export function cameOutIn(card: JudgedCard, findings: PaperResult['findings']): number | null {
  const main = mainOf(card);
  const state = findings.find(({ id }) => id === main.id)?.state;
  if (state === undefined) return null;
  if (!isBar(main)) return PLACES[state];
  return state === 'held' ? 0 : state === 'refuted' || state === 'reversed' ? 2 : 1;
}
