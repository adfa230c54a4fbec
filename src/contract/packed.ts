/** JSON whose repeated parts are written once: the catalogue repeats its settings and families a hundred times. */
import type { Json } from './json.ts';

/** `parts`: what occurs more than once, in an order in which each refers only to earlier ones. Both may hold references. */
export interface Packed {
  readonly parts: readonly Json[];
  readonly value: Json;
}

/** The key of a reference: `{ "$": 3 }` stands for the fourth part. */
const REFERENCE = '$';
/** Shorter parts cost as much as a reference to them. */
const LEAST = 24;

type Node = readonly Json[] | { readonly [key: string]: Json };
const isNode = (value: Json): value is Node => typeof value === 'object' && value !== null;
const childrenOf = (value: Json): readonly Json[] => (isNode(value) ? Object.values(value) : []);

function mapped(value: Json, change: (child: Json) => Json): Json {
  if (Array.isArray(value)) return value.map(change);
  if (isNode(value)) return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, change(child)]));
  return value;
}

/** Throws a RangeError where an object has a key `$`, which could not be told from a reference. */
export function pack(value: Json): Packed {
  const texts = new Map<string, number>();
  const count = (node: Json): void => {
    if (isNode(node) && REFERENCE in node) throw new RangeError(`a key ${REFERENCE} cannot be packed`);
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

/** The packed value. Repeated parts are the same object: read them, never change them. */
export function unpack({ parts, value }: Packed): Json {
  const whole: Json[] = [];
  const read = (node: Json): Json => {
    if (isNode(node) && !Array.isArray(node) && REFERENCE in node)
      return whole[Number((node as { [key: string]: Json })[REFERENCE])] ?? null;
    return mapped(node, read);
  };
  for (const part of parts) whole.push(read(part));
  return read(value);
}
