/**
 * Walk through a maze to a goal on four legs. AntMaze_*-v5.
 * Obs [height, orientation (quaternion), eight joint angles rad, 14 speeds, contact force and torque on each of 13 parts, cut to +-1; its x, y;
 * the goal's x, y]. Action: torques over the gears (150 Nm), -1..1. Cells are 4 m wide. Reward 1 for every step within 0.45 m of the goal; dense:
 * exp(-distance). It may lie on its back: nothing else is paid and nothing ends. Ends at the goal only where it does not go on there; truncates at
 * `maxSteps` (700 u and open, 1000 medium and large).
 * Source: Gymnasium-Robotics 1.4.2 `envs/maze/ant_maze_v5.py`, body as mujoco-ant; 5 x 0.01 s, RK4; place and goal are observed with the rest.
 */
import { checkMaps } from '#contract/game/map-check.ts';
import { gymnasiumChecks } from '../lib/maze/checks.ts';
import { ANT_ACTIONS, ANT_FLOOR, antBody } from './lib/ant.ts';
import { defineMaze } from './lib/maze/define.ts';
import { GYMNASIUM_PRESETS, gymnasiumFields, gymnasiumGolden, gymnasiumSetting, isPublished, ROBOTICS } from './lib/maze/gymnasium.ts';
import { holds } from './lib/scripts.ts';

const LIMITS = { u: 700, open: 700, medium: 1000, large: 1000 };

const REFERENCES = [{ name: 'random', value: 0, source: 'uniform actions, 20 episodes' }];

export const antMaze = defineMaze({
  id: 'ant-maze',
  title: 'Ant maze (MuJoCo)',
  summary: 'Walk through a maze to a goal on four legs.',
  learnNote: 'Not learned by anything here yet: the goal pays only within half a metre of it, and the ant must first learn to walk.',
  source: ROBOTICS,
  config: gymnasiumFields('Gymnasium-Robotics AntMaze', '700 on u and open, 1000 on medium and large, 700 on your own'),
  checkNew: checkMaps,
  presets: GYMNASIUM_PRESETS,
  agent: 'ant',
  observation: { positions: 2, speeds: true, forces: true },
  near: 0.45,
  marked: true,
  actions: ANT_ACTIONS,
  substeps: 5,
  fps: 20,
  setting: (c) => gymnasiumSetting(c, 4, LIMITS, (walls) => antBody({ timestep: 0.01, gear: 150, ground: [ANT_FLOOR, ...walls] })),
  policies: { stance: ({ body }) => holds(body, 0, 0).stance() },
  references: (c) => (isPublished(c) && c.map === 'u' ? REFERENCES : []),
  checks: gymnasiumChecks(4),
  goldenConfig: gymnasiumGolden,
});
