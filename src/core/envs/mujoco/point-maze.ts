/**
 * Push a ball through a maze to a goal. PointMaze_*-v3.
 * Obs [x, y, its velocity; the goal's x, y], m and m/s. Action: forces along x and y, -1..1 times 100 N on 4.2 kg; speeds above 5 m/s are cut before
 * a step of 0.01 s (Euler). Walls are smooth. Reward 1 for every step within 0.45 m of the goal; dense: exp(-distance).
 * Ends at the goal only where it does not go on there; truncates at `maxSteps` (300 u and open, 600 medium, 800 large).
 * Source: Gymnasium-Robotics 1.4.2 `envs/maze/point_maze.py`; the goal is observed with the rest.
 */
import { checkMaps } from '#contract/game/map-check.ts';
import { gymnasiumChecks } from '../lib/maze/checks.ts';
import { Ways } from '../lib/maze/ways.ts';
import { defineMaze, PUSHES } from './lib/maze/define.ts';
import { pusher } from './lib/maze/experts.ts';
import { GYMNASIUM_PRESETS, gymnasiumFields, gymnasiumGolden, gymnasiumSetting, isPublished, ROBOTICS } from './lib/maze/gymnasium.ts';
import { gymnasiumPoint } from './lib/maze/model.ts';

const LIMITS = { u: 300, open: 300, medium: 600, large: 800 };
const FASTEST = 5; // m/s, of each component before a step
const GOAL = 4; // where the observation holds it
const NOISE = 0.5;

/** Mean returns at random and of the expert, by map. */
const MEASURED: { readonly [map: string]: readonly [random: number, expert: number] } = {
  u: [15.7, 219],
  open: [9.6, 224.1],
  medium: [11.3, 450.7],
  large: [3.5, 588.5],
  'large-gr': [2.5, 529.9],
};
const MEASURES = [
  { name: 'random', source: 'uniform actions, 200 episodes on u, 60 elsewhere' },
  { name: 'expert', source: 'policy "expert", the same episodes' },
] as const;

export const pointMaze = defineMaze({
  id: 'point-maze',
  title: 'Point maze (MuJoCo)',
  summary: 'Push a ball through a maze to a goal that is another in each episode.',
  recommended: { algo: 'sac', preset: 'hindsight', config: { gamma: 0.98 }, steps: 40_000 },
  source: ROBOTICS,
  config: gymnasiumFields('Gymnasium-Robotics PointMaze', '300 on u and open, 600 on medium, 800 on large, 300 on your own'),
  checkNew: checkMaps,
  presets: GYMNASIUM_PRESETS,
  agent: 'ball',
  observation: { positions: 0, speeds: true, forces: false },
  near: 0.45,
  marked: false,
  lift: 0.1,
  actions: ['force x', 'force y'],
  axes: PUSHES,
  substeps: 1,
  fps: 50,
  control: (action) => Math.min(1, Math.max(-1, action)),
  begin({ qvel }) {
    for (let i = 0; i < 2; i++) qvel[i] = Math.min(FASTEST, Math.max(-FASTEST, qvel[i]!));
  },
  setting: (c) => gymnasiumSetting(c, 1, LIMITS, gymnasiumPoint),
  policies: {
    expert: ({ maze, places }) => pusher(new Ways(maze), places, GOAL, 0),
    'expert-noisy': ({ maze, places }) => pusher(new Ways(maze), places, GOAL, NOISE),
  },
  references: (c) => (isPublished(c) ? (MEASURED[c.map] ?? []).map((value, i) => ({ ...MEASURES[i]!, value })) : []),
  checks: gymnasiumChecks(1),
  goldenConfig: gymnasiumGolden,
});
