/**
 * Greedy returns of PPO on CartPole, trained for 20,000 steps with one value of one setting and tested with each of twenty, recorded for
 * twelve seeds from 3,013 by `node tools/task-choice.mjs`. Nothing here depends on the choices that are made with it.
 */
import recorded from './recorded.json' with { type: 'json' };

export const SETTINGS = ['pole length', 'cart mass', 'pole mass'] as const;
export type Setting = (typeof SETTINGS)[number];

/** Unit of each setting's values. */
export const UNITS: Readonly<Record<Setting, string>> = { 'pole length': 'm', 'cart mass': 'kg', 'pole mass': 'kg' };

/** Values of a setting along its range. */
export const valuesOf = (setting: Setting): readonly number[] => recorded.settings[setting].values;

/** How many values each setting has. */
export const COUNT = recorded.count;

/** Seeds that were recorded of each setting. */
export const RECORDINGS = recorded.settings['pole length'].returns.length;

const [DIGITS, BASE] = [2, 36];

/** Returns of a recording as a share of the best possible, 500 steps: [trained with, tested with]. */
function matrixOf(text: string): Float64Array {
  return Float64Array.from({ length: text.length / DIGITS }, (_, i) => parseInt(text.slice(DIGITS * i, DIGITS * (i + 1)), BASE) / 1000);
}

const known = new Map<Setting, readonly Float64Array[]>();

/** All recordings of a setting. What is returned is shared and must not be changed. */
export function recordingsOf(setting: Setting): readonly Float64Array[] {
  const found = known.get(setting) ?? recorded.settings[setting].returns.map(matrixOf);
  known.set(setting, found);
  return found;
}
