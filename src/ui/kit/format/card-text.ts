/** What a card of the gallery shows of its experiment: which picture, and what its claim came to. */
import type facts from 'virtual:claim-facts';
import type { EnvCard } from '#contract/catalog.ts';
import type { JsonObject } from '#contract/json.ts';
import { measure } from '#contract/numbers.ts';

/** The preset whose settings differ least from these: its picture stands for them. */
export function nearestPreset(env: Pick<EnvCard, 'presets' | 'defaults'>, config: JsonObject): string {
  const told = (settings: JsonObject, name: string): string => JSON.stringify(settings[name] ?? env.defaults[name]);
  const distance = (preset: JsonObject): number =>
    Object.keys({ ...preset, ...config }).filter((name) => told(preset, name) !== told(config, name)).length;
  const [nearest] = env.presets.map(({ id, config: preset }) => ({ id, d: distance(preset) })).toSorted((a, b) => a.d - b.d);
  return nearest?.id ?? '';
}

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
