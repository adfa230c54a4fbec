/**
 * A chain of rooms joined by closed doors; the goal is in the last. Minigrid MultiRoom-{N2-S4, N4-S5, N6}.
 * Rooms are grown one after another from the exit of the one before, without overlap; up to eight exits are tried per room and the
 * whole chain is begun again until it is long enough. Step, observation and reward: minigrid/lib/core.ts.
 */
import { z } from 'zod';
import { badConfig } from '../api/parse.ts';
import type { Builder } from './lib/builder.ts';
import { CLOSED, cell, DOOR, GOAL_CELL } from './lib/cells.ts';
import { defineMiniGrid } from './lib/define.ts';

interface Room {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly doorX: number; // entry
  readonly doorY: number;
}

const MIN_SIZE = 4;
const ATTEMPTS = 1000;

/** Walls: 0 right, 1 bottom, 2 left, 3 top. Adds rooms to `rooms`; false if not even the first fits. */
function grow(b: Builder, left: number, rooms: Room[], maxSize: number, entryWall: number, doorX: number, doorY: number): boolean {
  const width = b.int(MIN_SIZE, maxSize, 'room width');
  const height = b.int(MIN_SIZE, maxSize, 'room height');
  let x = doorX;
  let y = doorY;
  if (rooms.length > 0) {
    if (entryWall === 0) x = doorX - width + 1;
    if (entryWall === 1) y = doorY - height + 1;
    if (entryWall === 0 || entryWall === 2) y = b.int(doorY - height + 2, doorY - 1, 'room y');
    else x = b.int(doorX - width + 2, doorX - 1, 'room x');
  }
  if (x < 0 || y < 0 || x + width > b.width || y + height >= b.height) return false;
  for (const room of rooms.slice(0, -1)) {
    const apart = x + width < room.x || room.x + room.width <= x || y + height < room.y || room.y + room.height <= y;
    if (!apart) return false;
  }
  rooms.push({ x, y, width, height, doorX, doorY });
  if (left === 1) return true;
  for (let attempt = 0; attempt < 8; attempt++) {
    const exits = [0, 1, 2, 3].filter((wall) => wall !== entryWall);
    const exit = b.pick(exits, 'exit wall');
    const upright = exit === 0 || exit === 2;
    const exitX = upright ? (exit === 0 ? x + width - 1 : x) : b.int(x + 1, x + width - 2, 'exit x');
    const exitY = upright ? b.int(y + 1, y + height - 2, 'exit y') : exit === 1 ? y + height - 1 : y;
    if (grow(b, left - 1, rooms, maxSize, (exit + 2) % 4, exitX, exitY)) break;
  }
  return true;
}

export const minigridMultiRoom = defineMiniGrid({
  id: 'minigrid-multi-room',
  title: 'MiniGrid MultiRoom',
  summary: 'Go through a chain of rooms, opening doors, to the goal in the last.',
  defaults: { width: 25, height: 25, maxStepsText: '20 x rooms' },
  extra: {
    rooms: z
      .int()
      .min(1)
      .max(10)
      .default(4)
      .meta({ title: 'rooms', description: 'Rooms in the chain.', source: 'Minigrid MultiRoom-N4-S5' }),
    maxRoomSize: z
      .int()
      .min(MIN_SIZE)
      .max(12)
      .default(5)
      .meta({ title: 'largest room', unit: 'cells', description: 'Sides of a room, walls included, are between 4 and this.' }),
  },
  recommended: { algo: 'ppo', preset: 'minigrid-counts', steps: 2_000_000 },
  presets: [
    { id: 'n4-s5', title: '4 rooms up to 5', config: {} },
    { id: 'n2-s4', title: '2 rooms of 4', config: { rooms: 2, maxRoomSize: 4 } },
    { id: 'n6', title: '6 rooms up to 10', config: { rooms: 6, maxRoomSize: 10 } },
  ],
  rule: 'goal',
  maxSteps: (c) => 20 * c.rooms,
  mission: () => 'traverse the rooms to get to the goal',
  check(c) {
    const side = Math.min(c.width, c.height);
    if (side < c.maxRoomSize + 2 || c.rooms * (c.maxRoomSize + 1) ** 2 > c.width * c.height * 1.5)
      throw badConfig(
        'rooms',
        `${c.rooms} rooms of up to ${c.maxRoomSize} cells do not fit well into the map.`,
        'Fewer or smaller rooms, or a larger map.',
      );
  },
  generate(c, b) {
    let rooms: Room[] = [];
    for (let attempt = 0; rooms.length < c.rooms; attempt++) {
      if (attempt === ATTEMPTS) throw badConfig('rooms', 'No chain of rooms was found.', 'Fewer or smaller rooms, or a larger map.');
      const next: Room[] = [];
      const x = b.int(0, b.width - 3, 'first x');
      const y = b.int(0, b.height - 3, 'first y');
      grow(b, c.rooms, next, c.maxRoomSize, 2, x, y);
      if (next.length > rooms.length) rooms = next;
    }
    let previous = -1;
    rooms.forEach((room, i) => {
      b.walls(room.x, room.y, room.width, room.height);
      if (i === 0) return;
      const colours = [0, 1, 2, 3, 4, 5].filter((colour) => colour !== previous);
      previous = b.pick(colours, 'door colour');
      b.set(room.doorX, room.doorY, cell(DOOR, previous, CLOSED));
    });
    const first = rooms[0] as Room;
    const last = rooms.at(-1) as Room;
    b.placeAgent(first.x, first.y, first.width, first.height);
    b.place(GOAL_CELL, 'goal', last.x, last.y, last.width, last.height);
  },
});
