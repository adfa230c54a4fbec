/** Checks of states that come from outside. Throw LabError('state-invalid'). */
import { fail } from '#contract/errors.ts';

export function checkCell(value: number, size: number, field: string): void {
  if (value >= size) throw fail('state-invalid', `State field "${field}" is ${value}.`, `Allowed here: 0 to ${size - 1}.`, field);
}
