/**
 * An arm of two links on a table: bring its fingertip to a target and keep it there. Gymnasium Reacher-v5.
 * Obs [cos and sin of both joints, target x, y m, joint speeds, fingertip - target x, y m]; action: torques over the gears (200 Nm), -1..1.
 * Reward -(distance weight x distance of fingertip and target) - control weight x |action|². Never ends; truncates at `maxSteps`.
 * Source: Gymnasium 1.4.0 `reacher_v5.py`; dimensions of its `reacher.xml`; 2 x 0.01 s, RK4.
 */
import { z } from 'zod';
import { atan2, cos, sin, sqrt } from '#math/functions.ts';
import { weightField } from '../api/terms.ts';
import type { ScriptedPolicy } from '../api/types.ts';
import { defineBody } from './lib/define.ts';
import { type Body, ball, bodyNumber, hinge, rod, slide, type Triple } from './lib/mjcf.ts';
import { copy, squares } from './lib/rules.ts';
import { frameSkipField, physicsFields, stepsField } from './lib/settings.ts';

const SOURCE = 'Gymnasium Reacher-v5';
const Z: Triple = [0, 0, 1];
const REACH = 0.2; // m, radius of the disc in which the target lies
const side = (name: string, from: Triple, to: Triple) => rod(from, to, 0.02, { name, conaffinity: 0, look: 'structure' });
const still = { armature: 0, damping: 0, stiffness: 0 };

const body: Body = {
  name: 'reacher',
  timestep: 0.01,
  integrator: 'RK4',
  usual: { joint: { armature: 1, damping: 1 }, shape: { contype: 0, friction: [1, 0.1, 0.1] } },
  ground: [
    { type: 'plane', name: 'ground', size: [1, 1, 10], conaffinity: 0 },
    side('side_south', [-0.3, -0.3, 0.01], [0.3, -0.3, 0.01]),
    side('side_east', [0.3, -0.3, 0.01], [0.3, 0.3, 0.01]),
    side('side_north', [-0.3, 0.3, 0.01], [0.3, 0.3, 0.01]),
    side('side_west', [-0.3, -0.3, 0.01], [-0.3, 0.3, 0.01]),
    {
      type: 'cylinder',
      name: 'root',
      ends: [
        [0, 0, 0],
        [0, 0, 0.02],
      ],
      size: [0.011],
      conaffinity: 0,
      look: 'structure',
    },
  ],
  parts: [
    {
      name: 'body0',
      at: [0, 0, 0.01],
      joints: [hinge('joint0', Z, undefined, { say: 'shoulder' })],
      shapes: [rod([0, 0, 0], [0.1, 0, 0], 0.01, { name: 'upper_arm' })],
      parts: [
        {
          name: 'body1',
          at: [0.1, 0, 0],
          joints: [hinge('joint1', Z, [-3, 3], { say: 'elbow' })],
          shapes: [rod([0, 0, 0], [0.1, 0, 0], 0.01, { name: 'forearm' })],
          parts: [{ name: 'fingertip', at: [0.11, 0, 0], shapes: [ball(0.01, { look: 'accent' })] }],
        },
      ],
    },
    {
      name: 'target',
      at: [0.1, -0.1, 0.01],
      joints: [
        slide('target_x', [1, 0, 0], [-0.27, 0.27], { ...still, ref: 0.1 }),
        slide('target_y', [0, 1, 0], [-0.27, 0.27], { ...still, ref: -0.1 }),
      ],
      shapes: [ball(0.009, { conaffinity: 0, look: 'goal' })],
    },
  ],
  motors: [
    { joint: 'joint0', gear: 200 },
    { joint: 'joint1', gear: 200 },
  ],
  strength: 1,
};
const TIP = 3 * bodyNumber(body, 'fingertip');
const TARGET = 3 * bodyNumber(body, 'target');

/** Lengths of the upper arm and of the forearm with the tip, m. */
const [UPPER, FORE] = [0.1, 0.11];
/** Torque per radian that a joint is off, and per rad/s, in units of the strongest. */
const [SPRING, DAMPER] = [0.18, 0.055];

