/**
 * Rewards by hand: the weight of a part of the reward as a setting of the environment, and what every part added to the last step of each
 * row. An environment names its parts once, in `terms` of its meta; a weight of 0 leaves a part out.
 */
import { z } from 'zod';

interface About {
  readonly title: string;
  /** What is weighed, and in what: "Per square radian from upright." */
  readonly description: string;
  readonly slider: readonly [number, number];
  readonly source: string;
}

const MOST = 1000;

/** A weight from 0 to 1000, which stands with the others under "reward" and may change while a run goes on. */
export function weightField(standard: number, { slider, ...about }: About) {
  return z
    .number()
    .min(0)
    .max(MOST)
    .default(standard)
    .meta({ ...about, slider: [...slider], live: true, group: 'reward' });
}

/** Keeps the `count` terms of every row's last step for Environment.terms. */
export function createTerms(batch: number, count: number) {
  const kept = new Float64Array(batch * count); // [B, K]
  return {
    kept,
    terms(row: number, out: Float64Array, at: number): void {
      for (let k = 0; k < count; k++) out[at + k] = kept[row * count + k]!;
    },
  };
}
