/**
 * Where a run that starts now comes from. A set-up that a link or a file opened counts as such until one of its settings is changed; from
 * then on it is the person's own. What starts while a lesson is open is of the lesson.
 */
import type { RunConfig } from '#contract/run/config.ts';
import { configHash } from '#contract/run/config-hash.ts';
import type { Origin } from '#contract/run/origin.ts';
import { layoutStore } from '#stores/layout.ts';
import { inLesson, routeStore } from '#stores/route.ts';

let opened: { readonly hash: string; readonly origin: Origin } | null = null;

/** This set-up was opened from somewhere; the one before is forgotten. */
export function openedFrom(config: RunConfig, origin: Origin): void {
  opened = { hash: configHash(config), origin };
}

/** `address`: of the page, with #. */
export function originOf(config: RunConfig, address: string): Origin {
  const { lesson } = layoutStore.getState();
  if (lesson !== null && inLesson(routeStore.getState())) return { kind: 'lesson', title: lesson.title, address };
  return opened !== null && opened.hash === configHash(config) ? opened.origin : { kind: 'own', title: '' };
}
