/** What a card of the gallery shows of its experiment: which picture, and what its claim came to. */
import type facts from 'virtual:claim-facts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { sameJson } from '#contract/kit/canonical.ts';
import type { JsonObject } from '#contract/kit/json.ts';

type Pictured = Pick<EnvCard, 'presets' | 'defaults'>;

/** The presets with the number of settings in which they differ from these, nearest first. */
function presetsNear({ presets, defaults }: Pictured, config: JsonObject): readonly { readonly id: string; readonly apart: number }[] {
  const valueIn = (settings: JsonObject, name: string) => settings[name] ?? defaults[name];
  const apart = (preset: JsonObject): number =>
    Object.keys({ ...preset, ...config }).filter((name) => !sameJson(valueIn(preset, name), valueIn(config, name))).length;
  return presets.map((preset) => ({ id: preset.id, apart: apart(preset.config) })).toSorted((a, b) => a.apart - b.apart);
}

/** The preset whose settings differ least from these: its picture stands for them. */
export const nearestPreset = (env: Pictured, config: JsonObject): string => presetsNear(env, config)[0]?.id ?? '';

/** The preset with these very settings; null: the picture of any shows another world. */
export const presetOf = (env: Pictured, config: JsonObject): string | null =>
  presetsNear(env, config).find(({ apart }) => apart === 0)?.id ?? null;

/** "shown, by paper P015, seeds 1001 to 1010". */
export function claimText({ outcome, outdated, paper, seeds: [first, last] }: (typeof facts)[string]): string {
  return `${outcome}${outdated ? ' by an older version' : ''}${paper === null ? '' : `, by paper ${paper}`}, seeds ${first} to ${last}`;
}
