import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { Comparison, readTolerance } from '../../../testing/golden-compare.ts';
import { gymnasiumChecks, listedDraws, ogbenchChecks } from './checks.ts';
import { directionTo } from './expert.ts';
import { GYMNASIUM_MAPS, OGBENCH_MAPS, OGBENCH_TASKS, parseMaze, TELEPORTS } from './maps.ts';
import { cellAt, gymnasiumPlaces, ogbenchPlaces, xOfCell, yOfCell } from './places.ts';
import { distanceOf, drawNextGoal, noiseOf, REACHED } from './task.ts';
import { NO_WAY, neighbour, stepsTo, Ways } from './ways.ts';

interface Case {
  readonly name: string;
  readonly env: string;
  readonly check?: string;
  readonly config: JsonObject;
  readonly rows?: readonly { readonly inputs: JsonObject; readonly expected: JsonObject }[];
  readonly expected?: JsonObject;
}

const CHECKS = {
  'point-maze': gymnasiumChecks(1),
  'ant-maze': gymnasiumChecks(4),
  'ogbench-point-maze': ogbenchChecks(),
  'ogbench-ant-maze': ogbenchChecks(),
} as const satisfies { readonly [env: string]: ReturnType<typeof ogbenchChecks> };

const cases = ['point_maze', 'ant_maze'].flatMap(
  (file): readonly Case[] => JSON.parse(readFileSync(new URL(`../../golden/${file}.json`, import.meta.url), 'utf8')).cases,
);
const rules = cases.filter(({ check }) => check !== undefined && check !== 'maze-model');

test('every rule of the golden files is there', () => {
  expect(rules.length).toBe(15);
});

test.each(rules.map((one) => [`${one.env}: ${one.name}`, one] as const))('%s', (_, { env, check, config, rows, expected }) => {
  const rule = CHECKS[env as keyof typeof CHECKS][check as string];
  const comparison = new Comparison(readTolerance({ rel: 1e-9, abs: 1e-9 }, {}));
  for (const [i, row] of (rows ?? [{ inputs: {}, expected: expected as JsonObject }]).entries())
    comparison.check(rule?.({ map: 'medium', ...config }, row.inputs), row.expected, { path: `row ${i}` });
  expect(comparison.failures).toEqual([]);
  expect(comparison.compared).toBeGreaterThan(0);
});

describe('the published maps', () => {
  test.each(Object.entries({ ...GYMNASIUM_MAPS, ...OGBENCH_MAPS }))('%s is read, and all of it but a trap hangs together', (name, rows) => {
    const maze = parseMaze(rows);
    const from = maze.free[0]!;
    const shut = maze.free.filter((cell) => stepsTo(maze, from)[cell] === NO_WAY);
    const [trap] = TELEPORTS.out;
    expect(shut).toEqual(name === 'teleport' ? [trap![0] * maze.columns + trap![1]] : []);
  });

  test.each(Object.entries(OGBENCH_TASKS))('tasks and ways of %s lie on free cells', (name, tasks) => {
    const rows = OGBENCH_MAPS[name as keyof typeof OGBENCH_MAPS];
    const cells = [
      ...tasks.flatMap(({ start, goal }) => [start, goal]),
      ...(name === 'teleport' ? [...TELEPORTS.in, ...TELEPORTS.out] : []),
    ];
    for (const [row, column] of cells) expect(rows[row]?.[column]).toBe('.');
  });
});

