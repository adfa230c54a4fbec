/**
 * How the page is arranged. Theme, depth and motion outlive the visit in localStorage, where the browser allows it. Who never chose a depth
 * and comes without a link sees the few controls of teach.
 */

import { createStore } from 'zustand/vanilla';
import type { Failure } from '#contract/kit/errors.ts';
import { objectOf, readJson } from '#contract/kit/json.ts';
import type { Exported, LayoutState, LessonView } from './types.ts';

const KEY = 'rl-workbench:layout';
const KEPT = ['theme', 'depth', 'motion', 'shortcuts'] as const;

const ALLOWED: { readonly [K in (typeof KEPT)[number]]: readonly LayoutState[K][] } = {
  theme: ['system', 'light', 'dark'],
  depth: ['teach', 'lab', 'research'],
  motion: ['system', 'none'],
  shortcuts: [true, false],
};

function remembered(): Partial<LayoutState> {
  try {
    const stored = objectOf(readJson(localStorage.getItem(KEY) ?? '{}'));
    return Object.fromEntries(
      KEPT.filter((key) => (ALLOWED[key] as readonly unknown[]).includes(stored[key])).map((key) => [key, stored[key]]),
    );
  } catch {
    return {}; // blocked storage or a foreign text: the defaults do
  }
}

const kept = remembered();
/** The depth this person has chosen; what a link or a first visit shows is no choice. */
let chosenDepth = kept.depth;

/** Opened without the link of an experiment: at the front page, another page, or the laboratory as it is. */
function plainVisit(): boolean {
  return typeof location !== 'undefined' && (location.hash.length < 2 || location.hash.startsWith('#/'));
}

export const layoutStore = createStore<LayoutState>((set, get) => ({
  theme: 'system',
  depth: plainVisit() ? 'teach' : 'lab',
  tab: 'scene',
  leftOpen: true,
  rightOpen: true,
  runsOpen: true,
  projector: false,
  lesson: null,
  motion: 'system',
  shortcuts: true,
  dialog: 'none',
  exported: null,
  linkFailure: null,
  ruleChange: null,
  lock: [],
  ...kept,
  set: (key, value) => {
    set({ [key]: value } as Partial<LayoutState>);
    if (!(KEPT as readonly string[]).includes(key)) return;
    if (key === 'depth') chosenDepth = get().depth;
    try {
      const now = { ...Object.fromEntries(KEPT.map((name) => [name, get()[name]])), depth: chosenDepth };
      localStorage.setItem(KEY, JSON.stringify(now));
    } catch {
      // Storage is blocked: the choice lasts for this visit.
    }
  },
}));

/** A link decides how much is shown: what it says, or `usual` where it says nothing and this person has chosen nothing. Not remembered. */
export function depthOfLink(depth: LayoutState['depth'] | undefined, usual: LayoutState['depth']): void {
  if (depth !== undefined) layoutStore.setState({ depth });
  else if (chosenDepth === undefined) layoutStore.setState({ depth: usual });
}

/** What was opened cannot be: the dialog says why. */
export function refuseLink(linkFailure: Failure): void {
  layoutStore.setState({ linkFailure, dialog: 'link-problem' });
}

/** Another address is opened: the dialog about the one that was refused goes. */
export function forgetRefusal(): void {
  if (layoutStore.getState().dialog === 'link-problem') layoutStore.setState({ linkFailure: null, dialog: 'none' });
}

/** The dialog that exports this policy. */
export function exportPolicy(exported: Exported): void {
  layoutStore.setState({ exported, dialog: 'onnx' });
}

/** For this visit: the depth that a person has chosen comes back with the next. */
export function arrangePage(arranged: Partial<Pick<LayoutState, 'depth' | 'leftOpen' | 'rightOpen' | 'runsOpen'>>): void {
  layoutStore.setState(arranged);
}

/** Hides what only researchers need while a lesson is open. Returns the function that leaves the lesson and restores the depth. */
export function enterLesson(): () => void {
  const { depth } = layoutStore.getState();
  layoutStore.setState({ depth: 'teach' });
  return () => layoutStore.setState({ depth, lesson: null });
}

export function openLessonStep(lesson: LessonView): void {
  layoutStore.setState({ lesson });
}
