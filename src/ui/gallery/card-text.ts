/** What a card of the gallery shows of its experiment: which picture, and what its claim came to. */
import type { EnvCard } from '#contract/catalog.ts';
import type { JsonObject } from '#contract/json.ts';
import { measure } from '#contract/numbers.ts';
import type { Result } from '#contract/results.ts';

/** The preset whose settings differ least from these: its picture stands for them. */
export function nearestPreset(env: Pick<EnvCard, 'presets' | 'defaults'>, config: JsonObject): string {
  const told = (settings: JsonObject, name: string): string => JSON.stringify(settings[name] ?? env.defaults[name]);
  const distance = (preset: JsonObject): number =>
    Object.keys({ ...preset, ...config }).filter((name) => told(preset, name) !== told(config, name)).length;
  const [nearest] = env.presets.map(({ id, config: preset }) => ({ id, d: distance(preset) })).toSorted((a, b) => a.d - b.d);
  return nearest?.id ?? '';
}

/** "reproduced: 472.1 (at least 467), 5 seeds"; whether an explanation held is no number worth reading. */
export function verdictText({ verdict, measured, expect: { metric, min, max }, seeds }: Result): string {
  const short = (value: number): string => measure(Math.abs(value) < 1e-9 ? 0 : value);
  const asked = min === max ? '' : min !== undefined ? ` (at least ${short(min)})` : max !== undefined ? ` (at most ${short(max)})` : '';
  const number = measured === null || metric === 'explained' ? '' : `: ${short(measured)}${asked}`;
  return `${verdict}${number}, ${seeds.length} seeds`;
}
