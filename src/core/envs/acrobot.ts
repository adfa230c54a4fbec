/**
 * Two links hang from a hinge; a torque at the joint between them must swing the tip above the line one link above the hinge.
 * Gymnasium Acrobot-v1. Obs [cos t1, sin t1, cos t2, sin t2, w1 rad/s, w2 rad/s], t1 0 hanging, t2 relative; float64 inside.
 * One Runge-Kutta step of 0.2 s per action, torque -1, 0, +1 Nm. Reward -1 per step, 0 on the last. Ends when the tip is above
 * the line; truncates at `maxSteps`. Source: Sutton 1996, "book" equations; Gymnasium 1.4.0 `classic_control/acrobot.py`.
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

const DT = 0.2; // s
const GRAVITY = 9.8; // m/s^2
const LENGTH = 1; // m, both links
const CENTRE = 0.5; // m, both links
const MASS = 1; // kg, both links
const INERTIA = 1; // kg m^2, both links
const MAX_W1 = 4 * Math.PI;
const MAX_W2 = 9 * Math.PI;

const config = z.strictObject({ maxSteps: maxStepsField(500, 'Gymnasium Acrobot-v1') });
type Config = z.infer<typeof config>;

const state = defineState(1, [
  { name: 'theta1', type: 'f64', shape: [], unit: 'rad', doc: 'angle of the first link, 0 hanging' },
  { name: 'theta2', type: 'f64', shape: [], unit: 'rad', doc: 'angle of the second link relative to the first' },
  { name: 'theta1Dot', type: 'f64', shape: [], unit: 'rad/s', doc: 'speed of the first angle' },
  { name: 'theta2Dot', type: 'f64', shape: [], unit: 'rad/s', doc: 'speed of the second angle' },
  { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
]);

const frame: FrameLayout = {
  kind: 'bodies',
  parts: [
    { name: 'line', shape: 'box', size: [4, 0.02, 0.02], colour: 'goal' },
    { name: 'hinge', shape: 'sphere', size: [0.08], colour: 'structure' },
    { name: 'upper link', shape: 'capsule', size: [0.06, LENGTH], colour: 0 },
    { name: 'lower link', shape: 'capsule', size: [0.06, LENGTH], colour: 'accent' },
  ],
  extra: [],
  bounds: [-2.2, -2.2, -0.5, 2.2, 2.2, 0.5],
};

/** Accelerations at (t1, t2, w1, w2) under a torque; into `slope`: w1, w2, their derivatives. */
const slope = new Float64Array(4);
function derivative(t1: number, t2: number, w1: number, w2: number, torque: number): void {
  const c2 = cos(t2);
  const s2 = sin(t2);
  const d1 = MASS * CENTRE * CENTRE + MASS * (LENGTH * LENGTH + CENTRE * CENTRE + 2 * LENGTH * CENTRE * c2) + 2 * INERTIA;
  const d2 = MASS * (CENTRE * CENTRE + LENGTH * CENTRE * c2) + INERTIA;
  const phi2 = MASS * CENTRE * GRAVITY * cos(t1 + t2 - Math.PI / 2);
  const phi1 =
    -MASS * LENGTH * CENTRE * w2 * w2 * s2 -
    2 * MASS * LENGTH * CENTRE * w2 * w1 * s2 +
    (MASS * CENTRE + MASS * LENGTH) * GRAVITY * cos(t1 - Math.PI / 2) +
    phi2;
  const a2 =
    (torque + (d2 / d1) * phi1 - MASS * LENGTH * CENTRE * w1 * w1 * s2 - phi2) / (MASS * CENTRE * CENTRE + INERTIA - (d2 * d2) / d1);
  slope[0] = w1;
  slope[1] = w2;
  slope[2] = -(d2 * a2 + phi1) / d1;
  slope[3] = a2;
}

const total = new Float64Array(4);
const WEIGHT = [1, 2, 2, 1] as const;
const REACH = [DT / 2, DT / 2, DT] as const;

/** One classical Runge-Kutta step of floats[at..at+3], constant torque. */
function integrate(floats: Float64Array, at: number, torque: number): void {
  const t1 = floats[at] as number;
  const t2 = floats[at + 1] as number;
  const w1 = floats[at + 2] as number;
  const w2 = floats[at + 3] as number;
  total.fill(0);
  derivative(t1, t2, w1, w2, torque);
  for (let stage = 0; ; stage++) {
    for (let i = 0; i < 4; i++) total[i] = (total[i] as number) + (WEIGHT[stage] as number) * (slope[i] as number);
    if (stage === 3) break;
    const h = REACH[stage] as number;
    derivative(
      t1 + h * (slope[0] as number),
      t2 + h * (slope[1] as number),
      w1 + h * (slope[2] as number),
      w2 + h * (slope[3] as number),
      torque,
    );
  }
  for (let i = 0; i < 4; i++) floats[at + i] = (floats[at + i] as number) + (DT / 6) * (total[i] as number);
}

