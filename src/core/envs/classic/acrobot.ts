/**
 * Two links hang from a hinge; a torque at the joint between them must swing the tip above the line one link above the hinge.
 * Gymnasium Acrobot-v1. Obs [cos t1, sin t1, cos t2, sin t2, w1 rad/s, w2 rad/s], t1 0 hanging, t2 relative; float64 inside.
 * One Runge-Kutta step of 0.2 s per action, torque -1, 0, +1 Nm. Reward -1 per step, 0 on the last. Ends when the tip is above
 * the line; truncates at `maxSteps`. Source: Sutton 1996, "book" equations; Gymnasium 1.4.0 `classic_control/acrobot.py`.
 */
import { z } from 'zod';
import type { FrameLayout } from '#contract/game/frames.ts';
import { cos, sin } from '#math/functions.ts';
import { defineEnv } from '../api/define.ts';
import { Draws } from '../api/draws.ts';
import { assemble } from '../api/environment.ts';
import { maxStepsField } from '../api/limits.ts';
import { soloMeta } from '../api/meta.ts';
import { allocateRows, defineState } from '../api/state.ts';
import type { EnvMeta, StepBuffers } from '../api/types.ts';
import { putPart } from '../lib/bodies.ts';
import { gravityField, motor, positive } from '../lib/control/fields.ts';
import { acrobotExpert } from '../lib/control/swing-up.ts';
import { TwoLinks } from '../lib/control/two-links.ts';

const SOURCE = 'Gymnasium Acrobot-v1';
const MAX_W1 = 4 * Math.PI; // rad/s
const MAX_W2 = 9 * Math.PI;

const config = z.strictObject({
  maxSteps: maxStepsField(500, SOURCE),
  gravity: gravityField(9.8, 100, SOURCE),
  length1: positive(1, 10, { title: 'length of the upper link', unit: 'm', description: 'Its centre is at the half.', source: SOURCE }),
  length2: positive(1, 10, { title: 'length of the lower link', unit: 'm', description: 'Its centre is at the half.', source: SOURCE }),
  mass1: positive(1, 100, { title: 'mass of the upper link', unit: 'kg', description: 'At its centre.', source: SOURCE, live: true }),
  mass2: positive(1, 100, { title: 'mass of the lower link', unit: 'kg', description: 'At its centre.', source: SOURCE, live: true }),
  inertia: positive(1, 100, { title: 'inertia', unit: 'kg m²', description: 'Of each link about its centre.', source: SOURCE, live: true }),
  torque: motor(1, 100, {
    title: 'torque',
    unit: 'Nm',
    description: 'Of the motor at the middle joint; below 0 it turns the other way.',
    source: SOURCE,
    live: true,
  }),
  dt: positive(0.2, 1, {
    title: 'time step',
    unit: 's',
    description: 'Length of a step, one Runge-Kutta step.',
    source: SOURCE,
    live: true,
  }),
});
type Config = z.infer<typeof config>;

const state = defineState(1, [
  { name: 'theta1', type: 'f64', shape: [], unit: 'rad', doc: 'angle of the first link, 0 hanging' },
  { name: 'theta2', type: 'f64', shape: [], unit: 'rad', doc: 'angle of the second link relative to the first' },
  { name: 'theta1Dot', type: 'f64', shape: [], unit: 'rad/s', doc: 'speed of the first angle' },
  { name: 'theta2Dot', type: 'f64', shape: [], unit: 'rad/s', doc: 'speed of the second angle' },
  { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
]);

function frameOf(c: Config): FrameLayout {
  const reach = 1.1 * (c.length1 + c.length2);
  return {
    kind: 'bodies',
    parts: [
      { name: 'line', shape: 'box', size: [2 * (c.length1 + c.length2), 0.02, 0.02], colour: 'goal' },
      { name: 'hinge', shape: 'sphere', size: [0.08], colour: 'structure' },
      { name: 'upper link', shape: 'capsule', size: [0.06, c.length1], colour: 0 },
      { name: 'lower link', shape: 'capsule', size: [0.06, c.length2], colour: 'accent' },
    ],
    extra: [],
    drive: { part: 3, kind: 'torque', end: 'high', values: c.torque < 0 ? [1, 0, -1] : [-1, 0, 1] },
    bounds: [-reach, -reach, -0.5, reach, reach, 0.5],
  };
}

/** Known for the standard settings only. */
const STANDARD = JSON.stringify(config.parse({}));
const REFERENCES: EnvMeta['references'] = [
  { name: 'random', value: -500, source: 'uniform actions, measured' },
  { name: 'published PPO', value: -73.5, source: 'rl-baselines3-zoo benchmark, 1M steps' },
  { name: 'solved', value: -100, source: 'Gymnasium threshold' },
  { name: 'expert', value: -66.2, source: 'scripted plans in the known dynamics, 100 episodes' },
];

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
    frame: frameOf(c),
    references: JSON.stringify(c) === STANDARD ? REFERENCES : [],
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
  create(given, batch, options) {
    const c = { ...given };
    const rows = allocateRows(state, batch);
    const { floats, words, wordStride } = rows;
    const draws = new Draws(rows.rng, options?.draws);
    const model = new TwoLinks(c, MAX_W1, MAX_W2);
    const observe = (row: number, { obs }: StepBuffers) => {
      const i = row * 4;
      const o = row * 6;
      obs[o] = cos(floats[i]!);
      obs[o + 1] = sin(floats[i]!);
      obs[o + 2] = cos(floats[i + 1]!);
      obs[o + 3] = sin(floats[i + 1]!);
      obs[o + 4] = floats[i + 2]!;
      obs[o + 5] = floats[i + 3]!;
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
          model.step(floats, i, (actions[row]! - 1) * c.torque);
          const t1 = floats[i]!;
          const t2 = floats[i + 1]!;
          const steps = words[row * wordStride]! + 1;
          words[row * wordStride] = steps;
          const over = model.height(t1, t2) > c.length1;
          out.reward[row] = over ? 0 : -1;
          out.terminated[row] = over ? 1 : 0;
          out.truncated[row] = steps >= c.maxSteps ? 1 : 0;
          observe(row, out);
        }
      },
      observe,
      configure: (next) => void Object.assign(c, next), // the model reads it
      frame(row, out) {
        const t1 = floats[row * 4]!;
        const both = t1 + floats[row * 4 + 1]!;
        const x = c.length1 * sin(t1);
        const y = -c.length1 * cos(t1);
        putPart(out, 0, 0, c.length1, 0);
        putPart(out, 1, 0, 0, 0);
        putPart(out, 2, x / 2, y / 2, t1);
        putPart(out, 3, x + (c.length2 * sin(both)) / 2, y - (c.length2 * cos(both)) / 2, both);
      },
    });
  },
  policies: { expert: (c) => acrobotExpert(new TwoLinks(c, MAX_W1, MAX_W2), c.torque, c.length1) },
});
