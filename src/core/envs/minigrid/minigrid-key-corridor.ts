/**
 * A corridor with rooms on both sides; the ball lies in a locked room on the right, its key in a room on the left.
 * Minigrid KeyCorridor S3R1 .. S6R3: three columns of rooms, so width = 3 (s - 1) + 1, height = rows (s - 1) + 1.
 * Step, observation and reward: minigrid/lib/core.ts.
 */

import { badConfig } from '../api/parse.ts';
import { BALL, COLOURS, cell, KEY } from './lib/cells.ts';
import { defineMiniGrid } from './lib/define.ts';
import { Rooms } from './lib/rooms.ts';

const roomSize = (width: number) => (width - 1) / 3 + 1;

export const minigridKeyCorridor = defineMiniGrid({
  id: 'minigrid-key-corridor',
  title: 'MiniGrid KeyCorridor',
  summary: 'Find the key in one room, unlock another, pick up the ball.',
  defaults: { width: 7, height: 3, maxStepsText: '30 x room size x room size' },
  extra: {},
  presets: [
    { id: 's3r1', title: 'rooms of 3, 1 row', config: {} },
    { id: 's3r2', title: 'rooms of 3, 2 rows', config: { height: 5 } },
    { id: 's3r3', title: 'rooms of 3, 3 rows', config: { height: 7 } },
    { id: 's4r3', title: 'rooms of 4, 3 rows', config: { width: 10, height: 10 } },
    { id: 's5r3', title: 'rooms of 5, 3 rows', config: { width: 13, height: 13 } },
    { id: 's6r3', title: 'rooms of 6, 3 rows', config: { width: 16, height: 16 } },
  ],
  rule: 'pickup',
  maxSteps: (c) => Math.round(30 * roomSize(c.width) ** 2),
  mission: (_c, _a, b) => `pick up the ${COLOURS[b]} ball`,
  check(c) {
    const size = roomSize(c.width);
    if (!Number.isInteger(size) || size < 3 || (c.height - 1) % (size - 1) !== 0)
      throw badConfig('width', 'The rooms do not fill the map.', 'Width 3 (s - 1) + 1 and height rows (s - 1) + 1 for rooms of size s.');
  },
  generate(_c, b) {
    const rooms = new Rooms(b, roomSize(b.width));
    for (let j = 1; j < rooms.rows; j++) rooms.open(1, j, 3);
    const row = b.int(0, rooms.rows - 1, 'locked row');
    const colour = b.int(0, 5, 'door colour');
    rooms.door(2, row, 2, colour, true);
    b.b = b.int(0, 5, 'ball colour');
    b.a = rooms.place(cell(BALL, b.b), 2, row, 'ball') + 1;
    rooms.place(cell(KEY, colour), 0, b.int(0, rooms.rows - 1, 'key row'), 'key');
    rooms.placeAgent(1, Math.floor(rooms.rows / 2));
    rooms.connect();
  },
});
