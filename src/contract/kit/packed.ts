/** JSON whose repeated parts and keys are written once: the catalogue repeats its settings and families a hundred times. */
import type { Json } from './json.ts';

/**
 * In `parts` and `value` every list begins with a number: 0 before the items of a list, n before the values of an object whose keys are
 * `keys[n - 1]`, -n alone in place of `parts[n - 1]`.
 */
export interface Packed {
  readonly keys: readonly (readonly string[])[];
  /** What occurs more than once, in an order in which each refers only to earlier ones. */
  readonly parts: readonly Json[];
  readonly value: Json;
}

/** The packed value. Repeated parts are the same object: read them, never change them. */
export function unpack({ keys, parts, value }: Packed): Json {
  const whole: Json[] = [];
  const read = (node: Json): Json => {
    if (!Array.isArray(node)) return node;
    const [kind, ...items] = node as [number, ...Json[]];
    if (kind < 0) return whole[-kind - 1]!;
    if (kind === 0) return items.map(read);
    return Object.fromEntries(keys[kind - 1]!.map((key, i) => [key, read(items[i]!)]));
  };
  for (const part of parts) whole.push(read(part));
  return read(value);
}
