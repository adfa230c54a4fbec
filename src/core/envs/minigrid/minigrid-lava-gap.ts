/**
 * One column of lava with one gap; start in one corner, goal in the other. Minigrid LavaGap S5..S7.
 * Step, observation and reward: minigrid/lib/core.ts.
 */

import { badConfig } from '../api/parse.ts';
import { EMPTY_CELL, GOAL_CELL, LAVA_CELL } from './lib/cells.ts';
import { defineMiniGrid } from './lib/define.ts';

export const minigridLavaGap = defineMiniGrid({
  id: 'minigrid-lava-gap',
  title: 'MiniGrid LavaGap',
  summary: 'Pass the gap in a strip of lava.',
  defaults: { width: 7, height: 7, maxStepsText: '4 x width x height' },
  extra: {},
  presets: [
    { id: 's7', title: '7x7', config: {} },
    { id: 's6', title: '6x6', config: { width: 6, height: 6 } },
    { id: 's5', title: '5x5', config: { width: 5, height: 5 } },
  ],
  rule: 'goal',
  maxSteps: (c) => 4 * c.width * c.height,
  mission: () => 'avoid the lava and get to the green goal square',
  check(c) {
    if (c.width < 5) throw badConfig('width', 'There is no room for a strip between start and goal.', 'Width 5 or more.');
  },
  generate(_c, b) {
    b.walls(0, 0, b.width, b.height);
    b.agent(1, 1, 0);
    b.set(b.width - 2, b.height - 2, GOAL_CELL);
    const x = b.int(2, b.width - 3, 'strip');
    b.vertical(x, 1, b.height - 2, LAVA_CELL);
    b.set(x, b.int(1, b.height - 2, 'gap'), EMPTY_CELL);
  },
});
