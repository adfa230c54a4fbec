/**
 * Four rooms with one gap in each wall between them; agent and goal anywhere. Minigrid FourRooms (19 x 19), after Sutton, Precup
 * and Singh 1999. Step, observation and reward: minigrid/lib/core.ts.
 */

import { badConfig } from '../api/parse.ts';
import { EMPTY_CELL, GOAL_CELL } from './lib/cells.ts';
import { defineMiniGrid } from './lib/define.ts';

export const minigridFourRooms = defineMiniGrid({
  id: 'minigrid-four-rooms',
  title: 'MiniGrid FourRooms',
  summary: 'Find the goal somewhere in four connected rooms.',
  defaults: { width: 19, height: 19, maxStepsText: '100' },
  extra: {},
  presets: [{ id: 'standard', title: '19x19', config: {} }],
  rule: 'goal',
  maxSteps: () => 100,
  mission: () => 'reach the goal',
  check(c) {
    if (c.width < 7 || c.height < 7) throw badConfig('width', 'Four rooms need more space.', 'Width and height 7 or more.');
  },
  generate(_c, b) {
    const roomWidth = Math.floor(b.width / 2);
    const roomHeight = Math.floor(b.height / 2);
    b.walls(0, 0, b.width, b.height);
    b.vertical(roomWidth, 0, b.height);
    b.horizontal(0, roomHeight, b.width);
    b.set(roomWidth, b.int(1, roomHeight - 1, 'gap'), EMPTY_CELL);
    b.set(b.int(1, roomWidth - 1, 'gap'), roomHeight, EMPTY_CELL);
    b.set(roomWidth, b.int(roomHeight + 1, b.height - 2, 'gap'), EMPTY_CELL);
    b.set(b.int(roomWidth + 1, b.width - 2, 'gap'), roomHeight, EMPTY_CELL);
    b.placeAgent();
    b.place(GOAL_CELL, 'goal');
  },
});
