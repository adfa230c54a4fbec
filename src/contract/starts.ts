/**
 * Where a method begins in an environment: its defaults with the environment's discount, and where actions are continuous with the preset
 * that it names for them. These are settings over the defaults: configs and links that were made before say the same as ever.
 */
import type { AlgoCard } from './catalog.ts';
import type { JsonObject } from './json.ts';
import type { ActionSpace } from './spaces.ts';

export interface StartsIn {
  /** The discount of the environment's literature. */
  readonly gamma: number;
  /** Its agents, those alike as one. */
  readonly groups: readonly { readonly action: ActionSpace }[];
}

/** Settings that differ from the defaults. */
export function startIn(algo: Pick<AlgoCard, 'defaults' | 'presets' | 'continuous'>, { gamma, groups }: StartsIn): JsonObject {
  const discount = 'gamma' in algo.defaults && algo.defaults.gamma !== gamma ? { gamma } : {};
  const continuous = groups.some(({ action }) => action.kind === 'box');
  const preset = continuous ? algo.presets.find(({ id }) => id === algo.continuous) : undefined;
  return { ...preset?.config, ...discount };
}
