/**
 * Remember the thing in the start room; at the end of the hallway stand next to the same one. Minigrid Memory S7..S17.
 * Success beside the matching thing, end with 0 beside the other; pickup acts as toggle. Sides are odd.
 * Step, observation and reward: minigrid/lib/core.ts.
 */
import { z } from 'zod';
import { badConfig } from '../api/parse.ts';
import { BALL, cell, GREEN, KEY, WALL_CELL } from './lib/cells.ts';
import { defineMiniGrid } from './lib/define.ts';

export const minigridMemory = defineMiniGrid({
  id: 'minigrid-memory',
  title: 'MiniGrid Memory',
  summary: 'Look at a thing, walk down a hallway, and choose the same thing at its end.',
  recommended: { algo: 'recurrent-ppo', preset: 'memory', steps: 600_000 },
  defaults: { width: 7, height: 7, pickupActsAsToggle: true, maxStepsText: '5 x width x height' },
  extra: {
    randomLength: z
      .boolean()
      .default(false)
      .meta({ title: 'random hallway', description: 'The hallway ends anywhere, not at the far side.' }),
  },
  presets: [
    { id: 's7', title: '7x7', config: {} },
    { id: 's9', title: '9x9', config: { width: 9, height: 9 } },
    { id: 's11', title: '11x11', config: { width: 11, height: 11 } },
    { id: 's13', title: '13x13', config: { width: 13, height: 13 } },
    { id: 's13-random', title: '13x13, random hallway', config: { width: 13, height: 13, randomLength: true } },
    { id: 's17-random', title: '17x17, random hallway', config: { width: 17, height: 17, randomLength: true } },
  ],
  rule: 'reach',
  maxSteps: (c) => 5 * c.width * c.height,
  mission: () => 'go to the matching object at the end of the hallway',
  check(c) {
    if (c.width < 7 || c.height < 7 || c.height % 2 === 0)
      throw badConfig('height', 'The hallway needs a middle.', 'Width 7 or more, height odd, 7 or more.');
  },
  generate(c, b) {
    const middle = Math.floor(b.height / 2);
    const end = c.randomLength ? b.int(4, b.width - 3, 'hallway') : b.width - 3;
    b.walls(0, 0, b.width, b.height);
    b.horizontal(1, middle - 2, 4);
    b.horizontal(1, middle + 2, 4);
    b.set(4, middle + 1, WALL_CELL);
    b.set(4, middle - 1, WALL_CELL);
    b.horizontal(5, middle - 1, Math.max(0, end - 5));
    b.horizontal(5, middle + 1, Math.max(0, end - 5));
    for (let y = 0; y < b.height; y++) {
      if (y !== middle) b.set(end, y, WALL_CELL);
      b.set(end + 2, y, WALL_CELL);
    }
    b.agent(b.int(1, end, 'agent x'), middle, 0);
    const shown = b.pick([KEY, BALL], 'thing');
    const upper = b.pick([KEY, BALL], 'upper thing');
    b.set(1, middle - 1, cell(shown, GREEN));
    b.set(end + 1, middle - 2, cell(upper, GREEN));
    b.set(end + 1, middle + 2, cell(upper === KEY ? BALL : KEY, GREEN));
    const above = b.index(end + 1, middle - 1) + 1;
    const below = b.index(end + 1, middle + 1) + 1;
    b.a = shown === upper ? above : below;
    b.b = shown === upper ? below : above;
  },
});
