/**
 * A world of one's own: any map and end rule. Without a map of its own, nine rooms joined by doors, the goal in the last.
 * Step, observation and reward: minigrid/lib/core.ts.
 */
import { CLOSED, cell, DOOR, EMPTY_CELL, GOAL_CELL } from './lib/cells.ts';
import { defineMiniGrid } from './lib/define.ts';

const NINE_ROOMS_MIN = 10;

export const minigridCustom = defineMiniGrid({
  id: 'minigrid-custom',
  title: 'MiniGrid Custom',
  summary: 'Draw your own map: walls, doors, keys, lava, goals.',
  learnNote:
    'Not learned by anything here yet: the map that is shown first has nine rooms and one goal. In a million steps PPO found it on none of three seeds; of three earlier ones on one.',
  defaults: { width: 13, height: 13, maxStepsText: '4 x width x height' },
  extra: {},
  presets: [
    { id: 'nine-rooms', title: 'nine rooms', config: {} },
    {
      id: 'two-keys',
      title: 'two keys, lava',
      config: {
        layout: [
          'WE WE WE WE WE WE WE WE WE',
          'WE .. .. .. WE .. .. KB WE',
          'WE .. KY .. LY .. VR .. WE',
          'WE .. .. .. WE .. VR .. WE',
          'WE .. .. .. WE .. .. .. WE',
          'WE WE WE WE WE LB WE WE WE',
          'WE .. .. .. .. .. .. GG WE',
          'WE WE WE WE WE WE WE WE WE',
        ],
        start: [1, 1, 0],
      },
    },
  ],
  rule: 'goal',
  maxSteps: (c) => 4 * c.width * c.height,
  mission: () => 'get to the green goal square',
  generate(_c, b) {
    b.walls(0, 0, b.width, b.height);
    b.set(b.width - 2, b.height - 2, GOAL_CELL);
    b.agent(1, 1, 0);
    if (b.width < NINE_ROOMS_MIN || b.height < NINE_ROOMS_MIN) return;
    const xs = [0, Math.floor((b.width - 1) / 3), Math.floor((2 * (b.width - 1)) / 3), b.width - 1];
    const ys = [0, Math.floor((b.height - 1) / 3), Math.floor((2 * (b.height - 1)) / 3), b.height - 1];
    for (const x of xs.slice(1, 3)) b.vertical(x, 0, b.height);
    for (const y of ys.slice(1, 3)) b.horizontal(0, y, b.width);
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++) {
        const middleX = Math.floor((xs[i]! + xs[i + 1]!) / 2);
        const middleY = Math.floor((ys[j]! + ys[j + 1]!) / 2);
        // a door to the right of every room, a gap below it
        if (i < 2) b.set(xs[i + 1]!, middleY, cell(DOOR, (3 * j + i) % 6, CLOSED));
        if (j < 2) b.set(middleX, ys[j + 1]!, EMPTY_CELL);
      }
  },
});
