/** Golden checks of the mazes: what the named rule gives for the inputs of a case. */
import { fail } from '#contract/kit/errors.ts';
import type { Json, JsonObject } from '#contract/kit/json.ts';
import { directionTo, subgoalOf } from './expert.ts';
import { GYMNASIUM_MAPS, type Maze, type MazeRows, OGBENCH_MAPS, OGBENCH_TASKS, type OgbenchMap, parseMaze } from './maps.ts';
import { cellAt, columnAt, gymnasiumPlaces, ogbenchPlaces, type Places, rowAt, xOfCell, yOfCell } from './places.ts';
import { distanceOf, drawGoal, drawStart, goalReward, type MazeDraws, REACHED } from './task.ts';
import { stitchGoals, vertexCells, Ways } from './ways.ts';

type Check = (config: unknown, inputs: JsonObject) => Json;

const wrong = (what: string) => fail('file-invalid', `Golden check of a maze: ${what}.`, 'Compare the case with its description.');

function mazeOf(maps: { readonly [name: string]: MazeRows }, map: Json | undefined): Maze {
  const rows = typeof map === 'string' ? maps[map] : map;
  if (!Array.isArray(rows)) throw wrong(`the map ${JSON.stringify(map)} is not known`);
  return parseMaze(rows.map(String));
}

function pair(value: Json | undefined, name: string): readonly [number, number] {
  if (!Array.isArray(value) || value.length !== 2) throw wrong(`"${name}" is not two numbers`);
  return [Number(value[0]), Number(value[1])];
}

const numberOfCell = ({ columns }: Maze, [row, column]: readonly [number, number]): number => row * columns + column;
const cellOf = ({ columns }: Maze, cell: number): Json => [Math.floor(cell / columns), cell % columns];

/** Draws as a case lists them, in their order; `used` counts. Throws where the next is of another kind or missing. */
export function listedDraws(list: readonly Json[]): MazeDraws & { used: number } {
  const take = (kind: string, name: string): number => {
    const draw = list[draws.used];
    if (!Array.isArray(draw) || draw[0] !== kind) throw wrong(`draw ${draws.used} is not a "${kind}" for the ${name}`);
    draws.used++;
    return Number(draw[1]);
  };
  const draws = {
    used: 0,
    index(n: number, name: string) {
      const k = take('index', name);
      if (!Number.isInteger(k) || k < 0 || k >= n) throw wrong(`the index ${k} of a ${name} is not in 0..${n - 1}`);
      return k;
    },
    noise: (name: string) => take('u', name),
  };
  return draws;
}

function cellChecks(maps: { readonly [name: string]: MazeRows }, placesOf: (maze: Maze) => Places): { readonly [check: string]: Check } {
  const cellToXy: Check = (_, { map, cell }) => {
    const maze = mazeOf(maps, map);
    const at = numberOfCell(maze, pair(cell, 'cell'));
    return { xy: [xOfCell(placesOf(maze), at), yOfCell(placesOf(maze), at)] };
  };
  const xyToCell: Check = (_, { map, xy }) => {
    const places = placesOf(mazeOf(maps, map));
    const [x, y] = pair(xy, 'xy');
    return { cell: [rowAt(places, y), columnAt(places, x)] };
  };
  const cells: Check = (_, { map }) => {
    const maze = mazeOf(maps, map);
    return { goalCells: maze.goals.map((cell) => cellOf(maze, cell)), startCells: maze.starts.map((cell) => cellOf(maze, cell)) };
  };
  const waypoint: Check = (_, { map, start, goal }) => {
    const maze = mazeOf(maps, map);
    const [places, ways] = [placesOf(maze), new Ways(maze)];
    const [[x, y], [goalX, goalY]] = [pair(start, 'start'), pair(goal, 'goal')];
    const next = subgoalOf(ways, places, x, y, goalX, goalY);
    const direction = new Float64Array(2);
    directionTo(ways, places, x, y, goalX, goalY, direction, 0);
    return {
      subgoal: [xOfCell(places, next), yOfCell(places, next)],
      direction: Array.from(direction),
      distance: ways.to(cellAt(places, goalX, goalY))[cellAt(places, x, y)]!,
    };
  };
  const vertices: Check = (_, { map }) => {
    const maze = mazeOf(maps, map);
    return { vertexCells: vertexCells(maze).map((cell) => cellOf(maze, cell)), freeCells: maze.free.length };
  };
  const stitches: Check = (_, { map, start }) => {
    const maze = mazeOf(maps, map);
    return { goals: stitchGoals(maze, numberOfCell(maze, pair(start, 'start'))).map((cell) => cellOf(maze, cell)) };
  };
  return {
    ...{ 'cell-to-xy': cellToXy, 'xy-to-cell': xyToCell, 'maze-cells': cells },
    ...{ waypoint, 'vertex-cells': vertices, 'stitch-goals': stitches },
  };
}

/** Checks of `point-maze` and `ant-maze`. `side` of a cell, m. */
export function gymnasiumChecks(side: number): { readonly [check: string]: Check } {
  const placesOf = (maze: Maze): Places => gymnasiumPlaces(maze, side);
  return {
    ...cellChecks(GYMNASIUM_MAPS, placesOf),
    'goal-reward'(_, { reward, continuing, achieved, desired }) {
      const distance = distanceOf(...pair(achieved, 'achieved'), ...pair(desired, 'desired'));
      return {
        reward: goalReward(reward === 'dense' ? 'dense' : 'sparse', distance),
        terminated: continuing === false && distance <= REACHED,
      };
    },
    'maze-reset'(_, { map, draws, goalCell, resetCell }) {
      const maze = mazeOf(GYMNASIUM_MAPS, map);
      const places = placesOf(maze);
      const listed = listedDraws(Array.isArray(draws) ? draws : []);
      const fixed = (cell: Json | undefined, name: string) => (cell === undefined ? -1 : numberOfCell(maze, pair(cell, name)));
      const out = new Float64Array(4);
      drawGoal(maze, places, listed, fixed(goalCell, 'goalCell'), out, 0);
      drawStart(maze, places, listed, fixed(resetCell, 'resetCell'), out, 0, out, 2);
      return { goal: [out[0]!, out[1]!], start: [out[2]!, out[3]!], drawsUsed: listed.used };
    },
  };
}

/** Checks of `ogbench-point-maze` and `ogbench-ant-maze`. */
export function ogbenchChecks(): { readonly [check: string]: Check } {
  return {
    ...cellChecks(OGBENCH_MAPS, ogbenchPlaces),
    tasks(config) {
      const { map } = config as { readonly map: OgbenchMap };
      const maze = parseMaze(OGBENCH_MAPS[map]);
      const places = ogbenchPlaces(maze);
      const list = OGBENCH_TASKS[map];
      const middle = (cell: readonly [number, number]): Json => {
        const at = numberOfCell(maze, cell);
        return [xOfCell(places, at), yOfCell(places, at)];
      };
      return {
        start: list.map(({ start }) => [...start]),
        goal: list.map(({ goal }) => [...goal]),
        startXY: list.map(({ start }) => middle(start)),
        goalXY: list.map(({ goal }) => middle(goal)),
      };
    },
  };
}
