/**
 * An empty room; get to the green goal. Minigrid Empty-{5x5, 6x6, 8x8, 16x16} and Empty-Random: start (1, 1) facing right or
 * anywhere, goal in the far corner. Step, observation and reward: minigrid/lib/core.ts.
 */
import { z } from 'zod';
import { defineMiniGrid } from './lib/define.ts';
import { emptyRoom } from './lib/plain-rooms.ts';

export const minigridEmpty = defineMiniGrid({
  id: 'minigrid-empty',
  title: 'MiniGrid Empty',
  summary: 'Walk to the green goal of an empty room.',
  recommended: { algo: 'ppo', config: { envs: 16, minibatches: 8, lr: 1e-3 }, steps: 200_000 },
  defaults: { width: 8, height: 8, seeThroughWalls: true, maxStepsText: '4 x width x height' },
  extra: {
    randomStart: z.boolean().default(false).meta({
      title: 'random start',
      description: 'Start anywhere, in any direction, instead of in the corner.',
      source: 'Minigrid Empty-Random',
    }),
  },
  presets: [
    { id: '8x8', title: '8x8', config: {} },
    { id: '5x5', title: '5x5', config: { width: 5, height: 5 } },
    { id: '6x6', title: '6x6', config: { width: 6, height: 6 } },
    { id: '16x16', title: '16x16', config: { width: 16, height: 16 } },
    { id: 'random-5x5', title: '5x5, random start', config: { width: 5, height: 5, randomStart: true } },
    { id: 'random-6x6', title: '6x6, random start', config: { width: 6, height: 6, randomStart: true } },
  ],
  rule: 'goal',
  maxSteps: (c) => 4 * c.width * c.height,
  mission: () => 'get to the green goal square',
  generate: emptyRoom,
  references(c) {
    if (c.randomStart) return [];
    const steps = c.width - 3 + c.height - 3 + 1; // one turn
    const limit = c.maxSteps ?? 4 * c.width * c.height;
    return [{ name: 'optimal', value: 1 - (0.9 * steps) / limit, source: `exact: ${steps} steps` }];
  },
});
