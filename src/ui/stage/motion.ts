/** Whether pictures may move by themselves: the page's switch and the system's preference. */
import { useSyncExternalStore } from 'react';
import { layoutStore } from '#stores/layout.ts';

const QUERY = '(prefers-reduced-motion: reduce)';

export function still(): boolean {
  return layoutStore.getState().motion === 'none' || matchMedia(QUERY).matches;
}

function subscribe(changed: () => void): () => void {
  const query = matchMedia(QUERY);
  query.addEventListener('change', changed);
  const stop = layoutStore.subscribe(changed);
  return () => {
    query.removeEventListener('change', changed);
    stop();
  };
}

export function useReducedMotion(): boolean {
  return useSyncExternalStore(subscribe, still);
}
