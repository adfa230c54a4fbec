/**
 * As UnlockPickup, but a ball lies in front of the locked door and must be moved away. Minigrid BlockedUnlockPickup.
 * Step, observation and reward: minigrid/lib/core.ts.
 */
import { BALL, BOX, COLOURS, cell, KEY } from './lib/cells.ts';
import { defineMiniGrid } from './lib/define.ts';
import { checkTwoRooms, Rooms } from './lib/rooms.ts';

export const minigridBlockedUnlockPickup = defineMiniGrid({
  id: 'minigrid-blocked-unlock-pickup',
  title: 'MiniGrid BlockedUnlockPickup',
  summary: 'Clear the way to the locked door, open it, pick up the box.',
  learnNote:
    'Not learned by anything here yet: five things in the right order before the first reward. PPO does not find it in a million steps (three seeds), nor in two million with a bonus for what was seen seldom (one seed).',
  defaults: { width: 11, height: 6, maxStepsText: '16 x height x height' },
  extra: {},
  presets: [{ id: 'standard', title: '11x6', config: {} }],
  rule: 'pickup',
  maxSteps: (c) => 16 * c.height * c.height,
  mission: (_c, _a, b) => `pick up the ${COLOURS[b]} box`,
  check: checkTwoRooms,
  generate(_c, b) {
    const rooms = new Rooms(b, b.height);
    b.b = b.int(0, 5, 'box colour');
    b.a = rooms.place(cell(BOX, b.b), 1, 0, 'box') + 1;
    const colour = b.int(0, 5, 'door colour');
    const door = rooms.door(0, 0, 0, colour, true);
    b.set((door % b.width) - 1, Math.floor(door / b.width), cell(BALL, b.int(0, 5, 'ball colour')));
    rooms.place(cell(KEY, colour), 0, 0, 'key');
    rooms.placeAgent(0, 0);
  },
});
