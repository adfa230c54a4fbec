/** Which of the three arrangements the window has room for. */
import { useSyncExternalStore } from 'react';

export type Room = 'phone' | 'medium' | 'desktop';

const MEDIUM = '(min-width: 700px)';
const DESKTOP = '(min-width: 1100px)';

function subscribe(changed: () => void): () => void {
  const queries = [matchMedia(MEDIUM), matchMedia(DESKTOP)];
  for (const query of queries) query.addEventListener('change', changed);
  return () => {
    for (const query of queries) query.removeEventListener('change', changed);
  };
}

/** A window of half a laptop, or on its side: there is no room for two panels one above the other. */
const LOW = '(max-height: 719px)';

const onLow = (changed: () => void): (() => void) => {
  const query = matchMedia(LOW);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
};

export const useLow = (): boolean => useSyncExternalStore(onLow, () => matchMedia(LOW).matches);

export function useRoom(): Room {
  return useSyncExternalStore(subscribe, () => (matchMedia(DESKTOP).matches ? 'desktop' : matchMedia(MEDIUM).matches ? 'medium' : 'phone'));
}
