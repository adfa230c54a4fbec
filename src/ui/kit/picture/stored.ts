/**
 * Where a stored picture lies. Each is drawn twice by the page's own scenes, for the light theme and for the dark one: a picture turned over by a
 * filter would show holes as bumps and red stones as pink ones.
 */
import { useSyncExternalStore } from 'react';
import { onThemeChange } from '#ui/kit/theme/theme-change.ts';

const isDark = (): boolean => document.documentElement.dataset.theme === 'dark';

export const storedPicture = (name: string, dark: boolean): string => `./pictures/${dark ? 'dark/' : ''}${name}.webp`;

export function useStoredPicture(name: string): string {
  return storedPicture(name, useSyncExternalStore(onThemeChange, isDark));
}
