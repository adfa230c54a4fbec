/**
 * Six rooms along a hallway, one of them locked with the goal inside, its key in another. Minigrid LockedRoom (19 x 19).
 * Obs: behind the direction the mission as one-hot: colour of the key and its door (6), colour of the door of the room in which the
 * key lies (6); all 0 on a map of one's own. Step, observation and reward: minigrid/lib/core.ts.
 */

import { badConfig } from '../api/parse.ts';
import { CLOSED, COLOURS, cell, DOOR, GOAL_CELL, KEY, LOCKED } from './lib/cells.ts';
import { defineMiniGrid } from './lib/define.ts';

export const minigridLockedRoom = defineMiniGrid({
  id: 'minigrid-locked-room',
  title: 'MiniGrid LockedRoom',
  summary: 'Find the key in one of six rooms, unlock another, get to the goal in it.',
  learnNote:
    'Not learned by anything here yet: a key, a locked door and a goal, each in another room, before the first reward. PPO does not find them in a million steps (three seeds); published PPO does not either.',
  defaults: { width: 19, height: 19, maxStepsText: '10 x width' },
  extra: {},
  presets: [
    { id: 'standard', title: '19x19', config: {} },
    { id: '13x13', title: '13x13', config: { width: 13, height: 13 } },
  ],
  rule: 'goal',
  maxSteps: (c) => 10 * c.width,
  mission(_c, a, b) {
    if (a === 0) return 'get the key, unlock the door and go to the goal';
    const [door, room] = [COLOURS[a - 1], COLOURS[b - 1]];
    return `get the ${door} key from the ${room} room, unlock the ${door} door and go to the goal`;
  },
  missionCode: {
    size: 12,
    write(_words, _base, a, b, out, at) {
      out.fill(0, at, at + 12);
      if (a > 0) out[at + a - 1] = 1;
      if (b > 0) out[at + 5 + b] = 1;
    },
  },
  check(c) {
    if (c.width !== c.height || c.width < 13)
      throw badConfig('width', 'The map is a square with room for six rooms.', 'Width = height, 13 or more.');
  },
  generate(_c, b) {
    const size = b.width;
    const left = Math.floor(size / 2) - 2;
    const right = left + 4;
    const step = Math.floor(size / 3);
    b.walls(0, 0, size, size);
    b.vertical(left, 0, size);
    b.vertical(right, 0, size);
    const rooms: { readonly x: number; readonly y: number; readonly doorX: number }[] = [];
    for (let y = 0; y < 3 * step; y += step) {
      b.horizontal(0, y, left);
      b.horizontal(right, y, size - right);
      rooms.push({ x: 0, y, doorX: left }, { x: right, y, doorX: right });
    }
    const inside = (room: number, name: string) => {
      const { x, y } = rooms[room] as { x: number; y: number };
      return [b.int(x + 1, x + left - 1, `${name} x`), b.int(y + 1, y + step - 1, `${name} y`)] as const;
    };
    const locked = b.int(0, 5, 'locked room');
    b.set(...inside(locked, 'goal'), GOAL_CELL);
    const colours = [0, 1, 2, 3, 4, 5];
    b.shuffle(colours, 'door colours');
    rooms.forEach((room, i) => {
      b.set(room.doorX, room.y + 3, cell(DOOR, colours[i]!, i === locked ? LOCKED : CLOSED));
    });
    const keyRoom = b.pick(
      [0, 1, 2, 3, 4, 5].filter((i) => i !== locked),
      'key room',
    );
    b.set(...inside(keyRoom, 'key'), cell(KEY, colours[locked]!));
    b.placeAgent(left, 0, right - left, size);
    b.a = colours[locked]! + 1;
    b.b = colours[keyRoom]! + 1;
  },
});
