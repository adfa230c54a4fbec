/** Measured mean returns of one agent at default settings: uniform actions, and the scripted policy. */
import type { ReferenceReturn } from '#contract/catalog/catalog.ts';

const MEASURED: { readonly [id: string]: readonly [random: number, scripted: number] } = {
  'vmas-transport': [0, 43],
  'vmas-wheel': [-4.98, -2.35],
  'vmas-balance': [-9.25, 10.1],
  'vmas-navigation': [-1.09, 3.76],
  'vmas-dispersion': [0.07, 1],
  'vmas-flocking': [-0.2, 0.86],
  'vmas-discovery': [0.09, 2.63],
};

/** Empty where settings are not the default ones. */
export function references(id: string, standard: boolean): ReferenceReturn[] {
  const found = MEASURED[id];
  if (found === undefined || !standard) return [];
  return [
    { name: 'random', value: found[0], source: 'uniform actions, 300 episodes' },
    { name: 'scripted', value: found[1], source: 'the policy "scripted", 300 episodes' },
  ];
}
