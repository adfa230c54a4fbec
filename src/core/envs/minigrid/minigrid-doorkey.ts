/**
 * A wall with a locked yellow door splits the room; fetch the key on the near side, open the door, get to the goal.
 * Minigrid DoorKey-{5x5, 6x6, 8x8, 16x16}. Step, observation and reward: minigrid/lib/core.ts.
 */

import { badConfig } from '../api/parse.ts';
import { defineMiniGrid } from './lib/define.ts';
import { doorkeyRoom } from './lib/plain-rooms.ts';

export const minigridDoorkey = defineMiniGrid({
  id: 'minigrid-doorkey',
  title: 'MiniGrid DoorKey',
  summary: 'Pick up the key, open the locked door, walk to the goal.',
  defaults: { width: 8, height: 8, maxStepsText: '10 x width x height' },
  extra: {},
  // Eight copies at half the step size, as for other rooms, stayed at 0.04 greedily after 700,000 steps.
  recommended: { algo: 'ppo', preset: 'minigrid', config: { envs: 16, lr: 1e-3 }, steps: 800_000 },
  presets: [
    { id: '8x8', title: '8x8', config: {} },
    { id: '5x5', title: '5x5', config: { width: 5, height: 5 } },
    { id: '6x6', title: '6x6', config: { width: 6, height: 6 } },
    { id: '16x16', title: '16x16', config: { width: 16, height: 16 } },
  ],
  rule: 'goal',
  maxSteps: (c) => 10 * c.width * c.height,
  mission: () => 'use the key to open the door and then get to the goal',
  check(c) {
    if (c.width < 5 || c.height < 4)
      throw badConfig('width', 'There is no room for a door between two sides.', 'Width 5 or more, height 4 or more.');
  },
  generate: doorkeyRoom,
});
