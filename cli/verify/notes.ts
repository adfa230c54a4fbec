/** What is said of a stored thing beside its runs, and comparing what was stored with what is computed. */
import { isObject, type Json, plainJson } from '#contract/kit/json.ts';

/** Sentences. */
export interface Notes {
  /** What is not as the results give it. */
  readonly wrong: string[];
  /** What cannot be told here, or is not there: not verified. */
  readonly open: string[];
  /** What is no number of a run and is not computed again. */
  readonly aside: string[];
}

export const noNotes = (): Notes => ({ wrong: [], open: [], aside: [] });

export const joinNotes = (list: readonly Notes[]): Notes => ({
  wrong: list.flatMap(({ wrong }) => wrong),
  open: list.flatMap(({ open }) => open),
  aside: [...new Set(list.flatMap(({ aside }) => aside))],
});

/** Values of JSON by their paths; an empty list or object is a value. Members that are named in `without` are left out. */
function leaves(value: Json | undefined, without: readonly string[], path = '', out = new Map<string, string>()): Map<string, string> {
  const inner = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  for (const [name, member] of inner)
    if (!without.includes(String(name))) leaves(member as Json, without, path === '' ? String(name) : `${path}.${name}`, out);
  if (inner.length === 0 && value !== undefined) out.set(path, JSON.stringify(value));
  return out;
}

/** Differences that are named; the others are counted. */
const NAMED = 5;
const LONGEST = 120;
const short = (text: string): string => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}..`);

/** The first texts of a list with commas; the others are counted. */
export const firstOf = (texts: readonly (string | number)[]): string =>
  `${texts.slice(0, NAMED).join(', ')}${texts.length > NAMED ? ` and ${texts.length - NAMED} more` : ''}`;

export interface Compared {
  /** Members that cannot be computed. */
  readonly without?: readonly string[];
  /** Members that files of earlier versions lack. */
  readonly newer?: readonly string[];
}

/** How JSON that was stored is not as it is computed, in words; "" where all of it is. `by`: what it is computed from. */
export function unlike(stored: unknown, computed: unknown, by: string, { without = [], newer = [] }: Compared = {}): string {
  const [a, b] = [leaves(plainJson(stored), without), leaves(plainJson(computed), without)];
  const found = [...new Set([...a.keys(), ...b.keys()])].flatMap((path) => {
    const [mine, other] = [a.get(path), b.get(path)];
    if (mine === other || (mine === undefined && path.split('.').some((name) => newer.includes(name)))) return [];
    return [`${path} ${short(mine ?? 'nothing')} stored, ${short(other ?? 'nothing')} by ${by}`];
  });
  return [...found.slice(0, NAMED), ...(found.length > NAMED ? [`and ${found.length - NAMED} more`] : [])].join('; ');
}

/** The first line of a text that is not as it is computed, in words; "" where all are. */
export function unlikeLines(stored: string, computed: string, by: string): string {
  const [a, b] = [stored.split('\n'), computed.split('\n')];
  const at = Array.from({ length: Math.max(a.length, b.length) }, (_, i) => i).find((i) => a[i] !== b[i]);
  if (at === undefined) return '';
  if (b[at] === undefined) return `line ${at + 1} is one too many`;
  return `line ${at + 1} is "${short(a[at] ?? '')}", and "${short(b[at])}" by ${by}`;
}
