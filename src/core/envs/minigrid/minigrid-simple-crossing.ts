/**
 * Cross a room that rivers of wall divide; start in one corner, goal in the other. Minigrid SimpleCrossingS{9N1..3, 11N5}.
 * Step, observation and reward: minigrid/lib/core.ts.
 */
import { WALL_CELL } from './lib/cells.ts';
import { checkCrossing, crossingPresets, crossingShape, generateCrossing } from './lib/crossing.ts';
import { defineMiniGrid } from './lib/define.ts';

export const minigridSimpleCrossing = defineMiniGrid({
  id: 'minigrid-simple-crossing',
  title: 'MiniGrid SimpleCrossing',
  summary: 'Get through walls by their only openings.',
  defaults: { width: 9, height: 9, maxStepsText: '4 x width x height' },
  extra: crossingShape,
  presets: crossingPresets,
  rule: 'goal',
  maxSteps: (c) => 4 * c.width * c.height,
  mission: () => 'find the opening and get to the green goal square',
  check: checkCrossing,
  generate(c, b) {
    generateCrossing(b, c.crossings, WALL_CELL);
  },
});
