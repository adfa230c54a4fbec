import { expect, test } from 'vitest';
import { parseRows, seen } from '#contract/game/map-cells.ts';
import { complaints } from '#contract/game/map-check.ts';
import type { MapFormat } from '#contract/game/maps.ts';
import { blank, codeOf, inWords, paint, resize, writeRows } from './format.ts';
import { mapInView } from './start.ts';

const LAKE: MapFormat = {
  size: [1, 32],
  tiles: [
    { code: 'F', title: 'ice', look: 'ice' },
    { code: 'H', title: 'hole', look: 'hole', walk: 'fatal' },
    { code: 'G', title: 'goal', look: 'goal' },
    { code: 'S', title: 'start', look: 'start', once: true },
  ],
  rules: [
    { rule: 'count', of: ['S'], least: 1, says: 'no start' },
    { rule: 'count', of: ['G'], least: 1, says: 'no goal' },
    { rule: 'reach', from: ['S'], to: ['G'], says: 'unreachable' },
  ],
};
const ROOM: MapFormat = {
  apart: true,
  edge: 'WE',
  size: [3, 25],
  start: 'start',
  colours: [
    { code: 'R', name: 'red' },
    { code: 'B', name: 'blue' },
    { code: 'Y', name: 'yellow' },
  ],
  tiles: [
    { code: '..', title: 'empty', look: 'empty' },
    { code: 'WE', title: 'wall', look: 'wall', colour: 'grey', walk: 'never' },
    { code: 'GG', title: 'goal', look: 'goal', colour: 'green' },
    { code: 'VR', title: 'lava', look: 'lava', colour: 'red', walk: 'fatal' },
    { code: 'D', title: 'closed door', look: 'door', state: 1, coloured: true, walk: 'cleared' },
    { code: 'L', title: 'locked door', look: 'door', state: 2, coloured: true, walk: 'unlocked' },
    { code: 'K', title: 'key', look: 'key', coloured: true, walk: 'cleared', key: true },
    { code: 'A', title: 'ball', look: 'ball', coloured: true, walk: 'cleared' },
  ],
  rules: [{ rule: 'reach', from: [], to: ['GG'], says: 'unreachable' }],
};
const KITCHEN: MapFormat = {
  edge: 'X',
  size: [3, 20],
  tiles: [
    { code: ' ', title: 'floor', look: 'floor' },
    { code: 'X', title: 'counter', look: 'counter', walk: 'never' },
    { code: 'P', title: 'pot', look: 'pot', walk: 'never' },
    { code: '1', title: 'cook 1', look: 'agent', once: true },
  ],
  rules: [
    { rule: 'count', of: ['P'], least: 1, most: 2, says: 'pots' },
    { rule: 'reach', from: ['1'], to: ['P'], beside: true, every: true, says: 'pot out of reach' },
    { rule: 'whole', says: 'cut off' },
    { rule: 'equal', of: ['P'], as: ['1'], says: 'not as many' },
  ],
};
const lake = (...rows: string[]) => complaints(LAKE, parseRows(LAKE, rows), null);
const room = (start: readonly [number, number] | null, ...rows: string[]) => complaints(ROOM, parseRows(ROOM, rows), start);
const kitchen = (...rows: string[]) => complaints(KITCHEN, parseRows(KITCHEN, rows), null);

test('a lake with a path has nothing to complain about, one cut by holes has', () => {
  expect(lake('SFF', 'HHF', 'GFF')).toEqual([]);
  expect(lake('SFF', 'HHH', 'GFF')).toEqual(['unreachable']);
});

test('what is missing is named, and nothing else with it', () => {
  expect(lake('SF', 'FF')).toEqual(['no goal']);
  expect(lake('FF', 'FG')).toEqual(['no start']);
  expect(lake('FF', 'FF')).toEqual(['no start', 'no goal']);
});

test('a locked door needs the key of its colour on this side', () => {
  const wall = 'WE WE WE WE WE';
  expect(room([1, 1], wall, 'WE .. LY GG WE', 'WE KY WE .. WE', wall)).toEqual([]);
  expect(room([1, 1], wall, 'WE .. LY GG WE', 'WE KB WE .. WE', wall)).toEqual(['unreachable']);
  expect(room([1, 1], wall, 'WE .. LY KY WE', 'WE .. WE GG WE', wall)).toEqual(['unreachable']);
});

test('one key may open the way to the next', () => {
  const rows = ['WE WE WE WE WE WE WE', 'WE KB .. LB KR LR GG', 'WE WE WE WE WE WE WE'];
  expect(room([2, 1], ...rows)).toEqual([]);
});

