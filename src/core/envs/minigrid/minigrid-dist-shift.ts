/**
 * Two strips of lava in the way to the goal; the second lies elsewhere in the second variant: train on one, test on the other.
 * Minigrid DistShift1, DistShift2 (9 x 7). Step, observation and reward: minigrid/lib/core.ts.
 */
import { z } from 'zod';
import { badConfig } from '../api/parse.ts';
import { GOAL_CELL, LAVA_CELL } from './lib/cells.ts';
import { defineMiniGrid } from './lib/define.ts';

export const minigridDistShift = defineMiniGrid({
  id: 'minigrid-dist-shift',
  title: 'MiniGrid DistShift',
  summary: 'Walk around strips of lava that can be moved after training.',
  defaults: { width: 9, height: 7, seeThroughWalls: true, maxStepsText: '4 x width x height' },
  extra: {
    stripRow: z
      .int()
      .min(1)
      .max(62)
      .default(2)
      .meta({ title: 'second strip', description: 'Row of the second strip of lava: 2 or 5.', source: 'Minigrid DistShift' }),
  },
  presets: [
    { id: '1', title: 'strip in row 2', config: {} },
    { id: '2', title: 'strip in row 5', config: { stripRow: 5 } },
  ],
  rule: 'goal',
  maxSteps: (c) => 4 * c.width * c.height,
  mission: () => 'get to the green goal square',
  check(c) {
    if (c.width < 7) throw badConfig('width', 'There is no room for the strips.', 'Width 7 or more.');
    if (c.stripRow > c.height - 2)
      throw badConfig('stripRow', `Row ${c.stripRow} is not inside the room.`, `Allowed: 1 to ${c.height - 2}.`);
  },
  generate(c, b) {
    b.walls(0, 0, b.width, b.height);
    b.set(b.width - 2, 1, GOAL_CELL);
    b.horizontal(3, 1, b.width - 6, LAVA_CELL);
    b.horizontal(3, c.stripRow, b.width - 6, LAVA_CELL);
    b.agent(1, 1, 0);
  },
});
