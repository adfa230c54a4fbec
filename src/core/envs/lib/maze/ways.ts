/**
 * Ways through the free cells of a maze, in steps up, left, down, right (in this order, as in OGBench 1.2.1 `locomaze/maze.py` and
 * `data_gen_scripts/generate_locomaze.py`).
 */
import type { Maze } from './maps.ts';

/** No way leads there. */
export const NO_WAY = -1;

/** Number of the neighbour of `cell` in direction 0 up, 1 left, 2 down, 3 right, if it is free; else -1. */
export function neighbour({ rows, columns, walls }: Maze, cell: number, direction: number): number {
  const column = cell % columns;
  let next = cell;
  if (direction === 0) next -= columns;
  else if (direction === 1) next -= column === 0 ? cell + 1 : 1;
  else if (direction === 2) next += columns;
  else next += column === columns - 1 ? -cell - 1 : 1;
  return next < 0 || next >= rows * columns || walls[next] === 1 ? -1 : next;
}

/** Cells that can be reached from `from`, nearest first: breadth-first. Writes the steps to each into `steps` [cells], NO_WAY elsewhere. */
function spread(maze: Maze, from: number, steps: Int32Array): readonly number[] {
  steps.fill(NO_WAY);
  steps[from] = 0;
  const reached = [from];
  for (let k = 0; k < reached.length; k++)
    for (let direction = 0; direction < 4; direction++) {
      const next = neighbour(maze, reached[k]!, direction);
      if (next < 0 || steps[next] !== NO_WAY) continue;
      steps[next] = steps[reached[k]!]! + 1;
      reached.push(next);
    }
  return reached;
}

/** Steps from every cell to `to` and back over free cells; NO_WAY where there is none. */
export function stepsTo(maze: Maze, to: number): Int32Array {
  const steps = new Int32Array(maze.rows * maze.columns);
  spread(maze, to, steps);
  return steps;
}

/** Steps between cells; those to a cell are searched when they are first asked for. Calls allocate nothing after that. */
export class Ways {
  readonly maze: Maze;
  private readonly known: (Int32Array | undefined)[] = [];

  constructor(maze: Maze) {
    this.maze = maze;
  }

  /** Steps from every cell to `to`: not to be changed. */
  to(to: number): Int32Array {
    let steps = this.known[to];
    if (steps === undefined) {
      steps = stepsTo(this.maze, to);
      this.known[to] = steps;
    }
    return steps;
  }

  /** The neighbour that is nearest to `to`, the first of equals; the cell itself at the goal and where no way leads on. */
  next(from: number, to: number): number {
    const steps = this.to(to);
    let best = from;
    for (let direction = 0; direction < 4; direction++) {
      const cell = neighbour(this.maze, from, direction);
      if (cell >= 0 && steps[cell]! < steps[best]!) best = cell;
    }
    return best;
  }
}

/** Free cells that are no straight corridor (two free neighbours opposite each other, walls on the other sides), in reading order. */
export function vertexCells(maze: Maze): readonly number[] {
  return maze.free.filter((cell) => {
    const [up, left, down, right] = [0, 1, 2, 3].map((direction) => neighbour(maze, cell, direction) >= 0);
    return !((up && down && !left && !right) || (left && right && !up && !down));
  });
}

const STITCH = 4;

/** Free cells exactly 4 steps from the start, in breadth-first order; the start itself where there is none. */
export function stitchGoals(maze: Maze, start: number): readonly number[] {
  const steps = new Int32Array(maze.rows * maze.columns);
  const goals = spread(maze, start, steps).filter((cell) => steps[cell] === STITCH);
  return goals.length === 0 ? [start] : goals;
}
