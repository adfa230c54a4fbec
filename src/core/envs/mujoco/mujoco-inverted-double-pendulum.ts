/**
 * A cart on a rail with two poles, one on the other: push the cart so that the tip stays up. Gymnasium InvertedDoublePendulum-v5.
 * Obs [cart x m, sin and cos of both pole angles, three speeds cut to +-10, force on the cart at its stops cut to +-10]; action: force
 * over its gear (500 N), -1..1. Reward healthy reward (0 in the last step) - (0.01 x² + (z - 2)²) of the tip - (0.001 v1² + 0.005 v2²)
 * of the poles' speeds. Ends when the tip is at 1 m or lower; truncates at `maxSteps`.
 * Source: Gymnasium 1.4.0 `inverted_double_pendulum_v5.py`; dimensions of its `inverted_double_pendulum.xml`; 5 x 0.01 s, RK4.
 */
import { z } from 'zod';
import { cos, sin } from '#math/functions.ts';
import { defineBody } from './lib/define.ts';
import { type Body, hinge, pill, rod, slide, type Triple } from './lib/mjcf.ts';
import { copyCut, healthyWeight, normalStart, SURVIVE } from './lib/rules.ts';
import { feedback } from './lib/scripts.ts';
import { frameSkipField, noiseField, physicsFields, stepsField } from './lib/settings.ts';

const SOURCE = 'Gymnasium InvertedDoublePendulum-v5';
const LOW = 1; // m, where the tip has fallen
const MOST = 10;
const LYING = [0, 1, 0, Math.PI / 2] as const; // along x
const Y: Triple = [0, 1, 0];
const pole = (name: string) => rod([0, 0, 0], [0, 0, 0.6], 0.045, { name, look: 'accent' });

const body: Body = {
  name: 'inverted double pendulum',
  timestep: 0.01,
  integrator: 'RK4',
  gravity: [1e-5, 0, -9.81],
  usual: { joint: { damping: 0.05 }, shape: { contype: 0, friction: [1, 0.1, 0.1] } },
  ground: [
    { type: 'plane', name: 'floor', at: [0, 0, -3], size: [40, 40, 40] },
    pill(0.02, 1, { name: 'rail', turned: LYING, look: 'structure' }),
  ],
  parts: [
    {
      name: 'cart',
      at: [0, 0, 0],
      joints: [slide('slider', [1, 0, 0], [-1, 1], { margin: 0.01 })],
      shapes: [pill(0.1, 0.1, { name: 'cart_body', turned: LYING })],
      parts: [
        {
          name: 'pole',
          at: [0, 0, 0],
          joints: [hinge('hinge', Y)],
          shapes: [pole('lower_pole')],
          parts: [
            {
              name: 'pole2',
              at: [0, 0, 0.6],
              joints: [hinge('hinge2', Y)],
              shapes: [pole('upper_pole')],
              site: { name: 'tip', at: [0, 0, 0.6] },
            },
          ],
        },
      ],
    },
  ],
  motors: [{ joint: 'slider', gear: 500 }],
  strength: 1,
};

const config = z.strictObject({
  maxSteps: stepsField(1000, SOURCE),
  frameSkip: frameSkipField(5, SOURCE),
  resetNoiseScale: noiseField(0.1, SOURCE),
  healthyReward: healthyWeight(10, SOURCE),
  ...physicsFields(9.81, SOURCE),
});

/**
 * Of the observed numbers: the linear-quadratic regulator of the upright model, with weights 1, 10, 10 on place and angles, 0.1, 0.5, 0.5 on
 * their speeds and 10 on the action.
 */
const GAINS = [-0.0963, -0.7878, -3.9382, 0, 0, -0.1537, -0.5208, -0.5837, 0];

/** What is kept: x and z of the tip, force on the cart. */
const KEPT = 3;

export const mujocoInvertedDoublePendulum = defineBody<z.infer<typeof config>>({
  id: 'mujoco-inverted-double-pendulum',
  title: 'Inverted double pendulum (MuJoCo)',
  summary: 'Balance two poles, one on the other, on a cart.',
  config,
  body,
  actions: ['push'],
  terms: [
    SURVIVE,
    { id: 'distance', title: 'tip off its place', weights: [] },
    { id: 'velocity', title: 'speed of the poles', weights: [] },
  ],
  look: { bounds: [-1.2, -0.2, 0, 1.2, 0.2, 1.5], lift: 0.15 },
  reads: ['site_xpos', 'qfrc_constraint'],
  start: ({ resetNoiseScale }, qpos, qvel, draw) => normalStart(resetNoiseScale, qpos, qvel, draw),
  rules: (c) => ({
    labels: [
      'cart',
      'sin pole 1',
      'sin pole 2',
      'cos pole 1',
      'cos pole 2',
      'cart velocity',
      'pole 1 angular velocity',
      'pole 2 angular velocity',
      'force on the cart',
    ],
    kept: KEPT,
    keep({ site_xpos, qfrc_constraint }, floats, at) {
      floats[at] = site_xpos[0]!;
      floats[at + 1] = site_xpos[2]!;
      floats[at + 2] = qfrc_constraint[0]!;
    },
    observe({ floats, q, v, kept }, obs, at) {
      obs[at] = floats[q]!;
      for (let i = 1; i <= 2; i++) {
        obs[at + i] = sin(floats[q + i]!);
        obs[at + 2 + i] = cos(floats[q + i]!);
      }
      copyCut(floats, v, 3, MOST, obs, at + 5);
      copyCut(floats, kept + 2, 1, MOST, obs, at + 8);
    },
    judge(_row, { qvel, site_xpos }, _actions, _action, terms, at) {
      const x = site_xpos[0]!;
      const z = site_xpos[2]!;
      const fell = z <= LOW;
      terms[at] = fell ? 0 : c.healthyReward;
      terms[at + 1] = -(0.01 * x * x + (z - 2) * (z - 2));
      terms[at + 2] = -(1e-3 * qvel[1]! * qvel[1]! + 5e-3 * qvel[2]! * qvel[2]!);
      return fell;
    },
  }),
  policies: { expert: () => feedback(GAINS, body.strength) },
  references: [
    { name: 'random', value: 47.2, source: 'uniform actions, 1,000 episodes' },
    { name: 'expert', value: 9359.9, source: 'own script, 100 episodes' },
    { name: 'published PPO', value: 9231, source: 'Tianshou benchmark, best evaluation within 1M steps' },
    { name: 'published SAC', value: 9360, source: 'Tianshou benchmark, best evaluation within 1M steps' },
    { name: 'published TD3', value: 9349, source: 'Tianshou benchmark, best evaluation within 1M steps' },
    { name: 'solved', value: 9100, source: 'Gymnasium, reward threshold of InvertedDoublePendulum-v5' },
  ],
});
