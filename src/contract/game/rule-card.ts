/**
 * Goals and rules of rule grids as the numbers that configs, links and frames hold (encodings of XLand-MiniGrid 0.9.3): what stands in which place. A
 * goal has 5 numbers, a rule 7; behind the kind stand tile and colour of each thing, or a row and a column.
 */

/** Tiles by their numbers: how they look, and whether a colour belongs to their name. */
export const RULE_TILES = [
  { look: 'unseen', coloured: false },
  { look: 'floor', coloured: false },
  { look: 'wall', coloured: false },
  { look: 'ball', coloured: true },
  { look: 'square', coloured: true },
  { look: 'pyramid', coloured: true },
  { look: 'pad', coloured: true },
  { look: 'key', coloured: true },
  { look: 'door-2', coloured: true },
  { look: 'door-1', coloured: true },
  { look: 'door-0', coloured: true },
  { look: 'hex', coloured: true },
  { look: 'star', coloured: true },
] as const;
/** Colours by their numbers. */
export const RULE_COLOURS = [
  'none',
  'red',
  'green',
  'blue',
  'purple',
  'yellow',
  'grey',
  'black',
  'orange',
  'white',
  'brown',
  'pink',
] as const;
/** Written on things, by colour, so that they are told apart without seeing it. */
export const RULE_LETTERS = ['', 'R', 'G', 'B', 'P', 'Y', 'E', 'K', 'O', 'W', 'N', 'I'] as const;
/** The ground as a thing: what becomes it vanishes. */
export const GROUND: Thing = { tile: 1, colour: 7 };

export interface Thing {
  readonly tile: number;
  readonly colour: number;
}

/** What the places behind a kind hold, in their order. */
export type RulePart = 'a' | 'b' | 'c' | 'row' | 'column';

const goalParts: readonly (readonly RulePart[])[] = [
  [],
  ['a'],
  ['a'],
  ['a'],
  ['a', 'b'],
  ['a', 'row', 'column'],
  ['row', 'column'],
  ['a', 'b'],
  ['a', 'b'],
  ['a', 'b'],
  ['a', 'b'],
  ['a'],
  ['a'],
  ['a'],
  ['a'],
];
const ruleParts: readonly (readonly RulePart[])[] = [
  [],
  ['a', 'c'],
  ['a', 'c'],
  ['a', 'b', 'c'],
  ['a', 'b', 'c'],
  ['a', 'b', 'c'],
  ['a', 'b', 'c'],
  ['a', 'b', 'c'],
  ['a', 'c'],
  ['a', 'c'],
  ['a', 'c'],
  ['a', 'c'],
];
export const PARTS = { goal: goalParts, rule: ruleParts } as const;
export const NUMBERS = { goal: 5, rule: 7 } as const;
export type CardLine = keyof typeof PARTS;

/** A goal or a rule, taken apart. */
export interface Line {
  readonly kind: number;
  readonly things: { readonly [part in 'a' | 'b' | 'c']?: Thing };
  readonly row?: number;
  readonly column?: number;
}

export function readLine(what: CardLine, numbers: ArrayLike<number>): Line {
  const kind = numbers[0] ?? 0;
  const things: { [part in 'a' | 'b' | 'c']?: Thing } = {};
  const places: { row?: number; column?: number } = {};
  let at = 1;
  for (const part of PARTS[what][kind] ?? []) {
    if (part === 'row' || part === 'column') places[part] = numbers[at++] ?? 0;
    else {
      things[part] = { tile: numbers[at] ?? 0, colour: numbers[at + 1] ?? 0 };
      at += 2;
    }
  }
  return { kind, things, ...places };
}

/** The numbers of a line; what its kind needs and it lacks is the thing or place that stands in `usual`. */
export function writeLine(what: CardLine, line: Line, usual: Thing): readonly number[] {
  const out = [line.kind];
  for (const part of PARTS[what][line.kind] ?? []) {
    if (part === 'row' || part === 'column') out.push(line[part] ?? 1);
    else {
      const { tile, colour } = line.things[part] ?? usual;
      out.push(tile, colour);
    }
  }
  while (out.length < NUMBERS[what]) out.push(0);
  return out;
}
