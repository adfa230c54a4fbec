/**
 * A flat two-legged runner with six motors: run ahead as fast as it can. Gymnasium HalfCheetah-v5.
 * Obs [height, pitch, six joint angles rad, and the speeds of x, height, pitch and the joints]; the position x comes first unless it is left
 * out. Action: torques of the joints over their gears, -1..1. Reward forward weight x speed along x - control weight x |action|².
 * Never ends; truncates at `maxSteps`.
 * Source: Gymnasium 1.4.0 `half_cheetah_v5.py` (Wawrzyński 2007); dimensions of its `half_cheetah.xml`; 5 x 0.01 s, Euler.
 */
import { z } from 'zod';
import { defineBody } from './lib/define.ts';
import { type Body, coordinatesOf, hinge, pill, rod, slide, type Triple } from './lib/mjcf.ts';
import { CONTROL, controlWeight, copy, EXCLUDED, FORWARD, forwardWeight, normalStart, squares } from './lib/rules.ts';
import { follow, type Gait } from './lib/scripts.ts';
import { frameSkipField, noiseField, observedField, physicsFields, stepsField } from './lib/settings.ts';

const SOURCE = 'Gymnasium HalfCheetah-v5';
const THICK = 0.046; // m, radius of every bone
const Y: Triple = [0, 1, 0];
/** A bone about its middle, pitched. */
const bone = (x: number, z: number, pitch: number, half: number, look?: 'accent') =>
  pill(THICK, half, { at: [x, 0, z], turned: [...Y, pitch], ...(look && { look }) });
const root = { armature: 0, damping: 0, stiffness: 0 };

const body: Body = {
  name: 'half cheetah',
  timestep: 0.01,
  integrator: 'Euler',
  totalMass: 14,
  usual: {
    joint: { armature: 0.1, damping: 0.01, solimplimit: [0, 0.8, 0.03], stiffness: 8 },
    shape: { contype: 1, conaffinity: 0, condim: 3, friction: [0.4, 0.1, 0.1], solimp: [0, 0.8, 0.01] },
  },
  ground: [{ type: 'plane', name: 'floor', size: [40, 40, 40], conaffinity: 1 }],
  parts: [
    {
      name: 'torso',
      at: [0, 0, 0.7],
      joints: [
        slide('rootx', [1, 0, 0], undefined, { ...root, say: 'x' }),
        slide('rootz', [0, 0, 1], undefined, { ...root, say: 'height' }),
        hinge('rooty', Y, undefined, { ...root, say: 'pitch' }),
      ],
      shapes: [rod([-0.5, 0, 0], [0.5, 0, 0], THICK), { ...bone(0.6, 0.1, 0.87, 0.15), name: 'head' }],
      parts: [
        {
          name: 'bthigh',
          at: [-0.5, 0, 0],
          joints: [hinge('bthigh', Y, [-0.52, 1.05], { damping: 6, stiffness: 240, say: 'back thigh' })],
          shapes: [bone(0.1, -0.13, -3.8, 0.145)],
          parts: [
            {
              name: 'bshin',
              at: [0.16, 0, -0.25],
              joints: [hinge('bshin', Y, [-0.785, 0.785], { damping: 4.5, stiffness: 180, say: 'back shin' })],
              shapes: [bone(-0.14, -0.07, -2.03, 0.15)],
              parts: [
                {
                  name: 'bfoot',
                  at: [-0.28, 0, -0.14],
                  joints: [hinge('bfoot', Y, [-0.4, 0.785], { damping: 3, stiffness: 120, say: 'back foot' })],
                  shapes: [bone(0.03, -0.097, -0.27, 0.094)],
                },
              ],
            },
          ],
        },
        {
          name: 'fthigh',
          at: [0.5, 0, 0],
          joints: [hinge('fthigh', Y, [-1, 0.7], { damping: 4.5, stiffness: 180, say: 'front thigh' })],
          shapes: [bone(-0.07, -0.12, 0.52, 0.133, 'accent')],
          parts: [
            {
              name: 'fshin',
              at: [-0.14, 0, -0.24],
              joints: [hinge('fshin', Y, [-1.2, 0.87], { damping: 3, stiffness: 120, say: 'front shin' })],
              shapes: [bone(0.065, -0.09, -0.6, 0.106, 'accent')],
              parts: [
                {
                  name: 'ffoot',
                  at: [0.13, 0, -0.18],
                  joints: [hinge('ffoot', Y, [-0.5, 0.5], { damping: 1.5, stiffness: 60, say: 'front foot' })],
                  shapes: [bone(0.045, -0.07, -0.6, 0.07, 'accent')],
                },
              ],
            },
          ],
        },
      ],
    },
  ],
  motors: [
    { joint: 'bthigh', gear: 120 },
    { joint: 'bshin', gear: 90 },
    { joint: 'bfoot', gear: 60 },
    { joint: 'fthigh', gear: 120 },
    { joint: 'fshin', gear: 60 },
    { joint: 'ffoot', gear: 30 },
  ],
  strength: 1,
};
const { positions, speeds } = coordinatesOf(body);
const N = positions.length;

