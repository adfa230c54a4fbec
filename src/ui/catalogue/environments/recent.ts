/** Environments that were opened last, newest first, kept between visits where the browser allows it. */

import { createStore } from 'zustand/vanilla';
import { readJson } from '#contract/kit/json.ts';
import { draftStore, isOpen } from '#stores/draft.ts';

const KEY = 'rl-workbench:recent';
const MOST = 5;

function remembered(): readonly string[] {
  try {
    const stored: unknown = readJson(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string').slice(0, MOST) : [];
  } catch {
    return []; // blocked storage or a foreign text
  }
}

export const recentStore = createStore<{ readonly ids: readonly string[] }>(() => ({ ids: remembered() }));

/** From now on every environment that is opened is remembered. */
export function startRecent(): void {
  draftStore.subscribe((draft, before) => {
    const { env } = draft.config;
    if (!isOpen(draft) || (env.id === before.config.env.id && isOpen(before))) return;
    const ids = [env.id, ...recentStore.getState().ids.filter((id) => id !== env.id)].slice(0, MOST);
    recentStore.setState({ ids });
    try {
      localStorage.setItem(KEY, JSON.stringify(ids));
    } catch {
      // Storage is blocked: remembered for this visit.
    }
  });
}
