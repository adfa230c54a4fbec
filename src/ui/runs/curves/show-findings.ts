import { layoutStore } from '#stores/layout.ts';

/** Findings stand beside the curves. */
export function showFindings(): void {
  layoutStore.getState().set('tab', 'curves');
  layoutStore.getState().set('rightOpen', true);
}
