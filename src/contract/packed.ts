/** JSON whose repeated parts are written once: the catalogue repeats its settings and families a hundred times. */
import type { Json } from './json.ts';

/** `parts`: what occurs more than once, in an order in which each refers only to earlier ones. Both may hold references. */
export interface Packed {
  readonly parts: readonly Json[];
  readonly value: Json;
}

/** The key of a reference: `{ "$": 3 }` stands for the fourth part. */
export const REFERENCE = '$';

type Node = readonly Json[] | { readonly [key: string]: Json };
const isNode = (value: Json): value is Node => typeof value === 'object' && value !== null;

/** A value with each of its members changed. */
export function mapped(value: Json, change: (child: Json) => Json): Json {
  if (Array.isArray(value)) return value.map(change);
  if (isNode(value)) return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, change(child)]));
  return value;
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
