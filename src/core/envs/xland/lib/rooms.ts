/**
 * Rooms of XLand-MiniGrid 0.9.3 (envs/xland.py, core/grid.py): an outer grey wall, inner walls and closed doors, whose place along their wall and
 * colour are drawn. Sizes of the reference are square; on others doors stay on their walls.
 */
import { badConfig } from '../../api/parse.ts';
import { CLOSED_TILE, FLOOR, FLOOR_TILE, thing, tileOf, WALL } from './tiles.ts';

export const GRID_TYPES = ['R1', 'R2', 'R4', 'R6', 'R9'] as const;
export type GridType = (typeof GRID_TYPES)[number];

const LEAST: { readonly [type in GridType]: number } = { R1: 5, R2: 5, R4: 6, R6: 9, R9: 9 };
const DOOR_COLOURS = 6;
const half = (n: number): number => n >> 1;
const third = (n: number): number => Math.floor(n / 3);

/** Throws LabError('config-invalid'). */
export function checkRooms(type: GridType, height: number, width: number): void {
  const least = LEAST[type];
  if (height < least) throw badConfig('height', `Rooms ${type} need ${least} rows.`, `Give at least ${least}, or choose R1.`);
  if (width < least) throw badConfig('width', `Rooms ${type} need ${least} columns.`, `Give at least ${least}, or choose R1.`);
}

/**
 * Writes the map to words[base..]. `offset(n)`: where along its wall the next door stands, 1 to n. `colour()`: of the next door, 1 to 6.
 */
export function buildRooms(
  type: GridType,
  height: number,
  width: number,
  words: Uint32Array,
  base: number,
  offset: (n: number) => number,
  colour: () => number,
): void {
  words.fill(FLOOR, base, base + height * width);
  const across = (row: number, from: number, to: number): void => {
    for (let x = from; x < to; x++) words[base + row * width + x] = WALL;
  };
  const down = (column: number): void => {
    for (let y = 0; y < height; y++) words[base + y * width + column] = WALL;
  };
  const door = (row: number, column: number): void => {
    words[base + row * width + column] = thing(CLOSED_TILE, colour());
  };
  across(0, 0, width);
  across(height - 1, 0, width);
  down(0);
  down(width - 1);
  const [h2, w2] = [half(height), half(width)];
  if (type === 'R2') {
    down(w2);
    door(offset(height - 2), w2);
  } else if (type === 'R4') {
    down(w2);
    across(h2, 0, width);
    const reach = Math.min(h2, w2, height - 1 - h2, width - 1 - w2) - 1;
    door(h2, offset(reach));
    door(h2, w2 + offset(reach));
    door(offset(reach), w2);
    door(h2 + offset(reach), w2);
  } else if (type === 'R6') {
    const h3 = third(height);
    for (const column of [w2 - 2, w2 + 2]) down(column);
    for (const row of [h3, 2 * h3]) {
      across(row, 0, w2 - 2);
      across(row, w2 + 2, width);
    }
    for (const column of [w2 - 2, w2 + 2]) for (const row of [h2 - h3, h2, h2 + h3]) door(row, column);
  } else if (type === 'R9') {
    const [h3, w3] = [third(height), third(width)];
    for (const column of [w3, 2 * w3]) down(column);
    for (const row of [h3, 2 * h3]) across(row, 0, width);
    const most = Math.min(h3 - 1, w3 - 1, height - 2 - 2 * h3, width - 2 - 2 * w3);
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++) {
        if (i < 2) door(j * h3 + offset(most), (i + 1) * w3);
        if (j < 2) door((j + 1) * h3, i * w3 + offset(most));
      }
  }
}

export const drawnColour = (int: (n: number) => number): number => 1 + int(DOOR_COLOURS);

/** Cells of a map where things may be put at the start. */
export function floorCells(type: GridType, height: number, width: number): number {
  const words = new Uint32Array(height * width);
  buildRooms(
    type,
    height,
    width,
    words,
    0,
    () => 1,
    () => 1,
  );
  return words.reduce((sum, word) => sum + (tileOf(word) === FLOOR_TILE ? 1 : 0), 0);
}
