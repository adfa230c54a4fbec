/** What the units of a shared trunk do in each world, from the numbers that a policy of that method carries. */
import type { PolicySnapshot } from '#contract/run/events.ts';

/** One world: mean absolute outputs of all units, layer after layer. */
export interface LitWorld {
  readonly title: string;
  /** Of one of so many layers of the same width. */
  units(layer: number, layers: number): readonly number[];
}

/** The worlds that the trunk learned in first, in the order of `titles`, and the one that it was carried to; those without numbers are left out. */
export function litIn({ saved: { arrays } }: PolicySnapshot, titles: readonly string[], carriedTo: string): readonly LitWorld[] {
  const places = [...titles.map((title, i) => [title, `kept/activity${i + 1}`] as const), [carriedTo, 'inner/activity0'] as const];
  return places.flatMap(([title, name]): readonly LitWorld[] => {
    const found = arrays[name];
    if (!(found instanceof Float32Array) || found.length === 0) return [];
    return [
      {
        title,
        units(layer, layers) {
          const width = found.length / layers;
          return Array.from(found.subarray(layer * width, (layer + 1) * width));
        },
      },
    ];
  });
}

/** Units of a layer, those that this world lights most first. */
export function ordered(world: LitWorld, layer: number, layers: number): readonly number[] {
  const units = world.units(layer, layers);
  return units.map((_, unit) => unit).toSorted((a, b) => units[b]! - units[a]! || a - b);
}

/** Pearson's of two lists of one length; NaN where one does not vary. */
export function correlation(a: readonly number[], b: readonly number[]): number {
  const mean = (list: readonly number[]): number => list.reduce((sum, value) => sum + value, 0) / list.length;
  const [ma, mb] = [mean(a), mean(b)];
  let [ab, aa, bb] = [0, 0, 0];
  for (const [i, value] of a.entries()) {
    const [da, db] = [value - ma, b[i]! - mb];
    ab += da * db;
    aa += da * da;
    bb += db * db;
  }
  return aa === 0 || bb === 0 ? Number.NaN : ab / Math.sqrt(aa * bb);
}
