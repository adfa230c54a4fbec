/**
 * `strataWeight`: strata (Stratified GRPO, Zhu et al. 2025): a share of an episode's advantage compares it with the episodes of its group that have as many steps
 * alone. Where a step is a search and the last one the answer, these are the episodes with as many searches.
 */
import { stratifiedAdvantages } from '#math/groups.ts';
import { defineExtension, type GroupEpisodes } from '../../api/extension.ts';
import * as fields from '../../api/fields.ts';

const field = fields.real(0, {
  min: 0,
  max: 1,
  title: 'weight of strata',
  description: 'Share of the advantage that compares episodes of a group with as many steps alone; 0: the whole group.',
  source: 'off in GRPO',
  group: 'loss',
  depth: 'research',
  live: true,
});

/** Blends the advantages of steps [rows * longest], those of an episode alike, in groups of `group` rows, with those among episodes of as many steps. */
export function blendStrata(
  advantages: Float64Array,
  { returns, lengths, longest }: Pick<GroupEpisodes, 'returns' | 'lengths' | 'longest'>,
  { group, weight }: { readonly group: number; readonly weight: number },
): void {
  if (weight === 0) return;
  for (let first = 0; first < lengths.length; first += group) {
    const end = first + group;
    const among = stratifiedAdvantages(returns.subarray(first, end), lengths.subarray(first, end), { eps: 1e-4, ddof: 1 });
    for (let row = first; row < end; row++) {
      const at = row * longest;
      advantages.fill((1 - weight) * advantages[at]! + weight * among[row - first]!, at, at + lengths[row]!);
    }
  }
}

export const strataWeight = defineExtension<number>({
  id: 'strataWeight',
  field: ({ loop }) => (loop === 'groups' ? field : null),
  presets: [{ id: 'stratified', title: 'Stratified GRPO: episodes of as many steps, blended', config: { strataWeight: 0.8 } }],
  always: true,
  load: async () => (_, begun) => ({
    attach: (host) => ({
      places() {
        if (host.loop !== 'groups') return {};
        return {
          compared: ({ advantages, episodes }) =>
            blendStrata(advantages, episodes, { group: host.group, weight: Number(begun.config.strataWeight) }),
        };
      },
    }),
  }),
});