/** Found by a random search for speed: about 1 m/s. */
const GALLOP: Gait = {
  frequency: 1.9,
  stiffness: 3.09,
  damping: 0.07,
  joints: [
    [-0.04, -0.83, 0.75],
    [-0.41, 1.34, 0.37],
    [0.75, 1.55, 0.19],
    [-0.41, -1.25, 1.14],
    [-1.04, 0.21, 0.88],
    [0, 1.6, 0.91],
  ],
};

const config = z.strictObject({
  maxSteps: stepsField(1000, SOURCE),
  frameSkip: frameSkipField(5, SOURCE),
  resetNoiseScale: noiseField(0.1, SOURCE),
  excludeCurrentPositions: observedField(EXCLUDED.title, EXCLUDED.description, SOURCE),
  forwardRewardWeight: forwardWeight(1, SOURCE),
  ctrlCostWeight: controlWeight(0.1, SOURCE),
  ...physicsFields(9.81, SOURCE),
});

export const mujocoHalfCheetah = defineBody<z.infer<typeof config>>({
  id: 'mujoco-half-cheetah',
  title: 'Half cheetah (MuJoCo)',
  summary: 'Run ahead with a flat two-legged body of six motors.',
  config,
  // at a million steps PPO is a fifth of the way
  recommended: { algo: 'ppo', preset: 'continuous', steps: 2_000_000 },
  body,
  actions: ['back thigh', 'back shin', 'back foot', 'front thigh', 'front shin', 'front foot'],
  terms: [FORWARD, CONTROL],
  look: { bounds: [-1.3, -0.8, 0, 1.3, 0.8, 1.3], travels: true, numbers: ['distance (m)', 'speed (m/s)'] },
  start: ({ resetNoiseScale }, qpos, qvel, draw) => normalStart(resetNoiseScale, qpos, qvel, draw),
  rules(c) {
    const skip = c.excludeCurrentPositions ? 1 : 0;
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
        terms[at + 1] = -c.ctrlCostWeight * squares(actions, action, 6);
        return false;
      },
      show({ floats, q, v }, out, at) {
        out[at] = floats[q]!;
        out[at + 1] = floats[v]!;
      },
    };
  },
  policies: { gallop: ({ frameSkip }) => follow(body, GALLOP, frameSkip * body.timestep) },
  references: [
    { name: 'random', value: -278, source: 'uniform actions, 20 episodes' },
    { name: 'published PPO', value: 1443, source: 'CleanRL benchmark, 1M steps' },
    { name: 'published SAC', value: 9635, source: 'CleanRL benchmark, 1M steps' },
    { name: 'published TD3', value: 9018, source: 'CleanRL benchmark, 1M steps' },
    { name: 'solved', value: 4800, source: 'Gymnasium, reward threshold of HalfCheetah-v5' },
  ],
});
