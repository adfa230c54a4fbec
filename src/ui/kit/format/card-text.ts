/** What a card of the gallery shows of its experiment: which picture, and what its claim came to. */
import type facts from 'virtual:claim-facts';
import { sameJson } from '#contract/canonical.ts';
import type { EnvCard } from '#contract/catalog.ts';
import type { JsonObject } from '#contract/json.ts';
import { measure } from '#contract/numbers.ts';

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

/**
 * "partly, by paper P015, seeds 1001 to 1010". Where only the seeds of the set-up ran, no verdict: "not judged on fresh seeds; 472.1 on seeds
 * 1 to 5 (at least 467)". Whether an explanation held is no number worth reading.
 */
export function claimText({ verdict, outdated, paper, seeds: [first, last], setup }: (typeof facts)[string]): string {
  const seeds = `seeds ${first} to ${last}`;
  if (verdict !== null)
    return `${verdict}${outdated ? ' by an older version' : ''}${paper === null ? '' : `, by paper ${paper}`}, ${seeds}`;
  const { measured = null, metric, min, max } = setup ?? {};
  if (measured === null || metric === 'explained') return 'not judged on fresh seeds yet';
  const short = (value: number): string => measure(Math.abs(value) < 1e-9 ? 0 : value);
  const asked = min === max ? '' : min !== undefined ? ` (at least ${short(min)})` : max !== undefined ? ` (at most ${short(max)})` : '';
  return `not judged on fresh seeds yet; ${short(measured)}${asked} on the ${seeds} of its set-up`;
}
