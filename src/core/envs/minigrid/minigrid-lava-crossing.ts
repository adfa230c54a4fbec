/**
 * Cross a room that rivers of lava divide; start in one corner, goal in the other. Minigrid LavaCrossingS{9N1..3, 11N5}.
 * Step, observation and reward: minigrid/lib/core.ts.
 */
import { LAVA_CELL } from './lib/cells.ts';
import { checkCrossing, crossingPresets, crossingShape, generateCrossing } from './lib/crossing.ts';
import { defineMiniGrid } from './lib/define.ts';

export const minigridLavaCrossing = defineMiniGrid({
  id: 'minigrid-lava-crossing',
  title: 'MiniGrid LavaCrossing',
  summary: 'Get across rivers of lava through their only openings.',
  defaults: { width: 9, height: 9, maxStepsText: '4 x width x height' },
  extra: crossingShape,
  recommended: { algo: 'ppo', preset: 'minigrid-counts', steps: 2_000_000 },
  presets: crossingPresets,
  rule: 'goal',
  maxSteps: (c) => 4 * c.width * c.height,
  mission: () => 'avoid the lava and get to the green goal square',
  check: checkCrossing,
  generate(c, b) {
    generateCrossing(b, c.crossings, LAVA_CELL);
  },
});
