/**
 * Swing a pendulum up and hold it with a torque too weak to lift it directly. Gymnasium Pendulum-v1.
 * Obs [cos theta, sin theta, thetaDot rad/s], theta 0 upright, not wrapped inside; float64 inside. Action: torque in [-2, 2] Nm.
 * Reward -(wrapped angle^2 + 0.1 thetaDot^2 + 0.001 torque^2) of the state before the step; the weights are settings. Never ends;
 * truncates at `maxSteps`.
 * Source: Gymnasium 1.4.0 `classic_control/pendulum.py`: g 10, mass 1, length 1, dt 0.05 s, speed at most 8 rad/s.
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
import { createTerms, weightField } from '../api/terms.ts';
import type { EnvMeta, StepBuffers } from '../api/types.ts';
import { putPart } from '../lib/bodies.ts';
import { gravityField, positive } from '../lib/control/fields.ts';
import { pendulumExpert } from '../lib/control/swing-up.ts';

const SOURCE = 'Gymnasium Pendulum-v1';

const config = z.strictObject({
  maxSteps: maxStepsField(200, SOURCE),
  gravity: gravityField(10, 100, SOURCE),
  mass: positive(1, 100, { title: 'mass', unit: 'kg', description: 'Of the rod, evenly along it.', source: SOURCE, live: true }),
  length: positive(1, 10, { title: 'length', unit: 'm', description: 'Of the rod.', source: SOURCE }),
  maxTorque: positive(2, 1000, { title: 'strongest torque', unit: 'Nm', description: 'The motor gives at most this.', source: SOURCE }),
  maxSpeed: positive(8, 100, { title: 'highest speed', unit: 'rad/s', description: 'Speeds are cut to this.', source: SOURCE }),
  dt: positive(0.05, 0.5, { title: 'time step', unit: 's', description: 'Length of a step.', source: SOURCE, live: true }),
  angleWeight: weightField(1, { title: 'angle', description: 'Taken off per square radian from upright.', slider: [0, 4], source: SOURCE }),
  speedWeight: weightField(0.1, { title: 'speed', description: 'Taken off per (rad/s)².', slider: [0, 1], source: SOURCE }),
  torqueWeight: weightField(0.001, { title: 'torque', description: 'Taken off per (Nm)².', slider: [0, 1], source: SOURCE }),
});
type Config = z.infer<typeof config>;

const TERMS: NonNullable<EnvMeta['terms']> = [
  { id: 'angle', title: 'angle', weights: ['angleWeight'] },
  { id: 'speed', title: 'speed', weights: ['speedWeight'] },
  { id: 'torque', title: 'torque', weights: ['torqueWeight'] },
];

const state = defineState(1, [
  { name: 'theta', type: 'f64', shape: [], unit: 'rad', doc: 'angle, 0 upright, not wrapped' },
  { name: 'thetaDot', type: 'f64', shape: [], unit: 'rad/s', doc: 'speed' },
  { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
]);

function frameOf({ length, maxTorque }: Config): FrameLayout {
  return {
    kind: 'bodies',
    parts: [
      { name: 'hinge', shape: 'sphere', size: [0.08 * length], colour: 'structure' },
      { name: 'rod', shape: 'capsule', size: [0.07 * length, length], colour: 'accent' },
    ],
    extra: [],
    drive: { part: 1, kind: 'torque', end: 'low', full: -maxTorque }, // a positive torque turns to the right
    bounds: [-1.3 * length, -1.3 * length, -0.5 * length, 1.3 * length, 1.3 * length, 0.5 * length],
  };
}

/** Into [-pi, pi), as Python's floored modulo does. */
function wrap(x: number): number {
  const period = 2 * Math.PI;
  const r = (x + Math.PI) % period;
  return (r < 0 ? r + period : r) - Math.PI;
}

/** Known for the standard settings only. */
const STANDARD = JSON.stringify(config.parse({}));
const REFERENCES: EnvMeta['references'] = [
  { name: 'random', value: -1239.6, source: 'uniform actions, measured' },
  { name: 'published SAC', value: -157, source: 'rl-baselines3-zoo benchmark, 20k steps' },
  { name: 'published PPO', value: -172.2, source: 'rl-baselines3-zoo benchmark, 100k steps' },
  { name: 'expert', value: -151.5, source: 'scripted energy pump and damper, 500 episodes' },
];

