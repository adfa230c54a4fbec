/** How the page is arranged. Theme, depth and motion outlive the visit in localStorage, where the browser allows it. */
import { createStore } from 'zustand/vanilla';
import type { LayoutState } from './types.ts';

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
    const stored = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, unknown>;
    return Object.fromEntries(
      KEPT.filter((key) => (ALLOWED[key] as readonly unknown[]).includes(stored[key])).map((key) => [key, stored[key]]),
    );
  } catch {
    return {}; // blocked storage or a foreign text: the defaults do
  }
}

export const layoutStore = createStore<LayoutState>((set, get) => ({
  theme: 'system',
  depth: 'lab',
  tab: 'scene',
  leftOpen: true,
  rightOpen: true,
  runsOpen: true,
  projector: false,
  motion: 'system',
  shortcuts: true,
  dialog: 'none',
  linkFailure: null,
  lock: [],
  ...remembered(),
  set: (key, value) => {
    set({ [key]: value } as Partial<LayoutState>);
    if (!(KEPT as readonly string[]).includes(key)) return;
    try {
      localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(KEPT.map((name) => [name, get()[name]]))));
    } catch {
      // Storage is blocked: the choice lasts for this visit.
    }
  },
}));
