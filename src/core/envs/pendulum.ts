/**
 * Swing a pendulum up and hold it with a torque too weak to lift it directly. Gymnasium Pendulum-v1.
 * Obs [cos theta, sin theta, thetaDot rad/s], theta 0 upright, not wrapped inside; float64 inside. Action: torque in [-2, 2] Nm.
 * Reward -(wrapped angle^2 + 0.1 thetaDot^2 + 0.001 torque^2) of the state before the step. Never ends; truncates at `maxSteps`.
 * Source: Gymnasium 1.4.0 `classic_control/pendulum.py`: g 10, mass 1, length 1, dt 0.05 s, speed at most 8 rad/s.
 */
import { z } from 'zod';
import type { FrameLayout } from '#contract/frames.ts';
import { cos, sin } from '../math/functions.ts';
import { putPart } from './bodies.ts';
import { defineEnv } from './define.ts';
import { Draws } from './draws.ts';
import { assemble } from './environment.ts';
import { maxStepsField } from './limits.ts';
import { soloMeta } from './meta.ts';
import { allocateRows, defineState } from './state.ts';
import type { EnvMeta, StepBuffers } from './types.ts';

const GRAVITY = 10; // m/s^2
const MASS = 1; // kg
const LENGTH = 1; // m
const DT = 0.05; // s
const MAX_SPEED = 8; // rad/s
const MAX_TORQUE = 2; // Nm

const config = z.strictObject({ maxSteps: maxStepsField(200, 'Gymnasium Pendulum-v1') });
type Config = z.infer<typeof config>;

const state = defineState(1, [
  { name: 'theta', type: 'f64', shape: [], unit: 'rad', doc: 'angle, 0 upright, not wrapped' },
  { name: 'thetaDot', type: 'f64', shape: [], unit: 'rad/s', doc: 'speed' },
  { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
]);

const frame: FrameLayout = {
  kind: 'bodies',
  parts: [
    { name: 'hinge', shape: 'sphere', size: [0.08], colour: 'structure' },
    { name: 'rod', shape: 'capsule', size: [0.07, LENGTH], colour: 'accent' },
  ],
  extra: [],
  bounds: [-1.3, -1.3, -0.5, 1.3, 1.3, 0.5],
};

/** Into [-pi, pi), as Python's floored modulo does. */
function wrap(x: number): number {
  const period = 2 * Math.PI;
  const r = (x + Math.PI) % period;
  return (r < 0 ? r + period : r) - Math.PI;
}

function meta(c: Config): EnvMeta {
  return soloMeta({
    id: 'pendulum',
    agent: 'pendulum',
    obs: { kind: 'box', shape: [3], low: -MAX_SPEED, high: MAX_SPEED, labels: ['cos angle', 'sin angle', 'speed'] },
    action: { kind: 'box', size: 1, low: [-MAX_TORQUE], high: [MAX_TORQUE], labels: ['torque'] },
    gamma: 0.99,
    maxSteps: c.maxSteps,
    evalMaxSteps: c.maxSteps,
    state,
    frame,
    references: [
      { name: 'random', value: -1239.6, source: 'uniform actions, measured' },
      { name: 'published SAC', value: -157, source: 'rl-baselines3-zoo benchmark, 20k steps' },
      { name: 'published PPO', value: -172.2, source: 'rl-baselines3-zoo benchmark, 100k steps' },
    ],
    keys: [],
    idleAction: null,
    fps: 20,
  });
}

export const pendulum = defineEnv<Config>({
  spec: {
    id: 'pendulum',
    version: 1,
    title: 'Pendulum',
    summary: 'Swing up a pendulum with a weak motor and hold it upright.',
    source: {
      title: 'Gymnasium: a standard interface for reinforcement learning environments',
      authors: 'Towers et al.',
      year: 2024,
      url: 'https://arxiv.org/abs/2407.17032',
    },
    config,
    presets: [{ id: 'standard', title: 'Pendulum-v1', config: {} }],
    meta,
  },
  create(c, batch, options) {
    const rows = allocateRows(state, batch);
    const { floats, words, wordStride } = rows;
    const draws = new Draws(rows.rng, options?.draws);
    const observe = (row: number, { obs }: StepBuffers) => {
      obs[row * 3] = cos(floats[row * 2] as number);
      obs[row * 3 + 1] = sin(floats[row * 2] as number);
      obs[row * 3 + 2] = floats[row * 2 + 1] as number;
    };
    return assemble(meta(c), batch, rows, {
      start(row) {
        floats[row * 2] = 2 * Math.PI * draws.uniform(row, 'theta') - Math.PI;
        floats[row * 2 + 1] = 2 * draws.uniform(row, 'thetaDot') - 1;
        words[row * wordStride] = 0;
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          const theta = floats[row * 2] as number;
          const speed = floats[row * 2 + 1] as number;
          const torque = Math.min(MAX_TORQUE, Math.max(-MAX_TORQUE, actions[row] as number));
          const angle = wrap(theta);
          out.reward[row] = -(angle * angle + 0.1 * speed * speed + 0.001 * torque * torque);
          const faster = speed + (((3 * GRAVITY) / (2 * LENGTH)) * sin(theta) + (3 / (MASS * LENGTH * LENGTH)) * torque) * DT;
          const next = Math.min(MAX_SPEED, Math.max(-MAX_SPEED, faster));
          floats[row * 2 + 1] = next;
          floats[row * 2] = theta + next * DT;
          const steps = (words[row * wordStride] as number) + 1;
          words[row * wordStride] = steps;
          out.terminated[row] = 0;
          out.truncated[row] = steps >= c.maxSteps ? 1 : 0;
          observe(row, out);
        }
      },
      observe,
      frame(row, out) {
        const theta = floats[row * 2] as number;
        putPart(out, 0, 0, 0, 0);
        putPart(out, 1, (LENGTH * sin(theta)) / 2, (LENGTH * cos(theta)) / 2, -theta);
      },
    });
  },
});
