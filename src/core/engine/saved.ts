/**
 * What save() of every executor writes and load() reads, so that a checkpoint made on one opens on another: parameters under
 * `group/param`, optimiser slots under `group/param#slot`, steps taken per group in meta. And the hash of all parameters.
 */

import { fail } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { Saved } from '#contract/run/events.ts';
import { Fnv64 } from '#math/hash.ts';

export const paramKey = (group: string, param: string): string => `${group}/${param}`;
export const slotKey = (group: string, param: string, slot: string): string => `${group}/${param}#${slot}`;

const broken = (what: string) =>
  fail('file-invalid', `These weights do not fit this network: ${what}.`, 'Load them with the config they were saved with.');

/** The array of that name, which must be Float32Array of `size` numbers. */
export function savedArray(saved: Saved, key: string, size: number): Float32Array {
  const data = saved.arrays[key];
  if (!(data instanceof Float32Array)) throw broken(`"${key}" is missing`);
  if (data.length !== size) throw broken(`"${key}" holds ${data.length} numbers, not ${size}`);
  return data;
}

/** Throws unless the parameters in the file are exactly the expected ones. */
export function checkSavedNames(saved: Saved, expected: ReadonlySet<string>): void {
  for (const key of Object.keys(saved.arrays))
    if (!key.includes('#') && !expected.has(key)) throw broken(`"${key}" is in the file but not in the network`);
}

/** Optimiser steps taken, by group. */
export function savedSteps(saved: Saved, group: string): number {
  const steps = (saved.meta.steps ?? {}) as JsonObject;
  const n = steps[group];
  return typeof n === 'number' ? n : 0;
}

/** Hash of parameters in the order of their keys `group/param`. */
export function hashParameters(params: ReadonlyMap<string, Float32Array>): string {
  const hash = new Fnv64();
  for (const [, values] of [...params].sort(([a], [b]) => (a < b ? -1 : 1))) hash.add(values);
  return hash.digest();
}
