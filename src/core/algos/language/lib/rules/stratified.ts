/**
 * Strata (Stratified GRPO, Zhu et al. 2025): a share of an episode's advantage compares it with the episodes of its group that have as many steps
 * alone. Where a step is a search and the last one the answer, these are the episodes with as many searches.
 */
import type { Preset } from '#contract/catalog/catalog.ts';
import { stratifiedAdvantages } from '#math/groups.ts';
import * as fields from '../../../api/fields.ts';

export const strataWeight = fields.real(0, {
  min: 0,
  max: 1,
  title: 'weight of strata',
  description: 'Share of the advantage that compares episodes of a group with as many steps alone; 0: the whole group.',
  source: 'off in GRPO',
  group: 'loss',
  depth: 'research',
  live: true,
});

export const stratified: Preset = {
  id: 'stratified',
  title: 'Stratified GRPO: episodes of as many steps, blended',
  config: { strataWeight: 0.8 },
};

/** Blends the advantages of episodes [rows], in groups of `group` rows, with those among as many steps. */
export function blendStrata(
  advantages: Float64Array,
  { returns, lengths }: { readonly returns: Float64Array; readonly lengths: Int32Array },
  { group, weight }: { readonly group: number; readonly weight: number },
): void {
  if (weight === 0) return;
  for (let first = 0; first < advantages.length; first += group) {
    const end = first + group;
    const among = stratifiedAdvantages(returns.subarray(first, end), lengths.subarray(first, end), { eps: 1e-4, ddof: 1 });
    for (let row = first; row < end; row++) advantages[row] = (1 - weight) * advantages[row]! + weight * among[row - first]!;
  }
}
