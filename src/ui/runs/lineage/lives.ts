/** The curves of a lineage, cut where one learner follows another: each life begins at 0 on the same clock. */
import type { Series } from '#stores/types.ts';

export interface Life {
  readonly seed: number;
  /** Steps since the life began, and the return while exploring. */
  readonly points: readonly (readonly [steps: number, value: number])[];
}

export interface Generation {
  /** From 1. */
  readonly number: number;
  readonly lives: readonly Life[];
  /** Chance to see the predecessor at the first and the last update; null: not measured. */
  readonly seen: readonly [first: number, last: number] | null;
}

export interface Lineage {
  readonly generations: readonly Generation[];
  /** Steps of the longest life so far. */
  readonly life: number;
}

export interface SeedSeries {
  readonly seed: number;
  readonly generation: Series;
  readonly value: Series;
  readonly seen: Series | null;
}

/** Where each generation of a seed begins and ends: steps before its first update, and at its last. */
function borders({ steps, values }: Series): Map<number, readonly [before: number, end: number]> {
  const found = new Map<number, readonly [number, number]>();
  for (let i = 0; i < steps.length; i++) {
    const number = values[i]!;
    found.set(number, [found.get(number)?.[0] ?? (i === 0 ? 0 : steps[i - 1]!), steps[i]!]);
  }
  return found;
}

/** Generations in their order; one that no seed has reached is missing. */
export function lineageOf(seeds: readonly SeedSeries[]): Lineage {
  const lives = new Map<number, Life[]>();
  const seen = new Map<number, readonly [number, number]>();
  let longest = 0;
  for (const { seed, generation, value, seen: chance } of seeds) {
    for (const [number, [before, end]] of borders(generation)) {
      longest = Math.max(longest, end - before);
      const within = ({ steps, values }: Series) =>
        Array.from(steps, (step, i) => [step - before, values[i]!] as const).filter(([at]) => at > 0 && at <= end - before);
      const points = within(value);
      lives.set(number, [...(lives.get(number) ?? []), { seed, points }]);
      const chances = chance === null ? [] : within(chance);
      const [first, last] = [chances[0], chances.at(-1)];
      if (first !== undefined && last !== undefined && !seen.has(number)) seen.set(number, [first[1], last[1]]);
    }
  }
  const generations = [...lives]
    .sort(([a], [b]) => a - b)
    .map(([number, all]): Generation => ({ number, lives: all, seen: seen.get(number) ?? null }));
  return { generations, life: longest };
}

/** Mean over seeds of where a generation ended; NaN: nothing is known yet. */
export function endOf({ lives }: Generation): number {
  const ends = lives.flatMap(({ points }) => points.at(-1)?.[1] ?? []);
  return ends.length === 0 ? Number.NaN : ends.reduce((a, b) => a + b, 0) / ends.length;
}
