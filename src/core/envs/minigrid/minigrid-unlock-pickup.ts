/**
 * Two rooms, a locked door between them, the key in the first, a box in the second; pick up the box. Minigrid UnlockPickup.
 * Step, observation and reward: minigrid/lib/core.ts.
 */
import { BOX, COLOURS, cell, KEY } from './lib/cells.ts';
import { defineMiniGrid } from './lib/define.ts';
import { checkTwoRooms, Rooms } from './lib/rooms.ts';

export const minigridUnlockPickup = defineMiniGrid({
  id: 'minigrid-unlock-pickup',
  title: 'MiniGrid UnlockPickup',
  summary: 'Open the locked door and pick up the box behind it.',
  defaults: { width: 11, height: 6, maxStepsText: '8 x height x height' },
  extra: {},
  recommended: { algo: 'ppo', preset: 'minigrid-counts', steps: 2_000_000 },
  presets: [{ id: 'standard', title: '11x6', config: {} }],
  rule: 'pickup',
  maxSteps: (c) => 8 * c.height * c.height,
  mission: (_c, _a, b) => `pick up the ${COLOURS[b]} box`,
  check: checkTwoRooms,
  generate(_c, b) {
    const rooms = new Rooms(b, b.height);
    b.b = b.int(0, 5, 'box colour');
    b.a = rooms.place(cell(BOX, b.b), 1, 0, 'box') + 1;
    const colour = b.int(0, 5, 'door colour');
    rooms.door(0, 0, 0, colour, true);
    rooms.place(cell(KEY, colour), 0, 0, 'key');
    rooms.placeAgent(0, 0);
  },
});
