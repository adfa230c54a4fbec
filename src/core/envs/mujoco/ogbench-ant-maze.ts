/**
 * Walk through a maze on four legs from the start to the goal of a task. OGBench antmaze-*-v0.
 * Obs [x, y, height, orientation (quaternion), eight joint angles rad, 14 speeds; the goal's x, y]. Action: torques over the gears (30 Nm), -1..1;
 * 5 x 0.02 s, RK4. Reward 1 within 0.5 m of the goal, else 0; with a single task 1 less. In the maze teleport, a place within 1.5 m of a way in (red)
 * leads to one of three ways out; one of them is a trap. Ends at the goal unless it goes on there; truncates at `maxSteps`.
 * Source: OGBench 1.2.1 `ogbench/locomaze/ant.py`, `maze.py`, `assets/ant.xml`; the goal is observed with the rest.
 */

import { ogbenchChecks } from '../lib/maze/checks.ts';
import { standard } from '../lib/references.ts';
import { ANT_ACTIONS, antBody } from './lib/ant.ts';
import { defineMaze } from './lib/maze/define.ts';
import { OGBENCH, OGBENCH_PRESETS, ogbenchFields, ogbenchSetting } from './lib/maze/ogbench.ts';
import { normalStart } from './lib/rules.ts';
import { holds } from './lib/scripts.ts';

const NEAR = 0.5; // m
const NOISE = 0.1; // of a start

const FIELDS = ogbenchFields('OGBench antmaze');
const isStandard = standard(FIELDS);
const REFERENCES = [{ name: 'random', value: 0, source: 'uniform actions, 20 episodes' }];

export const ogbenchAntMaze = defineMaze({
  id: 'ogbench-ant-maze',
  title: 'Ant maze (OGBench)',
  summary: 'Walk on four legs from start to goal, five tasks in each maze.',
  learnNote: 'Not learned by anything here yet: it is made for learning from recordings of an ant that walks already.',
  source: OGBENCH,
  config: FIELDS,
  presets: OGBENCH_PRESETS,
  agent: 'ant',
  observation: { positions: 0, speeds: true, forces: false },
  near: NEAR,
  marked: true,
  actions: ANT_ACTIONS,
  substeps: 5,
  fps: 10,
  setting: (c) =>
    ogbenchSetting(
      c,
      NEAR,
      (floor, walls) => antBody({ timestep: 0.02, gear: 30, solimp: [0.8, 0.8, 0.01], ground: [floor, ...walls] }),
      (qpos, qvel, draw) => normalStart(NOISE, qpos, qvel, draw),
    ),
  policies: { stance: ({ body }) => holds(body, 0, 0).stance() },
  references: (c) => (isStandard(c) ? REFERENCES : []),
  checks: ogbenchChecks(),
});
