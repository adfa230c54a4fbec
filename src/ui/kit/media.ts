/** Which of the three arrangements the window has room for. */
import { useSyncExternalStore } from 'react';

export type Room = 'phone' | 'medium' | 'desktop';

const MEDIUM = '(min-width: 700px)';
const DESKTOP = '(min-width: 1100px)';

/** A window of half a laptop, or on its side: there is no room for two panels one above the other. */
const LOW = '(max-height: 719px)';

/** Calls back whenever one of these media queries begins or ceases to match. */
export const watching =
  (...media: readonly string[]) =>
  (changed: () => void): (() => void) => {
    const queries = media.map((query) => matchMedia(query));
    for (const query of queries) query.addEventListener('change', changed);
    return () => {
      for (const query of queries) query.removeEventListener('change', changed);
    };
  };
const onWidth = watching(MEDIUM, DESKTOP);
const onLow = watching(LOW);

export const useLow = (): boolean => useSyncExternalStore(onLow, () => matchMedia(LOW).matches);

export function useRoom(): Room {
  return useSyncExternalStore(onWidth, () => (matchMedia(DESKTOP).matches ? 'desktop' : matchMedia(MEDIUM).matches ? 'medium' : 'phone'));
}
