import { expect, test } from 'vitest';
import { reach } from './reach.ts';
import { blank, codeOf, paint, parseRows, resize, seen, tilesOf, writeRows } from './tiles.ts';

const lake = (...rows: string[]) => parseRows(rows).cells;
const room = (...rows: string[]) => parseRows(rows).cells;

test('a lake with a path is reachable, one cut by holes is not', () => {
  expect(reach('letters', lake('SFF', 'HHF', 'GFF'), null)).toBe('reachable');
  expect(reach('letters', lake('SFF', 'HHH', 'GFF'), null)).toBe('unreachable');
});

test('missing goal and missing start are named', () => {
  expect(reach('letters', lake('SF', 'FF'), null)).toBe('no goal');
  expect(reach('letters', lake('FF', 'FG'), null)).toBe('no start');
});

test('a locked door needs the key of its colour on this side', () => {
  const behind = room('WE WE WE WE WE', 'WE .. LY GG WE', 'WE KY WE .. WE', 'WE WE WE WE WE');
  expect(reach('tokens', behind, [1, 1])).toBe('reachable');
  const wrong = room('WE WE WE WE WE', 'WE .. LY GG WE', 'WE KB WE .. WE', 'WE WE WE WE WE');
  expect(reach('tokens', wrong, [1, 1])).toBe('unreachable');
  const inside = room('WE WE WE WE WE', 'WE .. LY KY WE', 'WE .. WE GG WE', 'WE WE WE WE WE');
  expect(reach('tokens', inside, [1, 1])).toBe('unreachable');
});

test('one key may open the way to the next', () => {
  const cells = room('WE WE WE WE WE WE WE', 'WE KB .. LB KR LR GG', 'WE WE WE WE WE WE WE');
  expect(reach('tokens', cells, [2, 1])).toBe('reachable');
});

test('closed doors, boxes and balls do not block, lava does', () => {
  expect(reach('tokens', room('.. DR AB BG GG'), [0, 0])).toBe('reachable');
  expect(reach('tokens', room('.. VR GG'), [0, 0])).toBe('unreachable');
});

test('rows survive reading and writing', () => {
  const rows = ['WE WE WE', 'WE KY GG', 'WE WE WE'];
  const { written, cells } = parseRows(rows);
  expect(written).toBe('tokens');
  expect(writeRows(written, cells)).toEqual(rows);
  expect(seen('tokens', 'KY')).toMatchObject({ colour: 'yellow', tile: { id: 'key' } });
});

test('the start stands once', () => {
  const start = tilesOf('letters').find((tile) => tile.id === 'start')!;
  const moved = paint('letters', lake('SFF', 'FFG'), 1, 1, codeOf('letters', start, ''));
  expect(writeRows('letters', moved)).toEqual(['FFF', 'FSG']);
});

test('a room keeps its walls when it grows', () => {
  const grown = resize('tokens', blank('tokens', 4, 4), 5, 4);
  expect(writeRows('tokens', grown)).toEqual(['WE WE WE WE WE', 'WE .. .. .. WE', 'WE .. GG .. WE', 'WE WE WE WE WE']);
});
