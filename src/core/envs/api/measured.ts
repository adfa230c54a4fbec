/** Reference returns that were measured here for presets. */
import type { Preset, ReferenceReturn } from '#contract/catalog/catalog.ts';

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