describe('a map of one’s own', () => {
  it.each([
    [['#####', '#.#', '#####'], /differ in length/],
    [['##', '##'], /2 rows of 2/],
    [Array.from({ length: 41 }, () => '#'.repeat(41)), /41 rows of 41/],
    [['####', '#.x#', '####'], /"x"/],
    [['####', '#...', '####'], /open at its border/],
    [['####', '####', '####'], /no cell for a goal/],
    [['####', '#r##', '####'], /no cell for a goal/],
    [['####', '#g##', '####'], /no cell for a start/],
    [['####', '#c##', '####'], /only cell for a start/],
    [['####', '#.##', '####'], /only cell for a start/],
  ])('%j is refused', (rows, words) => {
    expect(() => parseMaze(rows)).toThrow(words);
    expect(() => parseMaze(rows, 'floor')).toThrow(
      expect.objectContaining({ failure: expect.objectContaining({ id: 'config-invalid', field: 'env.floor' }) }),
    );
  });

  it('r alone makes every dot a goal, g alone every dot a start', () => {
    expect(parseMaze(['#####', '#r..#', '#####'])).toMatchObject({ goals: [7, 8], starts: [6] });
    expect(parseMaze(['#####', '#g..#', '#####'])).toMatchObject({ goals: [6], starts: [7, 8] });
    expect(parseMaze(['#####', '#rcg#', '#####'])).toMatchObject({ goals: [8, 7], starts: [6, 7] });
  });
});

test.each([
  ['gymnasium', gymnasiumPlaces(parseMaze(GYMNASIUM_MAPS.large), 1)],
  ['gymnasium, 4 m', gymnasiumPlaces(parseMaze(GYMNASIUM_MAPS.u), 4)],
  ['ogbench', ogbenchPlaces(parseMaze(OGBENCH_MAPS.giant))],
] as const)('%s: the middle of a cell, and all about it, lies in that cell', (_, places) => {
  for (let cell = 0; cell < places.rows * places.columns; cell++)
    for (const off of [-0.49, 0, 0.49])
      expect(cellAt(places, xOfCell(places, cell) + off * places.side, yOfCell(places, cell) - off * places.side)).toBe(cell);
  expect(cellAt(places, 1e6, -1e6) % places.columns).toBe(places.columns - 1);
});

test('a neighbour beyond the border is none, in every direction', () => {
  const maze = parseMaze(['####', '#..#', '####']);
  expect([0, 1, 2, 3].map((direction) => neighbour(maze, 5, direction))).toEqual([-1, -1, -1, 6]);
  expect([0, 1].map((direction) => neighbour(maze, 0, direction))).toEqual([-1, -1]);
  expect([2, 3].map((direction) => neighbour(maze, 11, direction))).toEqual([-1, -1]);
});

test('the way-point expert followed from every cell arrives in as many steps as there are', () => {
  const maze = parseMaze(OGBENCH_MAPS.giant);
  const ways = new Ways(maze);
  const goal = maze.free.at(-1)!;
  for (const start of maze.free) {
    let [cell, count] = [start, 0];
    while (cell !== goal) {
      cell = ways.next(cell, goal);
      count++;
    }
    expect(count).toBe(ways.to(goal)[start]);
  }
});

test('a shut-in agent stays where it is', () => {
  const maze = parseMaze(OGBENCH_MAPS.teleport);
  const places = ogbenchPlaces(maze);
  const [row, column] = TELEPORTS.out[0]!;
  const cell = row * maze.columns + column;
  const out = new Float64Array(2);
  directionTo(new Ways(maze), places, xOfCell(places, cell), yOfCell(places, cell), 0, 0, out, 0);
  expect(Array.from(out)).toEqual([0, 0]);
});

test('a new goal is drawn until it is out of reach', () => {
  const maze = parseMaze(GYMNASIUM_MAPS.u);
  const out = Float64Array.of(0, 0);
  const draws = listedDraws([
    ...[
      ['index', 0],
      ['u', noiseOf(0.5)],
      ['u', noiseOf(0)],
    ],
    ...[
      ['index', 2],
      ['u', noiseOf(0.75)],
      ['u', 0],
    ],
  ]);
  drawNextGoal(maze, gymnasiumPlaces(maze, 1), draws, -1, 1, out, 0);
  expect(Array.from(out)).toEqual([1.125, 1]);
  expect(draws.used).toBe(6);
  expect(distanceOf(-1, 1, -1, 0.75)).toBeLessThan(REACHED);
});
