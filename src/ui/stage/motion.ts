/** Whether pictures may move by themselves: the page's switch and the system's preference. */
import { useSyncExternalStore } from 'react';
import { layoutStore } from '#stores/layout.ts';
import { watching } from '#ui/kit/media.ts';

const QUERY = '(prefers-reduced-motion: reduce)';

export function still(): boolean {
  return layoutStore.getState().motion === 'none' || matchMedia(QUERY).matches;
}

const onPreference = watching(QUERY);

function subscribe(changed: () => void): () => void {
  const stops = [onPreference(changed), layoutStore.subscribe(changed)];
  return () => {
    for (const stop of stops) stop();
  };
}

export function useReducedMotion(): boolean {
  return useSyncExternalStore(subscribe, still);
}
