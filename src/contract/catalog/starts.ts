/**
 * The settings a method starts from in an environment: those of its preset of the environment's name; without one its defaults, or where
 * actions are continuous the preset that it names for them. The discount is the environment's unless the preset of its name sets one. These
 * are settings over the defaults: configs and links that were made before say the same as ever.
 */

import type { ActionSpace } from '../game/spaces.ts';
import type { JsonObject } from '../kit/json.ts';
import { nestedPath } from '../run/flat-settings.ts';
import { getAt, setAt } from '../run/paths.ts';
import type { AlgoCard } from './catalog.ts';

export interface StartsIn {
  /** Left out: presets of its name are not looked for. */
  readonly id?: string;
  /** The discount of the environment's literature. */
  readonly gamma: number;
  /** Its agents, those alike as one. */
  readonly groups: readonly { readonly action: ActionSpace }[];
}

/** Settings that differ from the defaults. A limit on episodes is left out: how long a run is, its steps say. */
export function startIn(algo: Pick<AlgoCard, 'id' | 'defaults' | 'presets' | 'continuous'>, { id, gamma, groups }: StartsIn): JsonObject {
  const [, ...keys] = nestedPath({ algo: algo.id, env: '' }, 'algo.gamma').split('.'); // of some methods it is a setting of a variant
  const [key = ''] = keys;
  const usual = getAt(algo.defaults, keys);
  const discount = usual === undefined || usual === gamma ? {} : setAt({ [key]: algo.defaults[key] ?? null }, keys, gamma);
  const continuous = groups.some(({ action }) => action.kind === 'box');
  const named = algo.presets.find((preset) => preset.id === id);
  if (named !== undefined) {
    const { maxEpisodes: _, ...settings } = named.config;
    return { ...discount, ...settings };
  }
  const preset = continuous ? algo.presets.find((candidate) => candidate.id === algo.continuous) : undefined;
  return { ...preset?.config, ...discount };
}