function meta(c: Config): EnvMeta {
  return soloMeta({
    id: 'pendulum',
    agent: 'pendulum',
    obs: {
      kind: 'box',
      shape: [3],
      low: -Math.max(1, c.maxSpeed),
      high: Math.max(1, c.maxSpeed),
      labels: ['cos angle', 'sin angle', 'speed'],
    },
    action: { kind: 'box', size: 1, low: [-c.maxTorque], high: [c.maxTorque], labels: ['torque'] },
    gamma: 0.99,
    maxSteps: c.maxSteps,
    evalMaxSteps: c.maxSteps,
    state,
    terms: TERMS,
    frame: frameOf(c),
    references: JSON.stringify(c) === STANDARD ? REFERENCES : [],
    keys: [],
    axes: [
      {
        name: 'torque',
        component: 0,
        less: ['ArrowRight', 'd'],
        more: ['ArrowLeft', 'a'],
        low: -c.maxTorque,
        high: c.maxTorque,
        rest: 0,
        stick: 'leftX',
      },
    ],
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
    recommended: { algo: 'ppo', preset: 'pendulum', steps: 100_000 },
    presets: [
      { id: 'standard', title: 'Pendulum-v1', config: {} },
      { id: 'weak', title: 'weaker motor', config: { maxTorque: 1 } },
    ],
    meta,
  },
  create(given, batch, options) {
    const c = { ...given };
    const rows = allocateRows(state, batch);
    const { floats, words, wordStride } = rows;
    const draws = new Draws(rows.rng, options?.draws);
    const { kept, terms } = createTerms(batch, TERMS.length);
    const observe = (row: number, { obs }: StepBuffers) => {
      obs[row * 3] = cos(floats[row * 2]!);
      obs[row * 3 + 1] = sin(floats[row * 2]!);
      obs[row * 3 + 2] = floats[row * 2 + 1]!;
    };
    return assemble(meta(c), batch, rows, {
      start(row) {
        floats[row * 2] = 2 * Math.PI * draws.uniform(row, 'theta') - Math.PI;
        floats[row * 2 + 1] = 2 * draws.uniform(row, 'thetaDot') - 1;
        words[row * wordStride] = 0;
      },
      step(actions, out) {
        const pull = (3 * c.gravity) / (2 * c.length);
        const push = 3 / (c.mass * c.length * c.length);
        for (let row = 0; row < batch; row++) {
          const theta = floats[row * 2]!;
          const speed = floats[row * 2 + 1]!;
          const torque = Math.min(c.maxTorque, Math.max(-c.maxTorque, actions[row]!));
          const angle = wrap(theta);
          const tilted = c.angleWeight * angle * angle;
          const turning = c.speedWeight * speed * speed;
          const pulling = c.torqueWeight * torque * torque;
          out.reward[row] = -(tilted + turning + pulling);
          kept[row * 3] = -tilted;
          kept[row * 3 + 1] = -turning;
          kept[row * 3 + 2] = -pulling;
          const faster = speed + (pull * sin(theta) + push * torque) * c.dt;
          const next = Math.min(c.maxSpeed, Math.max(-c.maxSpeed, faster));
          floats[row * 2 + 1] = next;
          floats[row * 2] = theta + next * c.dt;
          const steps = words[row * wordStride]! + 1;
          words[row * wordStride] = steps;
          out.terminated[row] = 0;
          out.truncated[row] = steps >= c.maxSteps ? 1 : 0;
          observe(row, out);
        }
      },
      observe,
      terms,
      configure: (next) => void Object.assign(c, next),
      frame(row, out) {
        const theta = floats[row * 2]!;
        putPart(out, 0, 0, 0, 0);
        putPart(out, 1, (c.length * sin(theta)) / 2, (c.length * cos(theta)) / 2, -theta);
      },
    });
  },
  policies: { expert: pendulumExpert },
});
