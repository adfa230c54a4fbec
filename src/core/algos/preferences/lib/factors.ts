/**
 * Factors of a task, each a number of a step that is better the larger it is, and what can be made of several: a ranking, or a weighted sum.
 * Written as text, most important first: "o0, -|o2|, -|a0 - 0.5|". o2 is the third number of the observation, a0 the first of the action in units
 * of learners ([-1, 1], or the number of an action); bars are a distance, a minus before it says that less is better.
 */
import { fail } from '#contract/kit/errors.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import type { Played } from '../../lib/ppo/learned-reward.ts';
import type { Compare, Place } from './questions.ts';

const TERM = String.raw`\s*-?\s*(?:[oa]\d{1,3}|\|\s*[oa]\d{1,3}\s*(?:[+-]\s*\d+(?:\.\d+)?\s*)?\|)\s*`;
export const FACTORS = new RegExp(`^${TERM}(?:,${TERM}){0,7}$`);
const PARTS = /^(-?)(\|?)([oa])(\d+)(?:([+-])(\d+(?:\.\d+)?))?\|?$/;

export interface Factor {
  readonly sign: 1 | -1;
  readonly of: 'obs' | 'action';
  readonly at: number;
  /** Null: the number itself; else its distance to minus this. */
  readonly offset: number | null;
}

/** Throws LabError('config-invalid') for text that names no factors, or a number that this environment does not have. */
export function factorsOf(meta: EnvMeta, text: string): readonly Factor[] {
  return text.split(',').map((term) => {
    const parts = PARTS.exec(term.replace(/\s/g, ''));
    if (parts === null) throw fail('config-invalid', `"${term}" is no factor.`, 'Write for example o0, -|o2|, -|a0|.', 'algo.factors');
    const [, minus, bar, letter, index, sign, size] = parts;
    const of = letter === 'o' ? 'obs' : 'action';
    const at = Number(index);
    const width = of === 'obs' ? meta.obsSize : meta.actionSize;
    if (at >= width)
      throw fail('config-invalid', `There is no ${letter}${at} here.`, `The last one is ${letter}${width - 1}.`, 'algo.factors');
    const offset = bar === '' ? null : size === undefined ? 0 : Number(`${sign}${size}`);
    return { sign: minus === '' ? 1 : -1, of, at, offset };
  });
}

/** What a factor is at row `row` of a rollout whose actions have `width` numbers. */
export function factorAt({ sign, of, at, offset }: Factor, played: Pick<Played, 'obs' | 'action'>, meta: EnvMeta, row: number): number {
  const x = of === 'obs' ? played.obs[row * meta.obsSize + at]! : played.action[row * (meta.actionCount > 0 ? 1 : meta.actionSize) + at]!;
  return sign * (offset === null ? x : Math.abs(x + offset));
}

/** Every factor of every step, one array [T, rows] each. */
export const factorRows = (factors: readonly Factor[], played: Played, meta: EnvMeta): readonly Float32Array[] =>
  factors.map((factor) => Float32Array.from({ length: played.steps * played.rows }, (_, i) => factorAt(factor, played, meta, i)));

/**
 * The decision tree of a ranking (HERON): the first factor by whose mean over the segments the two differ by more than `margin` of its deviation
 * over the rollout decides; where none does, they are alike. Also which one decided is counted in `decided` [factors + 1].
 */
export function rankedCompare(
  rows: readonly Float32Array[],
  length: number,
  margin: number,
  total: (of: Float32Array, place: Place) => number,
  decided: Float64Array,
): Compare {
  const deviations = rows.map((row) => {
    const mean = row.reduce((a, b) => a + b, 0) / row.length;
    return Math.sqrt(row.reduce((a, b) => a + (b - mean) ** 2, 0) / row.length);
  });
  return (first, second) => {
    for (let k = 0; k < rows.length; k++) {
      const difference = (total(rows[k]!, first) - total(rows[k]!, second)) / length;
      if (Math.abs(difference) <= margin * deviations[k]!) continue;
      decided[k] = decided[k]! + 1;
      return difference > 0 ? 1 : 0;
    }
    decided[rows.length] = decided[rows.length]! + 1;
    return 0.5;
  };
}
