/**
 * Mazes of square cells: the published maps, maps of one's own, and what follows from a map alone. Cells are numbered row by row,
 * cell = row * columns + column. Sources: Gymnasium-Robotics 1.4.2 `envs/maze/maps.py`; OGBench 1.2.1 `ogbench/locomaze/maze.py`.
 */
import { badConfig } from '../../api/parse.ts';

/** Rows of `#` wall, `.` free, `r` start, `g` goal, `c` start or goal. */
export type MazeRows = readonly string[];

const split = (text: string): MazeRows => text.split('/');

const MEDIUM = split('########/#..##..#/#..#...#/##...###/#..#...#/#.#..#.#/#...#..#/########');
const LARGE = split('############/#....#.....#/#.##.#.#.#.#/#......#...#/#.####.###.#/#..#.#.....#/##.#.#.#.###/#..#...#...#/############');

/** `rows` with these letters at (row, column). */
function marked(rows: MazeRows, letters: readonly (readonly [row: number, column: number, letter: string])[]): MazeRows {
  const cells = rows.map((row) => [...row]);
  for (const [i, j, letter] of letters) cells[i]![j] = letter;
  return cells.map((row) => row.join(''));
}

const at = (letter: string, places: readonly (readonly [number, number])[]) => places.map(([i, j]) => [i, j, letter] as const);

const MEDIUM_GOALS = [
  [2, 6],
  [5, 1],
  [6, 5],
] as const;
const LARGE_GOALS = [
  [1, 6],
  [3, 5],
  [3, 10],
  [5, 2],
  [7, 4],
  [7, 6],
  [7, 9],
] as const;

/** Maps of PointMaze and AntMaze, by the names of the setting `map`. */
export const GYMNASIUM_MAPS = {
  u: split('#####/#...#/###.#/#...#/#####'),
  open: split('#######/#.....#/#.....#/#.....#/#######'),
  'open-g': split('#######/#rgggg#/#ggggg#/#ggggg#/#######'),
  'open-gr': split('#######/#ccccc#/#ccccc#/#ccccc#/#######'),
  medium: MEDIUM,
  'medium-g': marked(MEDIUM, [[1, 1, 'r'], ...at('g', MEDIUM_GOALS)]),
  'medium-gr': marked(MEDIUM, at('c', [[1, 1], ...MEDIUM_GOALS])),
  large: LARGE,
  'large-g': marked(LARGE, [[1, 1, 'r'], ...at('g', LARGE_GOALS)]),
  'large-gr': marked(LARGE, at('c', [[1, 1], ...LARGE_GOALS])),
} as const satisfies { readonly [name: string]: MazeRows };
export type GymnasiumMap = keyof typeof GYMNASIUM_MAPS;

/** Maps of OGBench's pointmaze and antmaze. */
export const OGBENCH_MAPS = {
  medium: MEDIUM,
  large: LARGE,
  giant: split(
    '################/#.#......##....#/#.#.##.#.#..##.#/#...#..#...#...#/#.###.######.#.#/#...#...#....#.#/###.#.#..#.#.###/#...#..#...#...#/#.#.#.######.#.#/#.###...#...##.#/#.....#...#....#/################',
  ),
  teleport: split('############/#.....#.#..#/##.#...#..##/##.###.....#/#....#.#.#.#/#.##.#.#.#.#/#.##.#.#.#.#/#....#...#.#/############'),
} as const satisfies { readonly [name: string]: MazeRows };
export type OgbenchMap = keyof typeof OGBENCH_MAPS;

type Cell = readonly [row: number, column: number];
export interface MazeTask {
  readonly start: Cell;
  readonly goal: Cell;
}
const task = (start: Cell, goal: Cell): MazeTask => ({ start, goal });

/** The five tasks that OGBench evaluates on each map. */
export const OGBENCH_TASKS: { readonly [map in OgbenchMap]: readonly MazeTask[] } = {
  medium: [task([1, 1], [6, 6]), task([6, 1], [1, 6]), task([5, 3], [4, 2]), task([6, 5], [6, 1]), task([2, 6], [1, 1])],
  large: [task([1, 1], [7, 10]), task([5, 4], [7, 1]), task([7, 4], [1, 10]), task([3, 8], [5, 4]), task([1, 1], [5, 4])],
  giant: [task([1, 1], [10, 14]), task([1, 14], [10, 1]), task([8, 14], [1, 1]), task([8, 3], [5, 12]), task([5, 9], [3, 8])],
  teleport: [task([1, 10], [7, 1]), task([1, 1], [7, 10]), task([5, 6], [7, 10]), task([7, 1], [7, 10]), task([5, 6], [7, 1])],
};

