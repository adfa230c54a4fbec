import { expect, test } from 'vitest';
import { roomsPicture } from './rooms-picture.mjs';
import { measureRooms } from './structure.mjs';

test('every room has a row with what it imports', () => {
  const measured = measureRooms();
  const picture = roomsPicture(measured);
  const rows = [...picture.matchAll(/class="name"[^>]*>([^<]+)<\/text><text class="uses"[^>]*>([^<]+)</g)];
  expect(rows.length).toBeGreaterThan(20);
  for (const [, room = '', uses = ''] of rows) {
    const path = measured.order.find((name) => name.replace('src/', '') === room) ?? '';
    expect(measured.rooms[path], room).toBeDefined();
    for (const other of uses === 'nothing' ? [] : uses.split(', '))
      expect([...(measured.imports[path] ?? [])].map((name) => name.replace('src/', ''))).toContain(other);
  }
}, 60_000);
