/** Reference returns that were measured here for presets, and the measure of worlds with costs. */
import type { MetricCard, Preset, ReferenceReturn } from '#contract/catalog/catalog.ts';

/** `values` are per preset in the order of `names`; a config that is none of the presets has none. `parse` fills defaults. */
export function measuredFor<C>(
  c: C,
  parse: (config: unknown) => C,
  presets: readonly Preset[],
  names: readonly (readonly [name: string, source: string])[],
  values: { readonly [preset: string]: readonly number[] },
): readonly ReferenceReturn[] {
  const own = JSON.stringify(c);
  const preset = presets.find((p) => JSON.stringify(parse(p.config)) === own);
  return (values[preset?.id ?? ''] ?? []).flatMap((value, i) => {
    const [name, source] = names[i] ?? [];
    return name === undefined || source === undefined ? [] : [{ name, value, source }];
  });
}

/** What an episode of an environment with costs cost; a limit that a method keeps is a line in it. */
export const EPISODE_COST: MetricCard = {
  id: 'episodeCost',
  title: 'cost of an episode',
  description: 'Sum of the costs of an episode; mean of the last 100 training episodes.',
  bounds: ['costLimit'],
};
