/** What the text of a person's code says without being run, and the names that it may use. */

/** Names that mean nothing in a world's code, whatever they mean outside. */
const ABSENT = [
  'Date',
  'performance',
  'crypto',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'requestAnimationFrame',
  'fetch',
  'XMLHttpRequest',
  'WebSocket',
  'EventSource',
  'Worker',
  'importScripts',
  'postMessage',
  'indexedDB',
  'caches',
  'navigator',
  'location',
  'document',
  'window',
  'self',
  'globalThis',
  'global',
  'process',
  'require',
  'module',
  'exports',
  'Intl',
  'Atomics',
  'SharedArrayBuffer',
] as const;

/** What a person's code calls once, and what it defines by that. */
export const DEFINERS = { defineEnv: 'world', defineReward: 'reward', definePlayer: 'player', defineMethod: 'method' } as const;

/** Names of the parameters of the function that a person's code becomes: core/own/scope.ts gives their values. */
export const OWN_SCOPE: readonly string[] = [...Object.keys(DEFINERS), 'Math', ...ABSENT];

export type OwnKind = (typeof DEFINERS)[keyof typeof DEFINERS];

/** What the code says it defines, read from its text and no more; the sandbox finds out whether that is so. */
export function kindIn(code: string): OwnKind {
  const found = /\bdefine(Env|Reward|Player|Method)\s*\(/.exec(code.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''));
  return DEFINERS[`define${found?.[1] ?? 'Env'}` as keyof typeof DEFINERS];
}

/** The title that the code writes, read from its text as well; null: none can be read. */
export const titleIn = (code: string): string | null => /\btitle:\s*(['"])((?:(?!\1|\\|\n).){1,100})\1/.exec(code)?.[2] ?? null;

/** Where the code names its environment, as places in the text; null: it names none. */
export function baseIn(code: string): { readonly from: number; readonly to: number; readonly id: string } | null {
  const found = /\benv:\s*(['"])([a-z0-9-]{1,60})\1/.exec(code);
  if (found === null) return null;
  const from = found.index + found[0].length - 1 - (found[2] ?? '').length;
  return { from, to: from + (found[2] ?? '').length, id: found[2] ?? '' };
}

/** The line, 1 for the first, where a member of the definition begins; null: it is not there. */
export function memberLine(code: string, member: string | undefined): number | null {
  if (member === undefined || !/^\w{1,60}$/.test(member)) return null;
  const found = code.search(new RegExp(`^[ \\t]*${member}\\s*[(:]`, 'm'));
  return found < 0 ? null : code.slice(0, found).split('\n').length;
}
