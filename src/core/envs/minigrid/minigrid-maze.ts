/**
 * A maze of walls drawn at random, with a small view: the world of unsupervised environment design (Dennis et al. 2020), drawn as jaxued draws it
 * (commit 0f8f1284): cells for walls are drawn with replacement from all cells within the outline, then agent, its direction and the goal on free
 * ones. Whether the goal can be reached is not checked. Mazes of a design of their own, on which the literature tests, are played by their name.
 * Step, observation and reward: minigrid/lib/core.ts, with 250 steps.
 */
import { z } from 'zod';
import type { Source } from '#contract/catalog/catalog.ts';
import { badConfig } from '../api/parse.ts';
import { GOAL_CELL, WALL_CELL } from './lib/cells.ts';
import { defineMiniGrid } from './lib/define.ts';
import { editLevel } from './lib/edits.ts';
import { NAMED_MAZES } from './lib/mazes.ts';

const UED: Source = {
  title: 'Emergent Complexity and Zero-shot Transfer via Unsupervised Environment Design',
  authors: 'Dennis et al.',
  year: 2020,
  url: 'https://arxiv.org/abs/2012.02096',
};
const NAMES = Object.keys(NAMED_MAZES);
/** Of the named mazes: 13 x 13 cells within the outline. */
const SIDE = 15;
/** Where agents turn right, down, left, up. */
const DIRECTIONS = '>v<^';

export const minigridMaze = defineMiniGrid({
  id: 'minigrid-maze',
  title: 'Maze of drawn walls',
  summary: 'Find the goal behind walls that stand elsewhere in each episode.',
  source: UED,
  defaults: { width: SIDE, height: SIDE, viewSize: 5, maxStepsText: '250' },
  extra: {
    walls: z
      .int()
      .min(0)
      .max(2000)
      .default(25)
      .meta({
        title: 'walls',
        description: 'Cells drawn for walls; one that is drawn twice is one wall.',
        source: 'jaxued maze_plr.py; 50 in Dennis et al. 2020',
        slider: [0, 100],
      }),
    maze: z
      .enum(['drawn', 'any of the named', ...NAMES])
      .default('drawn')
      .meta({
        title: 'maze',
        description: 'Drawn anew for each episode, or one of the mazes that the literature tests on, which no drawing gives.',
        source: 'jaxued maze/level.py',
        depth: 'teach',
      }),
  },
  actions: 3,
  recommended: { algo: 'ppo', preset: 'frontier-levels', config: {}, steps: 1_000_000 },
  presets: [
    { id: 'walls-25', title: '13x13, 25 walls drawn', config: {} },
    { id: 'walls-60', title: '13x13, 60 walls drawn', config: { walls: 60 } },
    { id: 'named', title: 'The eight named mazes', config: { maze: 'any of the named' } },
    { id: 'sixteen-rooms', title: 'Sixteen rooms', config: { maze: 'sixteen rooms' } },
    { id: 'labyrinth', title: 'Labyrinth', config: { maze: 'labyrinth' } },
  ],
  rule: 'goal',
  edited: editLevel,
  maxSteps: () => 250,
  mission: () => 'reach the goal',
  check(c) {
    if (c.maze !== 'drawn' && (c.width !== SIDE || c.height !== SIDE))
      throw badConfig('maze', `The named mazes have ${SIDE} x ${SIDE} cells.`, `Width and height ${SIDE}, or drawn mazes.`);
    const cells = (c.width - 2) * (c.height - 2);
    if (c.maze === 'drawn' && c.walls > cells - 2)
      throw badConfig('walls', 'No cell may be left for agent and goal.', `At most ${cells - 2}.`);
  },
  generate(c, b) {
    b.walls(0, 0, b.width, b.height);
    if (c.maze !== 'drawn') {
      const name = c.maze === 'any of the named' ? b.pick(NAMES, 'maze') : c.maze;
      NAMED_MAZES[name]!.forEach((row, y) => {
        [...row].forEach((sign, x) => {
          if (sign === '#') b.set(x + 1, y + 1, WALL_CELL);
          else if (sign === 'G') b.set(x + 1, y + 1, GOAL_CELL);
          else if (DIRECTIONS.includes(sign)) b.agent(x + 1, y + 1, DIRECTIONS.indexOf(sign));
        });
      });
      return;
    }
    const inner = b.width - 2;
    for (let n = 0; n < c.walls; n++) {
      const at = b.int(0, inner * (b.height - 2) - 1, 'wall');
      b.set(1 + (at % inner), 1 + Math.floor(at / inner), WALL_CELL);
    }
    b.placeAgent();
    b.place(GOAL_CELL, 'goal');
  },
});