/** Ways in and out of OGBench's map `teleport`. The first way out is a closed cell: a trap. */
export const TELEPORTS: { readonly in: readonly Cell[]; readonly out: readonly Cell[] } = {
  in: [
    [4, 6],
    [5, 1],
  ],
  out: [
    [1, 7],
    [6, 1],
    [6, 10],
  ],
};

/** A map as it is used. */
export interface Maze {
  readonly rows: number;
  readonly columns: number;
  /** 1 for a wall, by cell. */
  readonly walls: Uint8Array;
  /** Cells that are no walls, in reading order. */
  readonly free: readonly number[];
  /** Cells in which goals are drawn: those of `g`, then those of `c`. */
  readonly goals: readonly number[];
  /** Cells in which episodes start: those of `r`, then those of `c`. */
  readonly starts: readonly number[];
}

/** Rows and columns of a map. */
export const LEAST_SIDE = 3;
export const MOST_SIDE = 40;

/**
 * Reads a map. Without r, g and c all free cells are both; with g alone every `.` is a start; with r alone every `.` is a goal.
 * Throws LabError('config-invalid') at `env.FIELD` where rows differ in length, the border is open, or a goal has no start elsewhere.
 */
export function parseMaze(given: MazeRows, field = 'map'): Maze {
  const rows = given.length;
  const columns = given[0]?.length ?? 0;
  if (given.some((row) => row.length !== columns))
    throw badConfig(field, 'The rows of the maze differ in length.', 'Give every row as many letters as the first.');
  if (Math.min(rows, columns) < LEAST_SIDE || Math.max(rows, columns) > MOST_SIDE)
    throw badConfig(
      field,
      `The maze has ${rows} rows of ${columns} cells.`,
      `Give ${LEAST_SIDE} to ${MOST_SIDE} rows of ${LEAST_SIDE} to ${MOST_SIDE} cells.`,
    );
  const text = given.join('');
  const wrong = [...text].find((letter) => !'#.rgc'.includes(letter));
  if (wrong !== undefined)
    throw badConfig(field, `"${wrong}" is nothing in a maze.`, 'Use # wall, . free, r start, g goal, c start or goal.');
  const open = [...text].some((letter, cell) => letter !== '#' && onBorder(cell, rows, columns));
  if (open) throw badConfig(field, 'The maze is open at its border.', 'Put # all round it.');
  const cellsOf = (letters: string): number[] =>
    Array.from(text, (_, cell) => cell).filter((cell) => letters.includes(text[cell] as string));
  const both = cellsOf('c');
  const starts = [...cellsOf('r'), ...both];
  const goals = [...cellsOf('g'), ...both];
  const free = cellsOf('.');
  const none = starts.length === 0 && goals.length === 0;
  const maze: Maze = {
    rows,
    columns,
    walls: Uint8Array.from(text, (letter) => (letter === '#' ? 1 : 0)),
    free: cellsOf('.rgc'),
    goals: none || goals.length === 0 ? free : goals,
    starts: none || starts.length === 0 ? free : starts,
  };
  if (maze.goals.length === 0) throw badConfig(field, 'The maze has no cell for a goal.', 'Put a g, or a . beside the start.');
  if (maze.starts.length === 0) throw badConfig(field, 'The maze has no cell for a start.', 'Put an r, or a . beside the goal.');
  if (maze.goals.some((goal) => maze.starts.every((start) => start === goal)))
    throw badConfig(field, 'A goal lies in the only cell for a start.', 'Put a second cell for a start: r, c or a free one.');
  return maze;
}

/** Whether a cell lies at the edge of a map. */
export function onBorder(cell: number, rows: number, columns: number): boolean {
  const column = cell % columns;
  return cell < columns || cell >= (rows - 1) * columns || column === 0 || column === columns - 1;
}
