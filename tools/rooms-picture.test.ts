import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { roomsPicture } from './rooms-picture.mjs';
import { measureRooms } from './structure.mjs';

test('docs/images/rooms.svg shows the rooms and what each imports (if not: npm run docs:rooms)', () => {
  expect(readFileSync('docs/images/rooms.svg', 'utf8')).toBe(roomsPicture(measureRooms()));
}, 60_000);
