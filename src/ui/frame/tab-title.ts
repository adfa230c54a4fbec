/** Titles of the browser's tab: tabs, history and bookmarks differ by them. What is open comes first, the product last. */
import { useEffect } from 'react';

const PRODUCT = 'RL Workbench';

/** The title for these parts, the narrowest first; those that are missing or repeat the one before are left out. */
export function tabTitle(...parts: readonly (string | undefined)[]): string {
  const said = parts.filter((part, i) => part !== undefined && part !== '' && part !== parts[i - 1]);
  return [...said, PRODUCT].join(' · ');
}

/** Names the tab while a view is shown; the view that follows names it anew. */
export function useTabTitle(...parts: readonly (string | undefined)[]): void {
  const title = tabTitle(...parts);
  useEffect(() => {
    document.title = title;
  }, [title]);
}