test('closed doors and balls do not block, lava does; without a start any free cell will do', () => {
  expect(room([0, 0], '.. DR AB .. GG')).toEqual([]);
  expect(room([0, 0], '.. VR GG')).toEqual(['unreachable']);
  expect(room(null, '.. VR GG')).toEqual([]);
});

test('counters are worked at from beside; numbers, islands and pairs are counted', () => {
  expect(kitchen('XPX', 'X1X', 'XXX')).toEqual([]);
  expect(kitchen('PXX', 'X1X', 'XXX')).toEqual(['pot out of reach']);
  expect(kitchen('XPXXX', 'X1X X', 'XXXXX')).toEqual(['cut off']);
  expect(kitchen('XPP', 'P1 ', 'XXX')).toEqual(['pots', 'not as many']);
});

test('rows survive reading and writing, spaces that are floor among them', () => {
  const rows = ['WE WE WE', 'WE KY GG', 'WE WE WE'];
  expect(writeRows(ROOM, parseRows(ROOM, rows))).toEqual(rows);
  expect(seen(ROOM, 'KY')).toMatchObject({ colour: 'yellow', tile: { title: 'key' } });
  expect(inWords(ROOM, 'LB')).toBe('blue locked door');
  expect(seen(ROOM, 'WR').tile.title).toBe('wall'); // an odd colour is still a wall
  const layout = ['XXX', 'X P', 'X 1'];
  expect(writeRows(KITCHEN, parseRows(KITCHEN, layout))).toEqual(layout);
});

test('what stands once moves when it is painted again', () => {
  const start = LAKE.tiles.find((tile) => tile.once)!;
  const moved = paint(LAKE, parseRows(LAKE, ['SFF', 'FFG']), 1, 1, codeOf(start, ''));
  expect(writeRows(LAKE, moved)).toEqual(['FFF', 'FSG']);
});

test('an edge stays an edge when a map grows and shrinks, with what stands in it', () => {
  const grown = resize(ROOM, blank(ROOM, 4, 4), 5, 4);
  expect(writeRows(ROOM, grown)).toEqual(['WE WE WE WE WE', 'WE .. .. .. WE', 'WE .. GG .. WE', 'WE WE WE WE WE']);
  const layout = parseRows(KITCHEN, ['XXXX', 'X 1P', 'XXXX']);
  expect(writeRows(KITCHEN, resize(KITCHEN, layout, 5, 3))).toEqual(['XXXXX', 'X 1 P', 'XXXXX']);
  expect(writeRows(KITCHEN, resize(KITCHEN, layout, 3, 3))).toEqual(['XXX', 'X1P', 'XXX']);
});

test('the map in the scene is read back: cells by look, colour and state, agents where they stand', () => {
  const layout = { kind: 'grid', width: 3, height: 2, agents: 1, headings: true, looks: ['empty', 'wall', 'door', 'key'], colours: ['red', 'yellow'], view: 0 } as const; // biome-ignore format: one layout
  const cells = [[1, 0, 0], [2, 1, 2], [0, 0, 0], [3, 0, 0], [0, 0, 0], [2, 0, 1]]; // biome-ignore format: cells
  const frame = Float32Array.from([...cells.flat(), 1, 1, 3, 0, 0, 1]);
  const source = { layout, length: 1, dt: 1, read: (_: number, out: Float32Array) => out.set(frame) === undefined };
  const room = mapInView(ROOM, source, { width: 3, height: 2 });
  expect(writeRows(ROOM, room!.cells)).toEqual(['WE LY ..', 'KR .. DR']);
  expect(room!.start).toEqual([1, 1, 3]);
  expect(writeRows(KITCHEN, mapInView(KITCHEN, source, { width: 3, height: 2 })!.cells)[1]).toBe(' 1 ');
  expect(mapInView(ROOM, source, { width: 4, height: 2 })).toBeNull();
  const crowd: MapFormat = {
    ...KITCHEN,
    tiles: [
      { code: ' ', title: 'floor', look: 'floor' },
      { code: 'A', title: 'agent', look: 'agent' },
    ],
  };
  const two = {
    ...source,
    layout: { ...layout, agents: 2 },
    read: (_: number, out: Float32Array) => out.set([...frame, 2, 0, 0, 0, 0, 1]) === undefined,
  };
  expect(writeRows(crowd, mapInView(crowd, two, { width: 3, height: 2 })!.cells)).toEqual(['  A', ' A ']);
});

test.each([
  ['lake', LAKE],
  ['room', ROOM],
  ['kitchen', KITCHEN],
] as const)('an empty %s is playable', (_, format) => {
  for (const side of [4, 7, 12]) expect(complaints(format, blank(format, side, side), null)).toEqual([]);
});