/** Angles by inverse kinematics, with the elbow on the side where it is; each joint follows by a spring and a damper. */
const expert: ScriptedPolicy = {
  act(env, { obs }, out) {
    for (let row = 0; row < env.batch; row++) {
      const at = row * env.meta.obsSize;
      const [x, y] = [obs[at + 4]!, obs[at + 5]!];
      const shoulder = atan2(obs[at + 2]!, obs[at]!);
      const elbow = atan2(obs[at + 3]!, obs[at + 1]!);
      const bend = Math.min(1, Math.max(-1, (x * x + y * y - UPPER * UPPER - FORE * FORE) / (2 * UPPER * FORE)));
      const wantedElbow = atan2((elbow < 0 ? -1 : 1) * sqrt(1 - bend * bend), bend);
      const wantedShoulder = atan2(y, x) - atan2(FORE * sin(wantedElbow), UPPER + FORE * cos(wantedElbow));
      const off = atan2(sin(wantedShoulder - shoulder), cos(wantedShoulder - shoulder)); // the shorter way round
      const torque = [SPRING * off - DAMPER * obs[at + 6]!, SPRING * (wantedElbow - elbow) - DAMPER * obs[at + 7]!];
      torque.forEach((value, i) => {
        out[row * 2 + i] = Math.min(1, Math.max(-1, value));
      });
    }
  },
};

const config = z.strictObject({
  maxSteps: stepsField(50, SOURCE),
  frameSkip: frameSkipField(2, SOURCE),
  rewardDistWeight: weightField(1, {
    title: 'distance',
    description: 'Taken off per metre between fingertip and target.',
    slider: [0, 5],
    source: SOURCE,
  }),
  rewardControlWeight: weightField(1, {
    title: 'control',
    description: 'Taken off per sum of squared actions.',
    slider: [0, 5],
    source: SOURCE,
  }),
  ...physicsFields(9.81, SOURCE),
});

export const mujocoReacher = defineBody<z.infer<typeof config>>({
  id: 'mujoco-reacher',
  title: 'Reacher (MuJoCo)',
  summary: 'Bring the tip of a two-link arm to a target.',
  config,
  recommended: { algo: 'ppo', preset: 'continuous', steps: 500_000 },
  body,
  actions: ['shoulder', 'elbow'],
  terms: [
    { id: 'dist', title: 'distance', weights: ['rewardDistWeight'] },
    { id: 'ctrl', title: 'control', weights: ['rewardControlWeight'] },
  ],
  look: { bounds: [-0.34, -0.34, 0, 0.34, 0.34, 0.06] },
  reads: ['xpos'],
  start(_c, qpos, qvel, draw) {
    for (let i = 0; i < 2; i++) qpos[i] = qpos[i]! + 0.1 * draw.spread();
    do {
      qpos[2] = REACH * draw.spread();
      qpos[3] = REACH * draw.spread();
    } while (sqrt(qpos[2]! * qpos[2]! + qpos[3]! * qpos[3]!) >= REACH);
    for (let i = 0; i < 2; i++) qvel[i] = 0.005 * draw.spread();
    qvel.fill(0, 2);
  },
  rules: (c) => ({
    labels: [
      'cos shoulder',
      'cos elbow',
      'sin shoulder',
      'sin elbow',
      'target x',
      'target y',
      'shoulder velocity',
      'elbow velocity',
      'off target x',
      'off target y',
    ],
    kept: 3, // fingertip - target
    keep({ xpos }, floats, at) {
      for (let i = 0; i < 3; i++) floats[at + i] = xpos[TIP + i]! - xpos[TARGET + i]!;
    },
    observe({ floats, q, v, kept }, obs, at) {
      for (let i = 0; i < 2; i++) {
        obs[at + i] = cos(floats[q + i]!);
        obs[at + 2 + i] = sin(floats[q + i]!);
      }
      copy(floats, q + 2, 2, obs, at + 4);
      copy(floats, v, 2, obs, at + 6);
      copy(floats, kept, 2, obs, at + 8);
    },
    judge(_row, { xpos }, actions, action, terms, at) {
      let square = 0;
      for (let i = 0; i < 3; i++) square += (xpos[TIP + i]! - xpos[TARGET + i]!) ** 2;
      terms[at] = -c.rewardDistWeight * sqrt(square);
      terms[at + 1] = -c.rewardControlWeight * squares(actions, action, 2);
      return false;
    },
  }),
  policies: { expert: () => expert },
  references: [
    { name: 'random', value: -43, source: 'uniform actions, 400 episodes' },
    { name: 'expert', value: -4.8, source: 'the policy "expert", 50 episodes' },
    { name: 'published PPO', value: -4.1, source: 'Tianshou benchmark, best evaluation within 1M steps' },
    { name: 'published SAC', value: -2.6, source: 'Tianshou benchmark, best evaluation within 1M steps' },
    { name: 'published TD3', value: -2.7, source: 'Tianshou benchmark, best evaluation within 1M steps' },
    { name: 'solved', value: -3.75, source: 'Gymnasium, reward threshold of Reacher-v5' },
  ],
});
