/** Returns of presets, measured over 1,000 episodes each; the expert knows goal and rules and plans (planner.ts). */
import type { ReferenceReturn } from '#contract/catalog/catalog.ts';

const RETURNS: { readonly [preset: string]: readonly [random: number, expert: number] } = {
  'r1-9x9': [0.2037, 0.977],
  'r1-9x9-trivial': [0.1361, 0.953],
};

export function xlandReturns(preset: string | undefined): readonly ReferenceReturn[] {
  const found = preset === undefined ? undefined : RETURNS[preset];
  if (found === undefined) return [];
  return [
    { name: 'random', value: found[0], source: 'uniform actions, measured over 1,000 episodes' },
    { name: 'expert', value: found[1], source: 'scripted policy "expert", which knows goal and rules, measured over 1,000 episodes' },
  ];
}
