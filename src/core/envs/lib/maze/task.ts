/** Starts, goals and rewards of PointMaze and AntMaze (Gymnasium-Robotics 1.4.2 `maze_v4.py`). Nothing here allocates. */
import { exp, sqrt } from '#math/functions.ts';
import type { Maze } from './maps.ts';
import { type Places, xOfCell, yOfCell } from './places.ts';

/** Within this of the goal, it is reached, m; the same for every side of a cell. */
export const REACHED = 0.45;
/** A start's cell has its middle farther than this from the goal, in sides of a cell. */
const APART = 0.5;
/** Most that starts and goals lie off the middle of their cell, in sides of a cell. */
const NOISE = 0.25;

/** Draws: a whole number 0..n-1; the noise of one coordinate, evenly in -0.25..0.25 of a cell's side. */
export interface MazeDraws {
  index(n: number, name: string): number;
  noise(name: string): number;
}

/** Noise from a uniform number in [0, 1). */
export const noiseOf = (uniform: number): number => NOISE * (2 * uniform - 1);

export function distanceOf(x: number, y: number, goalX: number, goalY: number): number {
  const [dx, dy] = [x - goalX, y - goalY];
  return sqrt(dx * dx + dy * dy);
}

/** Sparse: 1 within 0.45 m, else 0; dense: exp(-distance). */
export function goalReward(reward: 'sparse' | 'dense', distance: number): number {
  return reward === 'dense' ? exp(-distance) : distance <= REACHED ? 1 : 0;
}

/** Writes a place in the cell with noise of x, then of y, into out[at], out[at + 1], m. */
export function placeIn(places: Places, cell: number, draws: MazeDraws, name: string, out: Float64Array, at: number): void {
  out[at] = xOfCell(places, cell) + draws.noise(name) * places.side;
  out[at + 1] = yOfCell(places, cell) + draws.noise(name) * places.side;
}

/** Draws a goal into out[at], out[at + 1]; `cell`: fixed, -1 to be drawn. */
export function drawGoal(maze: Maze, places: Places, draws: MazeDraws, cell: number, out: Float64Array, at: number): void {
  placeIn(places, cell >= 0 ? cell : maze.goals[draws.index(maze.goals.length, 'goal')]!, draws, 'goal', out, at);
}

/** Draws a start away from the goal at goal[g], goal[g + 1] into out[at], out[at + 1]; `cell`: fixed, -1 to be drawn. */
export function drawStart(
  maze: Maze,
  places: Places,
  draws: MazeDraws,
  cell: number,
  goal: Float64Array,
  g: number,
  out: Float64Array,
  at: number,
): void {
  let chosen = cell;
  while (chosen < 0) {
    const tried = maze.starts[draws.index(maze.starts.length, 'start')]!;
    if (distanceOf(xOfCell(places, tried), yOfCell(places, tried), goal[g]!, goal[g + 1]!) > APART * places.side) chosen = tried;
  }
  placeIn(places, chosen, draws, 'start', out, at);
}

/** Draws a new goal, farther than 0.45 m from (x, y), over the one at out[at], out[at + 1]. For mazes with more than one cell for goals. */
export function drawNextGoal(maze: Maze, places: Places, draws: MazeDraws, x: number, y: number, out: Float64Array, at: number): void {
  do drawGoal(maze, places, draws, -1, out, at);
  while (distanceOf(x, y, out[at]!, out[at + 1]!) <= REACHED);
}
