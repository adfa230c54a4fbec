/**
 * What stands in a cell of XLand-MiniGrid 0.9.3, as one number: tile (4 bits) and colour (4 bits). Two things are the same only if both agree.
 * Tokens are the two letters of the text form of golden files.
 */
import { fail } from '#contract/kit/errors.ts';

export const FLOOR_TILE = 1;
export const WALL_TILE = 2;
export const KEY_TILE = 7;
export const LOCKED_TILE = 8;
export const CLOSED_TILE = 9;
export const OPEN_TILE = 10;
export const TILES = 13;
export const COLOURS_COUNT = 12;

export const thing = (tile: number, colour: number): number => tile | (colour << 4);
export const tileOf = (word: number): number => word & 15;
export const colourOf = (word: number): number => word >>> 4;

/** The ground. */
export const FLOOR = thing(FLOOR_TILE, 7);
export const WALL = thing(WALL_TILE, 6);

/** Sets of tiles as bits: what an agent walks on, what it takes, what hides the view. */
export const WALKABLE = (1 << FLOOR_TILE) | (1 << 6) | (1 << OPEN_TILE);
export const PICKABLE = (1 << 3) | (1 << 4) | (1 << 5) | (1 << KEY_TILE) | (1 << 11) | (1 << 12);
export const HIDING = (1 << WALL_TILE) | (1 << LOCKED_TILE) | (1 << CLOSED_TILE);

/** Six things that can be taken, in the order of the reference's generator. */
export const SHAPES = [3, 4, 5, KEY_TILE, 12, 11] as const;
/** Colours of drawn tasks: all but black. */
export const TASK_COLOURS = [1, 2, 3, 4, 5, 6, 8, 9, 10, 11] as const;

const TILE_LETTERS = '_.WBSPGKLDOHT';
const COLOUR_LETTERS = '_RGBPYE.OWNI';
const TOKEN_HELP =
  'two letters with a space between: first . floor, W wall, B ball, S square, P pyramid, G goal, K key, L locked, D closed, O open door, H hex, T star; second R, G, B, P(urple), Y, E (grey), . (black), O(range), W(hite), N (brown), I (pink); __ is nothing';

export const toToken = (word: number): string => `${TILE_LETTERS[tileOf(word)] ?? '?'}${COLOUR_LETTERS[colourOf(word)] ?? '?'}`;

/** Rows of tokens to words, row by row. Throws LabError('state-invalid') naming the row. */
export function parseCells(
  rows: readonly string[],
  field: string,
): { readonly height: number; readonly width: number; readonly words: Uint32Array } {
  const tokens = rows.map((row) => row.trim().split(/\s+/));
  const width = tokens[0]?.length ?? 0;
  const words = new Uint32Array(width * tokens.length);
  tokens.forEach((row, y) => {
    if (row.length !== width)
      throw fail('state-invalid', `Row ${y} of the layout has ${row.length} cells, the first has ${width}.`, 'Make them equal.', field);
    row.forEach((token, x) => {
      const tile = TILE_LETTERS.indexOf(token[0] ?? '?');
      const colour = COLOUR_LETTERS.indexOf(token[1] ?? '?');
      if (token.length !== 2 || tile < 0 || colour < 0)
        throw fail('state-invalid', `"${token}" in row ${y} of the layout is no cell.`, `Use ${TOKEN_HELP}.`, field);
      words[y * width + x] = thing(tile, colour);
    });
  });
  return { height: tokens.length, width, words };
}

/** Rows of tokens of `width` cells each. */
export const tokenRows = (words: ArrayLike<number>, width: number): readonly string[] =>
  Array.from({ length: words.length / width }, (_, y) =>
    Array.from({ length: width }, (__, x) => toToken(words[y * width + x]!)).join(' '),
  );
