/**
 * Three rods in a viscous liquid, joined by two motors: swim ahead. Gymnasium Swimmer-v5.
 * Obs [heading, two joint angles rad, and the speeds of x, y, heading and joints]; the position (x, y) comes first unless it is left out.
 * Action: torques over the gears (150 Nm), -1..1. Reward forward weight x speed along x - control weight x |action|².
 * Never ends; truncates at `maxSteps`.
 * Source: Gymnasium 1.4.0 `swimmer_v5.py` (Coulom 2002); dimensions of its `swimmer.xml`; 4 x 0.01 s, RK4.
 */
import { z } from 'zod';
import { defineBody } from './lib/define.ts';
import { type Body, coordinatesOf, DEGREE, hinge, rod, slide, type Triple } from './lib/mjcf.ts';
import { CONTROL, controlWeight, copy, EXCLUDED, FORWARD, forwardWeight, spreadStart, squares } from './lib/rules.ts';
import { follow, type Gait } from './lib/scripts.ts';
import { frameSkipField, noiseField, observedField, physicsFields, stepsField } from './lib/settings.ts';

const SOURCE = 'Gymnasium Swimmer-v5';
const THICK = 0.1; // m
const Z: Triple = [0, 0, 1];
const BEND = [-100 * DEGREE, 100 * DEGREE] as const;

const body: Body = {
  name: 'swimmer',
  timestep: 0.01,
  integrator: 'RK4',
  density: 4000,
  viscosity: 0.1,
  usual: { joint: { armature: 0.1 }, shape: { contype: 0, conaffinity: 0, condim: 1 } },
  ground: [{ type: 'plane', name: 'floor', at: [0, 0, -0.1], size: [40, 40, 0.1], condim: 3 }],
  parts: [
    {
      name: 'torso',
      at: [0, 0, 0],
      joints: [
        slide('slider1', [1, 0, 0], undefined, { say: 'x' }),
        slide('slider2', [0, 1, 0], undefined, { say: 'y' }),
        hinge('free_body_rot', Z, undefined, { say: 'heading' }),
      ],
      shapes: [rod([1.5, 0, 0], [0.5, 0, 0], THICK, { name: 'front' })],
      parts: [
        {
          name: 'mid',
          at: [0.5, 0, 0],
          joints: [hinge('motor1_rot', Z, BEND, { say: 'front joint' })],
          shapes: [rod([0, 0, 0], [-1, 0, 0], THICK, { name: 'middle', look: 'accent' })],
          parts: [
            {
              name: 'back',
              at: [-1, 0, 0],
              joints: [hinge('motor2_rot', Z, BEND, { say: 'back joint' })],
              shapes: [rod([0, 0, 0], [-1, 0, 0], THICK)],
            },
          ],
        },
      ],
    },
  ],
  motors: [
    { joint: 'motor1_rot', gear: 150 },
    { joint: 'motor2_rot', gear: 150 },
  ],
  strength: 1,
};
const { positions, speeds } = coordinatesOf(body);
const N = positions.length;

/** Found by a random search for speed: a wave that runs along the body. */
const STROKE: Gait = {
  frequency: 0.98,
  stiffness: 1.81,
  damping: 0.09,
  joints: [
    [0.21, 1.39, -0.38],
    [0.19, -1.26, 0.06],
  ],
};

const config = z.strictObject({
  maxSteps: stepsField(1000, SOURCE),
  frameSkip: frameSkipField(4, SOURCE),
  resetNoiseScale: noiseField(0.1, SOURCE),
  excludeCurrentPositions: observedField(EXCLUDED.title, EXCLUDED.description, SOURCE),
  forwardRewardWeight: forwardWeight(1, SOURCE),
  ctrlCostWeight: controlWeight(0.0001, SOURCE),
  ...physicsFields(9.81, SOURCE),
});

export const mujocoSwimmer = defineBody<z.infer<typeof config>>({
  id: 'mujoco-swimmer',
  title: 'Swimmer (MuJoCo)',
  summary: 'Swim ahead with three rods and two motors.',
  config,
  // One stroke pays late: PPO at the usual discount stays near 100 (rl-baselines3-zoo uses the same).
  recommended: { algo: 'ppo', preset: 'continuous', config: { gamma: 0.9999 }, steps: 1_000_000 },
  body,
  actions: ['front joint', 'back joint'],
  terms: [FORWARD, CONTROL],
  look: { bounds: [-2.2, -1.6, -0.1, 2.2, 1.6, 0.4], travels: true, numbers: ['distance (m)', 'speed (m/s)'] },
  start: ({ resetNoiseScale }, qpos, qvel, draw) => spreadStart(resetNoiseScale, qpos, qvel, draw),
  rules(c) {
    const skip = c.excludeCurrentPositions ? 2 : 0;
    const dt = c.frameSkip * body.timestep;
    return {
      labels: [...positions.slice(skip), ...speeds],
      kept: 0,
      keep() {},
      observe({ floats, q, v }, obs, at) {
        copy(floats, q + skip, N - skip, obs, at);
        copy(floats, v, N, obs, at + N - skip);
      },
      judge({ floats, q }, { qpos }, actions, action, terms, at) {
        terms[at] = (c.forwardRewardWeight * (qpos[0]! - floats[q]!)) / dt;
        terms[at + 1] = -c.ctrlCostWeight * squares(actions, action, 2);
        return false;
      },
      show({ floats, q, v }, out, at) {
        out[at] = floats[q]!;
        out[at + 1] = floats[v]!;
      },
    };
  },
  policies: { stroke: ({ frameSkip }) => follow(body, STROKE, frameSkip * body.timestep) },
  references: [
    { name: 'random', value: 2.7, source: 'uniform actions, 20 episodes' },
    { name: 'published PPO', value: 282, source: 'rl-baselines3-zoo benchmark, one tuned run, 1M steps' },
    { name: 'published SAC', value: 346, source: 'rl-baselines3-zoo benchmark, one tuned run, 1M steps' },
    { name: 'solved', value: 360, source: 'Gymnasium, reward threshold of Swimmer-v5' },
  ],
});
