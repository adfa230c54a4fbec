/**
 * An empty room in which balls walk about; get to the green goal. Minigrid Dynamic-Obstacles-{5x5, 6x6, 8x8, 16x16} and Random.
 * Only three actions: left, right, forward. Every step first each ball moves (minigrid/lib/obstacles.ts), then the agent. Going forward
 * while a ball or a wall was in front gives -1 and ends the episode, even if the ball walked away in that step; a ball that walks up
 * to the agent does no harm. On a map of one's own every ball walks. Observation and reward of success: minigrid/lib/core.ts.
 */
import { z } from 'zod';
import { BALL, BLUE, cell, GOAL_CELL } from './lib/cells.ts';
import { defineMiniGrid } from './lib/define.ts';

export const minigridDynamicObstacles = defineMiniGrid({
  id: 'minigrid-dynamic-obstacles',
  title: 'MiniGrid Dynamic Obstacles',
  summary: 'Get to the goal past balls that walk about.',
  recommended: { algo: 'ppo', preset: 'minigrid-counts', steps: 1_000_000 },
  defaults: { width: 8, height: 8, seeThroughWalls: true, maxStepsText: '4 x width x height' },
  extra: {
    obstacles: z.int().min(0).max(32).default(4).meta({
      title: 'obstacles',
      description: 'Balls that walk about; as in the reference, more than width / 2 + 1 become width / 2.',
      source: 'Minigrid Dynamic-Obstacles-8x8',
    }),
    randomStart: z.boolean().default(false).meta({
      title: 'random start',
      description: 'Start anywhere, in any direction, instead of in the corner.',
      source: 'Minigrid Dynamic-Obstacles-Random',
    }),
  },
  presets: [
    { id: '8x8', title: '8x8, 4 obstacles', config: {} },
    { id: '5x5', title: '5x5, 2 obstacles', config: { width: 5, height: 5, obstacles: 2 } },
    { id: 'random-5x5', title: '5x5, 2 obstacles, random start', config: { width: 5, height: 5, obstacles: 2, randomStart: true } },
    { id: '6x6', title: '6x6, 3 obstacles', config: { width: 6, height: 6, obstacles: 3 } },
    { id: 'random-6x6', title: '6x6, 3 obstacles, random start', config: { width: 6, height: 6, obstacles: 3, randomStart: true } },
    { id: '16x16', title: '16x16, 8 obstacles', config: { width: 16, height: 16, obstacles: 8 } },
  ],
  rule: 'goal',
  actions: 3,
  obstacles: true,
  maxSteps: (c) => 4 * c.width * c.height,
  mission: () => 'get to the green goal square',
  generate(c, b) {
    b.walls(0, 0, b.width, b.height);
    b.set(b.width - 2, b.height - 2, GOAL_CELL);
    if (c.randomStart) b.placeAgent();
    else b.agent(1, 1, 0);
    const count = c.obstacles <= b.width / 2 + 1 ? c.obstacles : Math.floor(b.width / 2);
    for (let i = 0; i < count; i++) b.identify(b.place(cell(BALL, BLUE), 'obstacle'), i);
  },
});
