/**
 * A room with a red door on the left and a blue one on the right: open the red one first, then the blue. Minigrid RedBlueDoors
 * (2n x n). Step, observation and reward: minigrid/lib/core.ts.
 */

import { badConfig } from '../api/parse.ts';
import { BLUE, CLOSED, cell, DOOR, RED } from './lib/cells.ts';
import { defineMiniGrid } from './lib/define.ts';

export const minigridRedBlueDoors = defineMiniGrid({
  id: 'minigrid-red-blue-doors',
  title: 'MiniGrid RedBlueDoors',
  summary: 'Open the red door, then the blue one, and remember which you opened.',
  defaults: { width: 16, height: 8, maxStepsText: '20 x height x height' },
  extra: {},
  recommended: { algo: 'ppo', preset: 'minigrid-counts', steps: 2_000_000 },
  presets: [
    { id: '8x8', title: 'room of 8', config: {} },
    { id: '6x6', title: 'room of 6', config: { width: 12, height: 6 } },
  ],
  rule: 'open-in-order',
  maxSteps: (c) => 20 * c.height * c.height,
  mission: () => 'open the red door then the blue door',
  check(c) {
    if (c.width !== 2 * c.height || c.height < 4)
      throw badConfig('width', 'The map is twice as wide as high.', 'Width 2 x height, height 4 or more.');
  },
  generate(_c, b) {
    const size = b.height;
    const left = Math.floor(size / 2);
    const right = left + size - 1;
    b.walls(0, 0, b.width, b.height);
    b.walls(left, 0, size, size);
    b.placeAgent(left, 0, size, size);
    const redRow = b.int(1, size - 2, 'red row');
    const blueRow = b.int(1, size - 2, 'blue row');
    b.set(left, redRow, cell(DOOR, RED, CLOSED));
    b.set(right, blueRow, cell(DOOR, BLUE, CLOSED));
    b.a = b.index(left, redRow);
    b.b = b.index(right, blueRow);
  },
});
