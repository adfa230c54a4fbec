/** Where the cells of a maze lie, in metres. Nothing here allocates. Sources: see maps.ts. */
import type { Maze } from './maps.ts';

/** x = left + unit column, y = top + unit row; `unit` of y is negative where y points up the page. */
export interface Places {
  readonly rows: number;
  readonly columns: number;
  /** Side of a cell, m. */
  readonly side: number;
  /** Middle of cell 0, m. */
  readonly left: number;
  readonly top: number;
  /** y of the next row less y of this one, m: side or -side. */
  readonly down: number;
  /** How a row and a column follow from a place: rounded down, or towards zero. */
  readonly cut: 'floor' | 'trunc';
}

/** Gymnasium-Robotics: the middle of the maze is the origin and y grows upwards on the map. `side`: 1 m for the point, 4 m for the ant. */
export function gymnasiumPlaces({ rows, columns }: Pick<Maze, 'rows' | 'columns'>, side: number): Places {
  const left = 0.5 * side - 0.5 * columns * side;
  const top = 0.5 * rows * side - 0.5 * side;
  return { rows, columns, side, left, top, down: -side, cut: 'floor' };
}

const OGBENCH_SIDE = 4; // m

/** OGBench: cell (1, 1) is the origin and y grows with the row. */
export function ogbenchPlaces({ rows, columns }: Pick<Maze, 'rows' | 'columns'>): Places {
  return { rows, columns, side: OGBENCH_SIDE, left: -OGBENCH_SIDE, top: -OGBENCH_SIDE, down: OGBENCH_SIDE, cut: 'trunc' };
}

/** x of the middle of a cell, m. */
export const xOfCell = ({ columns, left, side }: Places, cell: number): number => left + (cell % columns) * side;
/** y of the middle of a cell, m. */
export const yOfCell = ({ columns, top, down }: Places, cell: number): number => top + Math.floor(cell / columns) * down;

/** The column of a place, which may lie outside of the map. */
export function columnAt({ left, side, cut }: Places, x: number): number {
  const column = (x - left + 0.5 * side) / side;
  return cut === 'floor' ? Math.floor(column) : Math.trunc(column);
}

/** The row of a place, which may lie outside of the map. */
export function rowAt({ top, side, down, cut }: Places, y: number): number {
  const row = ((down < 0 ? top - y : y - top) + 0.5 * side) / side;
  return cut === 'floor' ? Math.floor(row) : Math.trunc(row);
}

/** The cell of a place, m; a place outside of the map counts to the nearest cell of its border. */
export function cellAt(places: Places, x: number, y: number): number {
  const row = Math.min(places.rows - 1, Math.max(0, rowAt(places, y)));
  const column = Math.min(places.columns - 1, Math.max(0, columnAt(places, x)));
  return row * places.columns + column;
}
