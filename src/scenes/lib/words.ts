/** Descriptions of frames, the numbers in them, and words beside things. Names of numbers may end with their unit in brackets: "distance (m)". */

/**
 * A text in the reader's language, by its English wording with placeholders in braces; also the name of a thing. What describes a frame is
 * given one, which is called `t` there: the texts of the page are collected by that name.
 */
export type Say = (english: string, values?: { readonly [name: string]: string | number }) => string;

/** English. */
export const plain: Say = (english, values = {}) => english.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));

/** "adversary 1": the number is no part of what is looked up. */
export function numbered(t: Say, name: string): string {
  const [, bare = name, number = ''] = /^(.+?)( \d+)$/.exec(name) ?? [];
  return `${/^\d*$/.test(bare) ? bare : t(bare)}${number}`;
}

/** "m" of "distance (m)"; '' where a name tells none. */
export function unitOf(name: string): string {
  return /\(([^)]*)\)$/.exec(name)?.[1] ?? '';
}

/** "distance" of "distance (m)". */
export function bareName(name: string): string {
  return name.replace(/ \([^)]*\)$/, '');
}

/** A number with its unit, as read: "0.31 m". */
export function withUnit(name: string, text: string): string {
  const unit = unitOf(name);
  return unit === '' ? text : `${text} ${unit}`;
}

/** Named numbers: "order 0.75, mean speed 1.2."; '' where there are none. */
export function numbers(names: readonly string[], frame: Float32Array, from: number, t: Say): string {
  const each = names.map((name, i) => `${t(bareName(name))} ${withUnit(name, figure(frame[from + i]!))}`);
  return names.length === 0 ? '' : `${each.join(', ')}.`;
}

/** At most two digits behind the point. */
export function figure(value: number): string {
  return String(Number(value.toFixed(2)));
}

export function metres(value: number): string {
  return `${value.toFixed(2)} m`;
}

/** "an onion", "a key". */
export function article(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** "boid" -> "boids", "fish" stays; for names that a layout gives to one of a group. */
export function plural(noun: string): string {
  if (/(s|fish|prey|sheep)$/.test(noun)) return noun;
  return /(ch|sh|x)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

/** A height: "0.13 m up", "0.13 m down", or "0.13 m below the floor" where there is one at 0. */
export function height(value: number, floor: boolean, t: Say): string {
  if (value >= -0.005) return t('{length} up', { length: metres(Math.max(0, value)) });
  const length = metres(-value);
  return floor ? t('{length} below the floor', { length }) : t('{length} down', { length });
}
