/** Writes JSON with its repeated parts once: the opposite of src/contract/packed.ts. */
import type { Json } from '../src/contract/json.ts';
import { mapped, type Packed, REFERENCE } from '../src/contract/packed.ts';

/** Shorter parts cost as much as a reference to them. */
const LEAST = 24;
const childrenOf = (value: Json): readonly Json[] => (typeof value === 'object' && value !== null ? Object.values(value) : []);

/** Throws a RangeError where an object has a key `$`, which could not be told from a reference. */
export function pack(value: Json): Packed {
  const texts = new Map<string, number>();
  const count = (node: Json): void => {
    if (typeof node === 'object' && node !== null && REFERENCE in node) throw new RangeError(`a key ${REFERENCE} cannot be packed`);
    const text = JSON.stringify(node);
    const before = texts.get(text) ?? 0;
    if (text.length >= LEAST) texts.set(text, before + 1);
    if (before === 0) for (const child of childrenOf(node)) count(child); // what is in a repeated part is counted with its first copy
  };
  count(value);
  const parts: Json[] = [];
  const places = new Map<string, number>();
  const written = (node: Json): Json => {
    const text = JSON.stringify(node);
    if ((texts.get(text) ?? 0) < 2) return mapped(node, written);
    let place = places.get(text);
    if (place === undefined) {
      const part = mapped(node, written);
      place = parts.push(part) - 1;
      places.set(text, place);
    }
    return { [REFERENCE]: place };
  };
  return { parts, value: mapped(value, written) };
}
