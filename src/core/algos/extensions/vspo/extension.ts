/**
 * `copies`: valuable groups again (after VSPO, Zhuang et al. 2025): a group whose episodes all earned the same teaches nothing; another group of the update
 * is learned from once more in its place, drawn by difficulty times uncertainty.
 */
import { groupDeviations, isUniform } from '#math/groups.ts';
import type { Rng } from '#math/rng.ts';
import { defineExtension } from '../../api/extension.ts';
import * as fields from '../../api/fields.ts';

const field = fields.integer(0, {
  min: 0,
  max: 8,
  title: 'copies of a group',
  description: 'So often at most a group is learned from again in place of groups whose episodes all earned the same; 0: never.',
  source: 'off in GRPO',
  group: 'rollout',
  depth: 'research',
});

/**
 * Groups to learn from, by number: each one once, but in place of every one that is uniform another, at most `copies` times each, drawn in
 * proportion to (1 - mean) x deviation of its returns, means outside 0 .. 1 counting as 0 or 1. A uniform group stays where none is left.
 */
export function chosenGroups(returns: Float64Array, group: number, copies: number, rng: Rng): number[] {
  const count = returns.length / group;
  const deviations = groupDeviations(returns, group);
  const left = Array.from(deviations, (deviation, g) => {
    let mean = 0;
    for (let row = g * group; row < (g + 1) * group; row++) mean += returns[row]! / group;
    const value = isUniform(returns, g * group, group) ? 0 : deviation * (1 - Math.min(1, Math.max(0, mean)));
    return { value, copies };
  });
  return Array.from({ length: count }, (_, g) => {
    const total = left.reduce((sum, { value, copies: n }) => sum + (n > 0 ? value : 0), 0);
    if (total <= 0 || !isUniform(returns, g * group, group)) return g;
    let at = rng.uniform() * total;
    const found = left.findIndex(({ value, copies: n }) => n > 0 && value > 0 && (at -= value) < 0);
    if (found < 0) return g;
    left[found]!.copies--;
    return found;
  });
}

export const copies = defineExtension<number>({
  id: 'copies',
  field: ({ loop }) => (loop === 'groups' ? field : null),
  presets: [{ id: 'vspo', title: 'VSPO: valuable groups again in place of uniform ones', config: { copies: 2 } }],
  load: async () => (most) => ({
    attach: (host) => ({
      places() {
        if (host.loop !== 'groups') return {};
        const choosing = host.rng.split('copies');
        return {
          state: { arrays: { choosing } },
          compared({ episodes, groups }) {
            groups.splice(0, groups.length, ...chosenGroups(episodes.returns, host.group, most, choosing));
          },
        };
      },
    }),
  }),
});
