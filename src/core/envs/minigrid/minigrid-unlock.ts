/**
 * Two rooms, a locked door between them, the key in the first; open the door. Minigrid Unlock (11 x 6).
 * Step, observation and reward: minigrid/lib/core.ts.
 */
import { cell, KEY } from './lib/cells.ts';
import { defineMiniGrid } from './lib/define.ts';
import { checkTwoRooms, Rooms } from './lib/rooms.ts';

export const minigridUnlock = defineMiniGrid({
  id: 'minigrid-unlock',
  title: 'MiniGrid Unlock',
  summary: 'Find the key and open the locked door.',
  defaults: { width: 11, height: 6, maxStepsText: '8 x height x height' },
  extra: {},
  presets: [{ id: 'standard', title: '11x6', config: {} }],
  rule: 'open-door',
  maxSteps: (c) => 8 * c.height * c.height,
  mission: () => 'open the door',
  check: checkTwoRooms,
  generate(_c, b) {
    const rooms = new Rooms(b, b.height);
    const colour = b.int(0, 5, 'colour');
    b.a = rooms.door(0, 0, 0, colour, true);
    rooms.place(cell(KEY, colour), 0, 0, 'key');
    rooms.placeAgent(0, 0);
  },
});
