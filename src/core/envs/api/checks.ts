/** Checks of states that come from outside. Throw LabError('state-invalid'). */
import { fail } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';

/** The number that stands under `field` in a state, or in the inputs of a golden case. */
export function numberOf(json: JsonObject, field: string): number {
  const value = json[field];
  if (typeof value === 'number') return value;
  throw fail('state-invalid', `"${field}" is ${JSON.stringify(value ?? null)}.`, 'Give a number.', field);
}

/** Of `count` bodies, `width` numbers each from `at`: a unit quaternion must stand at `from` in each. */
export function checkQuaternions(s: Float64Array, at: number, count: number, width: number, from: number): void {
  for (let k = 0; k < count; k++) {
    const q = at + k * width + from;
    const square = s[q]! ** 2 + s[q + 1]! ** 2 + s[q + 2]! ** 2 + s[q + 3]! ** 2;
    if (!(Math.abs(square - 1) < 1e-6))
      throw fail(
        'state-invalid',
        `The quaternion of drone ${k + 1} has length ${Math.sqrt(square)}.`,
        'Give unit quaternions x, y, z, w.',
        'drones',
      );
  }
}

export function checkCell(value: number, size: number, field: string): void {
  if (value >= size) throw fail('state-invalid', `State field "${field}" is ${value}.`, `Allowed here: 0 to ${size - 1}.`, field);
}
