/** Whether a run is in its first phase, in which it copies. */
import { curves } from '#stores/curves.ts';
import type { RunGroup } from '#stores/types.ts';

/**
 * A run that copies answers before it learns from reward, and copies still: the newest rows of a seed then tell the loss of copying. Asked of
 * a method that begins so (`cloning`); one that only copies has no such phase.
 */
export function copies(group: RunGroup): boolean {
  const { cloning } = group.config.algo.config as { readonly cloning?: unknown };
  if (cloning === undefined) return false;
  return group.seeds.some(({ seed, step }) => {
    const rows = curves.series(group.id, seed, 'cloneLoss');
    return step > 0 && rows !== null && rows.steps.at(-1) === step;
  });
}
