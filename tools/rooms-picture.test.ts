import { expect, test } from 'vitest';
import { roomsPicture } from './rooms-picture.mjs';

test('every room that has code has a row with what it imports', () => {
  const picture = roomsPicture({
    order: ['src/math', 'src/contract', 'src/empty', 'cli'],
    rooms: { 'src/math': 1, 'src/contract': 1, cli: 1 },
    imports: { 'src/math': new Set(), 'src/contract': new Set(['src/contract', 'src/math']), cli: new Set(['src/math', 'src/contract']) },
  });
  const rows = [...picture.matchAll(/class="name"[^>]*>([^<]+)<\/text><text class="uses"[^>]*>([^<]+)</g)];
  expect(rows.map(([, room, uses]) => [room, uses])).toEqual([
    ['cli', 'contract, math'],
    ['contract', 'math'],
    ['math', 'nothing'],
  ]);
});