function wrap(x: number): number {
  let y = x;
  while (y > Math.PI) y -= 2 * Math.PI;
  while (y < -Math.PI) y += 2 * Math.PI;
  return y;
}

function bound(x: number, most: number): number {
  return Math.min(most, Math.max(-most, x));
}

function meta(c: Config): EnvMeta {
  return soloMeta({
    id: 'acrobot',
    agent: 'acrobot',
    obs: {
      kind: 'box',
      shape: [6],
      low: -MAX_W2,
      high: MAX_W2,
      labels: ['cos angle 1', 'sin angle 1', 'cos angle 2', 'sin angle 2', 'speed 1', 'speed 2'],
    },
    action: { kind: 'discrete', n: 3, labels: ['torque -1', 'none', 'torque +1'] },
    gamma: 0.99,
    maxSteps: c.maxSteps,
    evalMaxSteps: c.maxSteps,
    state,
    frame,
    references: [
      { name: 'random', value: -500, source: 'uniform actions, measured' },
      { name: 'published PPO', value: -73.5, source: 'rl-baselines3-zoo benchmark, 1M steps' },
      { name: 'solved', value: -100, source: 'Gymnasium threshold' },
    ],
    keys: [['ArrowLeft', 'a'], [], ['ArrowRight', 'd']],
    idleAction: 1,
    fps: 10,
  });
}

export const acrobot = defineEnv<Config>({
  spec: {
    id: 'acrobot',
    version: 1,
    title: 'Acrobot',
    summary: 'Swing a two-link arm up with a torque at its middle joint.',
    source: {
      title: 'Generalization in reinforcement learning: successful examples using sparse coarse coding',
      authors: 'Sutton',
      year: 1996,
      url: 'https://papers.nips.cc/paper/1109',
    },
    config,
    presets: [{ id: 'standard', title: 'Acrobot-v1', config: {} }],
    meta,
  },
  create(c, batch, options) {
    const rows = allocateRows(state, batch);
    const { floats, words, wordStride } = rows;
    const draws = new Draws(rows.rng, options?.draws);
    const observe = (row: number, { obs }: StepBuffers) => {
      const i = row * 4;
      const o = row * 6;
      obs[o] = cos(floats[i] as number);
      obs[o + 1] = sin(floats[i] as number);
      obs[o + 2] = cos(floats[i + 1] as number);
      obs[o + 3] = sin(floats[i + 1] as number);
      obs[o + 4] = floats[i + 2] as number;
      obs[o + 5] = floats[i + 3] as number;
    };
    return assemble(meta(c), batch, rows, {
      start(row) {
        // the reference rounds its start to float32
        for (let i = 0; i < 4; i++) floats[row * 4 + i] = Math.fround(0.2 * draws.uniform(row, 'start') - 0.1);
        words[row * wordStride] = 0;
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          const i = row * 4;
          integrate(floats, i, (actions[row] as number) - 1);
          const t1 = wrap(floats[i] as number);
          const t2 = wrap(floats[i + 1] as number);
          floats[i] = t1;
          floats[i + 1] = t2;
          floats[i + 2] = bound(floats[i + 2] as number, MAX_W1);
          floats[i + 3] = bound(floats[i + 3] as number, MAX_W2);
          const steps = (words[row * wordStride] as number) + 1;
          words[row * wordStride] = steps;
          const over = -cos(t1) - cos(t2 + t1) > 1;
          out.reward[row] = over ? 0 : -1;
          out.terminated[row] = over ? 1 : 0;
          out.truncated[row] = steps >= c.maxSteps ? 1 : 0;
          observe(row, out);
        }
      },
      observe,
      frame(row, out) {
        const t1 = floats[row * 4] as number;
        const both = t1 + (floats[row * 4 + 1] as number);
        const x = LENGTH * sin(t1);
        const y = -LENGTH * cos(t1);
        putPart(out, 0, 0, LENGTH, 0);
        putPart(out, 1, 0, 0, 0);
        putPart(out, 2, x / 2, y / 2, t1);
        putPart(out, 3, x + (LENGTH * sin(both)) / 2, y - (LENGTH * cos(both)) / 2, both);
      },
    });
  },
});
