/**
 * Move a ball through a maze from the start to the goal of a task. OGBench pointmaze-*-v0.
 * Obs [x, y; the goal's x, y], m. Action: a move along x and y, -1..1 times 0.2 m, then 5 x 0.02 s of physics (RK4) in which walls push back.
 * Reward 1 within 1 m of the goal, else 0; with a single task 1 less. In the maze teleport, a place within 1.5 m of a way in (red) leads to one
 * of three ways out; one of them is a trap. Ends at the goal unless it goes on there; truncates at `maxSteps`.
 * Source: OGBench 1.2.1 `ogbench/locomaze/point.py`, `maze.py`; the goal is observed with the rest.
 */

import { ogbenchChecks } from '../lib/maze/checks.ts';
import { Ways } from '../lib/maze/ways.ts';
import { standard } from '../lib/references.ts';
import { defineMaze, PUSHES } from './lib/maze/define.ts';
import { walker } from './lib/maze/experts.ts';
import { ogbenchPoint } from './lib/maze/model.ts';
import { OGBENCH, OGBENCH_PRESETS, ogbenchFields, ogbenchSetting } from './lib/maze/ogbench.ts';

const NEAR = 1; // m
const MOVE = 0.2; // m of an action of 1
const GOAL = 2; // where the observation holds it
/** Of OGBench's recordings. */
const NOISE = 0.5;

const FIELDS = ogbenchFields('OGBench pointmaze');
const isStandard = standard(FIELDS);
const REFERENCES = [
  { name: 'random', value: 0, source: 'uniform actions, 40 episodes' },
  { name: 'expert', value: 0.8, source: 'policy "expert", 40 episodes: it goes to the middle of the goal’s cell, not to the goal' },
];

export const ogbenchPointMaze = defineMaze({
  id: 'ogbench-point-maze',
  title: 'Point maze (OGBench)',
  summary: 'Move a ball from start to goal, five tasks in each maze.',
  source: OGBENCH,
  config: FIELDS,
  presets: OGBENCH_PRESETS,
  agent: 'ball',
  observation: { positions: 0, speeds: false, forces: false },
  near: NEAR,
  marked: false,
  actions: ['move x', 'move y'],
  axes: PUSHES,
  substeps: 5,
  fps: 10,
  control: () => 0,
  begin({ qpos, qvel }, actions, action) {
    for (let i = 0; i < 2; i++) {
      qpos[i] = qpos[i]! + MOVE * actions[action + i]!;
      qvel[i] = 0;
    }
  },
  setting: (c) =>
    ogbenchSetting(c, NEAR, ogbenchPoint, (qpos, qvel, draw) => {
      for (let i = 0; i < 2; i++) {
        qpos[i] = 0;
        qvel[i] = 0.1 * draw.normal();
      }
    }),
  policies: {
    expert: ({ maze, places }) => walker(new Ways(maze), places, GOAL, 0),
    'expert-noisy': ({ maze, places }) => walker(new Ways(maze), places, GOAL, NOISE),
  },
  references: (c) => (isStandard(c) ? REFERENCES : []),
  checks: ogbenchChecks(),
});
