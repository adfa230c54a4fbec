/** Whose policies a film of learning shows. */
import { policySteps } from '#client/runs/policies.ts';
import type { RunGroup } from '#stores/types.ts';
import { chosenSteps } from './learning.ts';

/** The seed of a run whose policies tell of learning, with their steps; null: only one is kept. */
export function toldBy(group: RunGroup): { readonly seed: number; readonly steps: readonly number[] } | null {
  for (const { seed } of group.seeds) {
    const steps = policySteps(group.id, seed);
    if (steps.length > 1) return { seed, steps: chosenSteps(steps) };
  }
  return null;
}
