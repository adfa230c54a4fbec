/** Sizes of the panels in px and which parts are folded, kept between visits where the browser allows it. Not part of any link. */

import { createStore } from 'zustand/vanilla';
import { objectOf, readJson } from '#contract/kit/json.ts';

export interface Sizes {
  readonly left: number;
  readonly right: number;
  /** Height of the curves in hundredths of the right column. */
  readonly curves: number;
  readonly runs: number;
  readonly folded: readonly string[];
  /** The gallery strip was put away by hand. */
  readonly greeted: boolean;
}

const KEY = 'rl-workbench:sizes';
const START: Sizes = { left: 304, right: 380, curves: 56, runs: 196, folded: [], greeted: false };

function remembered(): Sizes {
  try {
    const stored = objectOf(readJson(localStorage.getItem(KEY) ?? '{}')) as Partial<Record<keyof Sizes, unknown>>;
    const size = (key: 'left' | 'right' | 'curves' | 'runs') => (typeof stored[key] === 'number' ? stored[key] : START[key]);
    const folded = Array.isArray(stored.folded) ? stored.folded.filter((name) => typeof name === 'string') : [];
    return {
      left: size('left'),
      right: size('right'),
      curves: size('curves'),
      runs: size('runs'),
      folded,
      greeted: stored.greeted === true,
    };
  } catch {
    return START; // blocked storage or a foreign text
  }
}

export const sizesStore = createStore<Sizes>(remembered);

export function setSizes(change: Partial<Sizes>): void {
  sizesStore.setState(change);
  try {
    localStorage.setItem(KEY, JSON.stringify(sizesStore.getState()));
  } catch {
    // Storage is blocked: the sizes last for this visit.
  }
}

export function toggleFolded(name: string): void {
  const { folded } = sizesStore.getState();
  setSizes({ folded: folded.includes(name) ? folded.filter((other) => other !== name) : [...folded, name] });
}
