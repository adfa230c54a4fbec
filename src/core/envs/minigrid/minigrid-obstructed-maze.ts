/**
 * Pick up the blue ball behind locked doors, whose keys may be hidden in boxes and which may be blocked by balls.
 * Minigrid ObstructedMaze-{1Dl, 1Dlh, 1Dlhb, 2Dl, 2Dlh, 2Dlhb, 1Q, 2Q, Full}: "nD" locked doors, "h" key hidden in a box, "b" door
 * blocked by a ball, "nQ" quarters of the 3 x 3 maze that have doors and keys. 1D: two rooms side by side.
 * Step, observation and reward: minigrid/lib/core.ts.
 */
import { z } from 'zod';
import { badConfig } from '../api/parse.ts';
import type { Builder } from './lib/builder.ts';
import { BALL, BLUE, BOX, cell, GREEN, GREY, KEY } from './lib/cells.ts';
import { defineMiniGrid } from './lib/define.ts';
import { Rooms } from './lib/rooms.ts';
import { DX, DY } from './lib/view.ts';

interface Variant {
  readonly quarters: number; // 0: two rooms
  readonly hidden: boolean;
  readonly blocked: boolean;
  readonly beside: boolean; // the agent starts in the room right of the middle, not in the middle
  readonly visited: number; // rooms the step limit allows for
}

const variant = (quarters: number, hidden: boolean, blocked: boolean, beside: boolean, visited: number): Variant => ({
  quarters,
  hidden,
  blocked,
  beside,
  visited,
});
const VARIANTS = {
  '1Dl': variant(0, false, false, false, 2),
  '1Dlh': variant(0, true, false, false, 2),
  '1Dlhb': variant(0, true, true, false, 2),
  '2Dl': variant(1, false, false, true, 4),
  '2Dlh': variant(1, true, false, true, 4),
  '2Dlhb': variant(1, true, true, true, 4),
  '1Q': variant(1, true, true, false, 5),
  '2Q': variant(2, true, true, true, 11),
  Full: variant(4, true, true, false, 25),
} as const;
const NAMES = Object.keys(VARIANTS) as readonly (keyof typeof VARIANTS)[];

const rowsOf = (v: Variant) => (v.quarters === 0 ? 1 : 3);
const roomSize = (height: number, v: Variant) => (height - 1) / rowsOf(v) + 1;
const maze = (name: keyof typeof VARIANTS) => ({ maze: name, width: 16, height: 16 });

/** Rooms beside the middle one and, in the same order, the corners in which the ball may lie. */
const SIDES = [
  [2, 1],
  [1, 2],
  [0, 1],
  [1, 0],
] as const;
const CORNERS = [
  [2, 0],
  [2, 2],
  [0, 2],
  [0, 0],
] as const;

export const minigridObstructedMaze = defineMiniGrid({
  id: 'minigrid-obstructed-maze',
  title: 'MiniGrid ObstructedMaze',
  summary: 'Clear the doors, find the keys in their boxes, pick up the blue ball.',
  defaults: { width: 11, height: 6, maxStepsText: '4 x room size x room size x rooms to visit' },
  extra: {
    maze: z
      .enum(NAMES as [string, ...string[]])
      .default('1Dl')
      .meta({
        title: 'maze',
        description: 'How many doors are locked (D) or quarters used (Q), h: keys hidden in boxes, b: doors blocked by balls.',
        source: 'Minigrid ObstructedMaze-1Dl',
      }),
    keysLast: z.boolean().default(true).meta({
      title: 'keys after doors',
      description: 'Keys are placed when all doors of their room are blocked, as in v1; off: as in v0, where a ball may fall on a key.',
      source: 'Minigrid ObstructedMaze v1',
      depth: 'research',
    }),
  },
  presets: [
    { id: '1dl', title: '1 door, locked', config: {} },
    { id: '1dlh', title: '1 door, key hidden', config: { maze: '1Dlh' } },
    { id: '1dlhb', title: '1 door, key hidden, blocked', config: { maze: '1Dlhb' } },
    { id: '2dl', title: '2 doors, locked', config: maze('2Dl') },
    { id: '2dlh', title: '2 doors, keys hidden', config: maze('2Dlh') },
    { id: '2dlhb', title: '2 doors, keys hidden, blocked', config: maze('2Dlhb') },
    { id: '1q', title: '1 quarter', config: maze('1Q') },
    { id: '2q', title: '2 quarters', config: maze('2Q') },
    { id: 'full', title: 'full maze', config: maze('Full') },
  ],
  rule: 'pickup',
  maxSteps(c) {
    const v = VARIANTS[c.maze as keyof typeof VARIANTS];
    return Math.round(4 * v.visited * roomSize(c.height, v) ** 2);
  },
  mission: () => 'pick up the blue ball',
  check(c) {
    const v = VARIANTS[c.maze as keyof typeof VARIANTS];
    const size = roomSize(c.height, v);
    const columns = v.quarters === 0 ? 2 : 3;
    if (!Number.isInteger(size) || size < 5 || c.width !== (size - 1) * columns + 1)
      throw badConfig(
        'width',
        `${c.maze} is a maze of ${columns} x ${rowsOf(v)} square rooms.`,
        `Width ${columns} (s - 1) + 1 and height ${rowsOf(v)} (s - 1) + 1 for rooms of size s, 5 or more.`,
      );
  },
  generate(c, b) {
    const v = VARIANTS[c.maze as keyof typeof VARIANTS];
    const rooms = new Rooms(b, roomSize(b.height, v));
    const colours = [0, 1, 2, 3, 4, 5];
    b.shuffle(colours, 'door colours');
    const colour = (i: number) => colours[(i + 6) % 6]!;
    const door = (i: number, j: number, side: number, of: number) => lock(b, rooms, i, j, side, of, v.blocked);
    const key = (i: number, j: number, of: number) =>
      rooms.place(v.hidden ? cell(BOX, GREY, 0, cell(KEY, of)) : cell(KEY, of), i, j, 'key');
    if (v.quarters === 0) {
      door(0, 0, 0, colour(0));
      key(0, 0, colour(0));
      b.a = rooms.place(cell(BALL, BLUE), 1, 0, 'ball') + 1;
      b.b = BLUE;
      rooms.placeAgent(0, 0);
      return;
    }
    SIDES.slice(0, v.quarters).forEach(([i, j], n) => {
      rooms.door(1, 1, n, colour(n), false);
      const locks = [n - 1, n + 1];
      for (const k of locks) {
        door(i, j, (k + 4) % 4, colour(k));
        if (!c.keysLast) key(i, j, colour(k));
      }
      if (c.keysLast) for (const k of locks) key(i, j, colour(k));
    });
    const [x, y] = b.pick(CORNERS.slice(0, v.quarters), 'ball room');
    b.a = rooms.place(cell(BALL, BLUE), x, y, 'ball') + 1;
    b.b = BLUE;
    rooms.placeAgent(v.beside ? 2 : 1, 1);
  },
});

function lock(b: Builder, rooms: Rooms, i: number, j: number, side: number, colour: number, blocked: boolean): void {
  const at = rooms.door(i, j, side, colour, true);
  if (blocked) b.set((at % b.width) - DX[side]!, Math.floor(at / b.width) - DY[side]!, cell(BALL, GREEN));
}
