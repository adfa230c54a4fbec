/**
 * Messages between a frame with the workbench and the page around it (window.postMessage); described in docs/embedding.md. What comes in
 * is one of four words and changes nothing but whether training goes on; everything else is not answered.
 */

export const PROTOCOL = 1;
const NAME = 'rl-workbench';

const COMMANDS = ['start', 'pause', 'resume', 'stop'] as const;
export type Command = (typeof COMMANDS)[number];

export type News =
  /** The poster is shown; after `start` or a press the workbench is loaded and trains. */
  | { readonly type: 'ready'; readonly title: string }
  /** At most four times a second. Steps are summed over seeds; `returns`: the newest return of every seed, null before the first. */
  | {
      readonly type: 'progress';
      readonly state: string;
      readonly step: number;
      readonly total: number;
      readonly returns: readonly (number | null)[];
    }
  /** All seeds are done. */
  | { readonly type: 'result'; readonly config: string; readonly seeds: readonly SeedNews[] }
  | { readonly type: 'failure'; readonly message: string };

export interface SeedNews {
  readonly seed: number;
  readonly steps: number;
  readonly evalReturn: number | null;
  readonly finalReturn: number | null;
  readonly parameterHash: string;
}

/** `{ to: 'rl-workbench', version: 1, type: COMMAND }`; null: anything else. */
export function readCommand(data: unknown): Command | null {
  if (typeof data !== 'object' || data === null) return null;
  const { to, version, type }: { to?: unknown; version?: unknown; type?: unknown } = data;
  if (to !== NAME || version !== PROTOCOL) return null;
  return COMMANDS.find((known) => known === type) ?? null;
}

export const message = (news: News) => ({ from: NAME, version: PROTOCOL, ...news });

/** The origin that messages go to and may come from: `origin` of the address, any where it has none; null: that is no origin. */
export function originOf(asked: string | undefined): string | null {
  if (asked === undefined) return '*';
  try {
    const { origin, protocol } = new URL(asked);
    return origin === asked && (protocol === 'https:' || protocol === 'http:') ? origin : null;
  } catch {
    return null;
  }
}

/** The text to paste into a page. `address`: of the experiment, with its link. */
export function embedCode(address: string, title: string): string {
  const at = address.indexOf('#');
  return frameCode(`${address.slice(0, at)}#/embed/${address.slice(at + 1)}?${new URLSearchParams({ title })}`, title, 520);
}

/** The same of a card: `of` names what the frame shows and how it is found. A card in its own address is its title's only place. */
export function cardEmbedCode(base: string, of: 'card' | 'paper', query: { readonly [name: string]: string }, title: string): string {
  return frameCode(`${base}#/embed/${of}?${new URLSearchParams(query)}`, title, 640);
}

/** `height`: pixels. */
const frameCode = (source: string, title: string, height: number): string =>
  `<iframe src="${escaped(source)}" title="${escaped(title)}" width="100%" height="${height}" loading="lazy" sandbox="allow-scripts allow-popups"></iframe>`;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' };
const escaped = (text: string): string => text.replace(/[&"<>]/g, (char) => ENTITIES[char] ?? char);
