/** Writes JSON with its repeated parts and keys once: the opposite of src/contract/kit/packed.ts. */
import type { Json } from '../src/contract/kit/json.ts';
import type { Packed } from '../src/contract/kit/packed.ts';

/** Shorter parts cost as much as a reference to them. */
const LEAST = 16;
const childrenOf = (value: Json): readonly Json[] => (typeof value === 'object' && value !== null ? Object.values(value) : []);

export function pack(value: Json): Packed {
  const texts = new Map<string, number>();
  const count = (node: Json): void => {
    const text = JSON.stringify(node);
    const before = texts.get(text) ?? 0;
    if (text.length >= LEAST) texts.set(text, before + 1);
    if (before === 0) for (const child of childrenOf(node)) count(child); // what is in a repeated part is counted with its first copy
  };
  count(value);
  const keys: (readonly string[])[] = [];
  const kinds = new Map<string, number>();
  const kindOf = (node: object): number => {
    const names = Object.keys(node);
    const text = JSON.stringify(names);
    const kind = kinds.get(text) ?? keys.push(names);
    kinds.set(text, kind);
    return kind;
  };
  const members = (node: Json): Json => {
    if (typeof node !== 'object' || node === null) return node;
    return [Array.isArray(node) ? 0 : kindOf(node), ...childrenOf(node).map(written)];
  };
  const parts: Json[] = [];
  const places = new Map<string, number>();
  function written(node: Json): Json {
    const text = JSON.stringify(node);
    if ((texts.get(text) ?? 0) < 2) return members(node);
    let place = places.get(text);
    if (place === undefined) {
      place = parts.push(members(node));
      places.set(text, place);
    }
    return [-place];
  }
  return { keys, parts, value: written(value) };
}
