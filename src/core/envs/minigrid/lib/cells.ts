/**
 * What stands in a cell of a MiniGrid world, as one 32-bit word: object (4 bits), colour (3), door state (2), what a box contains
 * (object 4, colour 3), and from bit 16 where the object stood at the start (cell + 1; 0: nowhere), which is its identity.
 * Codes are those of Minigrid 3.1.0; tokens are the two letters of its text form.
 */

import type { GridLook } from '#contract/game/frames.ts';
import { fail } from '#contract/kit/errors.ts';

export const UNSEEN = 0;
export const EMPTY = 1;
export const WALL = 2;
export const FLOOR = 3;
export const DOOR = 4;
export const KEY = 5;
export const BALL = 6;
export const BOX = 7;
export const GOAL = 8;
export const LAVA = 9;

export const LOOKS: readonly GridLook[] = ['unseen', 'empty', 'wall', 'floor', 'door', 'key', 'ball', 'box', 'goal', 'lava', 'agent'];
export const COLOURS = ['red', 'green', 'blue', 'purple', 'yellow', 'grey'] as const;
export const RED = 0;
export const GREEN = 1;
export const BLUE = 2;
export const YELLOW = 4;
export const GREY = 5;

export const OPEN = 0;
export const CLOSED = 1;
export const LOCKED = 2;

export const objectOf = (word: number): number => word & 15;
export const colourOf = (word: number): number => (word >>> 4) & 7;
export const stateOf = (word: number): number => (word >>> 7) & 3;
export const contentOf = (word: number): number => (word >>> 9) & 127;
export const originOf = (word: number): number => word >>> 16;

/** Object, colour and door state together: all that is seen of a cell. */
export const seenOf = (word: number): number => word & 511;

export function cell(object: number, colour = 0, state = 0, content = 0): number {
  return object | (colour << 4) | (state << 7) | (content << 9);
}

/** The same thing with its identity: it first stood in this cell. */
export function withOrigin(word: number, at: number): number {
  return ((word & 0xffff) | ((at + 1) << 16)) >>> 0;
}

export const EMPTY_CELL = cell(EMPTY);
export const WALL_CELL = cell(WALL, GREY);
export const GOAL_CELL = cell(GOAL, GREEN);
export const LAVA_CELL = cell(LAVA, RED);

/** Things with an identity. */
export const hasOrigin = (object: number): boolean => object >= DOOR && object <= BOX;

/** Empty, floor, goal, lava, open door: where an agent can be. */
export function canOverlap(word: number): boolean {
  const object = word & 15;
  return object === EMPTY || object === FLOOR || object === GOAL || object === LAVA || (object === DOOR && stateOf(word) === OPEN);
}

const LETTERS: { readonly [letter: string]: readonly [object: number, state: number] } = {
  W: [WALL, 0],
  F: [FLOOR, 0],
  K: [KEY, 0],
  A: [BALL, 0],
  B: [BOX, 0],
  G: [GOAL, 0],
  V: [LAVA, 0],
  D: [DOOR, CLOSED],
  L: [DOOR, LOCKED],
  O: [DOOR, OPEN],
};
const COLOUR_LETTERS = 'RGBPYE';

export const TOKEN_HELP =
  'tokens of two letters with a space between: first W wall, F floor, K key, A ball, B box, G goal, V lava, D closed, L locked, O open door; second the colour R, G, B, P(urple), Y, E (grey); .. is empty';

/** undefined: not a token. */
export function parseToken(token: string): number | undefined {
  if (token === '..') return EMPTY_CELL;
  const kind = LETTERS[token[0] as string];
  const colour = COLOUR_LETTERS.indexOf(token[1] ?? '?');
  if (token.length !== 2 || kind === undefined || colour < 0) return undefined;
  return cell(kind[0], colour, kind[1]);
}

export function toToken(word: number): string {
  const object = objectOf(word);
  if (object === EMPTY || object === UNSEEN) return '..';
  const state = object === DOOR ? stateOf(word) : 0;
  const letter = Object.keys(LETTERS).find((l) => {
    const [o, s] = LETTERS[l] as readonly [number, number];
    return o === object && s === state;
  });
  return `${letter}${COLOUR_LETTERS[colourOf(word)]}`;
}

/** Rows of tokens to words, identities included. Throws LabError(`kind`) naming the row. */
export function parseLayout(
  layout: readonly string[],
  kind: 'config-invalid' | 'state-invalid',
  field: string,
): { width: number; height: number; words: Uint32Array } {
  const rows = layout.map((row) => row.trim().split(/\s+/));
  const width = rows[0]?.length ?? 0;
  const words = new Uint32Array(width * rows.length);
  rows.forEach((row, y) => {
    if (row.length !== width)
      throw fail(kind, `Row ${y} of the layout has ${row.length} cells, the first has ${width}.`, 'Make them equal.', field);
    row.forEach((token, x) => {
      const word = parseToken(token);
      if (word === undefined) throw fail(kind, `"${token}" in row ${y} of the layout is no cell.`, `Use ${TOKEN_HELP}.`, field);
      const at = y * width + x;
      words[at] = hasOrigin(objectOf(word)) ? withOrigin(word, at) : word;
    });
  });
  return { width, height: rows.length, words };
}

export function colourCode(name: unknown): number {
  return COLOURS.indexOf(name as (typeof COLOURS)[number]);
}

export function objectCode(name: unknown): number {
  return typeof name === 'string' ? LOOKS.indexOf(name as GridLook) : -1;
}
