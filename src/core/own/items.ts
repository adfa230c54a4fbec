/** What pictures on boards and in planes have in common: the items that `draw` gives, checked. Throws LabError('world-invalid'). */
import type { FrameLayout } from '#contract/game/frames.ts';
import { isNumber, isObject, show, wrong } from './form.ts';

export type Item = { readonly [key: string]: unknown };

export interface Drawing {
  readonly layout: FrameLayout;
  /** Writes a picture as a frame [F]; answers how many items found no place. */
  write(items: readonly Item[], out: Float32Array): number;
  /** For each member that says what an item is, those that it may have beside it. */
  readonly members: Members;
}

export interface Members {
  readonly [kind: string]: readonly string[];
}

/** The first member that nothing reads, in words: 'A thing with "bar" has no "height", but size, value, colour'. Null: every one is read. */
export function unreadMember(members: Members, items: readonly Item[]): string | null {
  for (const item of items) {
    const kind = Object.keys(members).find((key) => key in item);
    const known = kind === undefined ? [] : members[kind]!;
    const other = Object.keys(item).find((key) => key !== kind && !known.includes(key));
    if (kind !== undefined && other !== undefined) return `A thing with "${kind}" has no "${other.slice(0, 40)}", but ${known.join(', ')}`;
  }
  return null;
}

/** Checks what draw gave. */
export function readItems(given: unknown): readonly Item[] {
  if (!Array.isArray(given)) throw wrong('draw', `draw gives ${show(given)}.`, 'Return a list: return [{ disc: [state.x, 0] }];');
  if (given.length > 4000) throw wrong('draw', `draw gives ${given.length} things.`, 'At most 4000 are possible.');
  return given.map((item: unknown, i) => {
    if (!isObject(item)) throw wrong('draw', `Item ${i + 1} of draw is ${show(item)}.`, "Write objects: { disc: [x, y], colour: 'blue' }.");
    return item;
  });
}

/** `what`: the place in words; `field`: the member of the form it belongs to. */
export function pair(value: unknown, what: string, field = 'draw'): readonly [number, number] {
  if (Array.isArray(value) && value.length === 2 && isNumber(value[0]) && isNumber(value[1])) return [value[0], value[1]];
  throw wrong(
    field,
    `"${what}" is ${show(value)}${Array.isArray(value) ? `: ${value.slice(0, 4).map(show).join(', ')}` : ''}.`,
    'Give two finite numbers: [x, y].',
  );
}

export function numberOr(item: Item, key: string, otherwise: number): number {
  const value = item[key];
  if (value === undefined) return otherwise;
  if (isNumber(value)) return value;
  throw wrong('draw', `"${key}" of something drawn is ${show(value)}.`, 'Give a finite number.');
}

/** Room for what the samples show, and half as much again. */
export const room = (most: number): number => (most === 0 ? 0 : most + Math.ceil(most / 2));
