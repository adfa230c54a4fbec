/**
 * A cart on a rail with a pole on a hinge: push the cart so that the pole stays up. Gymnasium InvertedPendulum-v5.
 * Obs [cart x m, pole angle rad, cart speed m/s, pole speed rad/s]; action: force of the motor over its gear (100 N), -3..3.
 * Reward 1 per step, 0 in the last. Ends when the pole leans by more than 0.2 rad; truncates at `maxSteps`.
 * Source: Gymnasium 1.4.0 `inverted_pendulum_v5.py`; dimensions of its `inverted_pendulum.xml`; 2 x 0.02 s, RK4.
 */
import { z } from 'zod';
import { defineBody } from './lib/define.ts';
import { type Body, hinge, pill, rod, slide } from './lib/mjcf.ts';
import { copy, spreadStart } from './lib/rules.ts';
import { feedback } from './lib/scripts.ts';
import { frameSkipField, noiseField, physicsFields, stepsField } from './lib/settings.ts';

const SOURCE = 'Gymnasium InvertedPendulum-v5';
const LEAN = 0.2; // rad
const LYING = [0, 1, 0, Math.PI / 2] as const; // along x

const body: Body = {
  name: 'inverted pendulum',
  timestep: 0.02,
  integrator: 'RK4',
  usual: { joint: { armature: 0, damping: 1 }, shape: { contype: 0, friction: [1, 0.1, 0.1] } },
  ground: [pill(0.02, 1, { name: 'rail', turned: LYING, look: 'structure' })],
  parts: [
    {
      name: 'cart',
      joints: [slide('slider', [1, 0, 0], [-1, 1])],
      shapes: [pill(0.1, 0.1, { name: 'cart_body', turned: LYING })],
      parts: [
        {
          name: 'pole',
          joints: [hinge('hinge', [0, 1, 0], [-Math.PI / 2, Math.PI / 2])],
          shapes: [rod([0, 0, 0], [0.001, 0, 0.6], 0.049, { name: 'standing_pole', look: 'accent' })],
        },
      ],
    },
  ],
  motors: [{ joint: 'slider', gear: 100 }],
  strength: 3,
};

/** Newtons per number observed, over the motor's gear: the pole is caught, and the cart brought back to the middle. */
const GAINS = [0.5, 10, 0.7, 1.5];

const config = z.strictObject({
  maxSteps: stepsField(1000, SOURCE),
  frameSkip: frameSkipField(2, SOURCE),
  resetNoiseScale: noiseField(0.01, SOURCE),
  ...physicsFields(9.81, SOURCE),
});

export const mujocoInvertedPendulum = defineBody<z.infer<typeof config>>({
  id: 'mujoco-inverted-pendulum',
  title: 'Inverted pendulum (MuJoCo)',
  summary: 'Balance a pole on a cart that a motor pushes along a rail.',
  config,
  recommended: { algo: 'ppo', preset: 'continuous', steps: 200_000 },
  body,
  actions: ['push'],
  terms: [{ id: 'survive', title: 'pole up', weights: [] }],
  look: { bounds: [-1.1, -0.2, 0, 1.1, 0.2, 0.9], lift: 0.15 },
  start: ({ resetNoiseScale }, qpos, qvel, draw) => spreadStart(resetNoiseScale, qpos, qvel, draw),
  rules: () => ({
    labels: ['cart', 'pole angle', 'cart velocity', 'pole angular velocity'],
    kept: 0,
    keep() {},
    observe({ floats, q, v }, obs, at) {
      copy(floats, q, 2, obs, at);
      copy(floats, v, 2, obs, at + 2);
    },
    judge(_row, { qpos, qvel }, _actions, _action, terms, at) {
      const finite = Number.isFinite(qpos[0]! + qpos[1]! + qvel[0]! + qvel[1]!);
      const fell = !finite || Math.abs(qpos[1]!) > LEAN;
      terms[at] = fell ? 0 : 1;
      return fell;
    },
  }),
  policies: { expert: () => feedback(GAINS, body.strength) },
  references: [
    { name: 'random', value: 5.1, source: 'uniform actions, 1,000 episodes' },
    { name: 'published PPO', value: 963, source: 'CleanRL benchmark, 1M steps' },
    { name: 'published SAC', value: 909, source: 'CleanRL benchmark, 1M steps' },
    { name: 'solved', value: 950, source: 'Gymnasium, reward threshold of InvertedPendulum-v5' },
  ],
});
