/** Weights rounded to few values, as a trunk of a policy keeps them. Pure. */
import type { PolicySnapshot } from '#contract/run/events.ts';

/** Levels of a quantised weight: 3 for -1, 0 and 1 (ternary), more for more bits; null: not quantised. */
export type Levels = 3 | 7 | 15 | 31 | 255 | null;
export const LEVELS: readonly Levels[] = [3, 7, 15, 31, 255, null];

/**
 * The nearest of so many values, evenly spaced about 0. Three: of the mean absolute weight, as in BitNet b1.58; more: up to the largest weight.
 */
export function roundedWeights(w: Float32Array, levels: Levels): Float32Array {
  if (levels === null) return w;
  const half = (levels - 1) / 2;
  const largest = w.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  const mean = w.reduce((sum, x) => sum + Math.abs(x), 0) / Math.max(1, w.length);
  const step = levels === 3 ? mean : largest / half;
  if (step === 0) return w;
  return w.map((x) => step * Math.max(-half, Math.min(half, Math.round(x / step))));
}

/** The weights of the trunk by name; biases stay as they are. */
export const trunkWeights = ({ saved }: PolicySnapshot): readonly (readonly [name: string, w: Float32Array])[] =>
  Object.entries(saved.arrays).flatMap(([name, array]) =>
    /trunk\.\d+\.w$/.test(name) && array instanceof Float32Array ? [[name, array] as const] : [],
  );

/** The same policy with the weights of its trunk rounded. */
export function roundedPolicy(snapshot: PolicySnapshot, levels: Levels): PolicySnapshot {
  const rounded = Object.fromEntries(trunkWeights(snapshot).map(([name, w]) => [name, roundedWeights(w, levels)]));
  return { ...snapshot, saved: { ...snapshot.saved, arrays: { ...snapshot.saved.arrays, ...rounded } } };
}

/** Bits that one of so many values takes. */
export const bitsOf = (levels: Levels): number => (levels === null ? 32 : Math.log2(levels));
