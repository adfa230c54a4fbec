/**
 * Cart with a pole on a hinge; push left or right so that the pole stays up. Gymnasium CartPole-v1.
 * Obs [x m, xDot m/s, theta rad, thetaDot rad/s], theta 0 upright, float64 inside, explicit Euler on the old values, dt 0.02 s.
 * Reward 1 per step, the last included. Ends at |x| > 2.4 m or |theta| > 12 degrees; truncates at `maxSteps`.
 * Source: Barto, Sutton and Anderson 1983; constants of Gymnasium 1.4.0 `classic_control/cartpole.py`.
 */
import { z } from 'zod';
import type { FrameLayout } from '#contract/game/frames.ts';
import { cos, cosKernel, sin, sinKernel } from '#math/functions.ts';
import { defineEnv } from '../api/define.ts';
import { Draws } from '../api/draws.ts';
import { assemble } from '../api/environment.ts';
import { maxStepsField } from '../api/limits.ts';
import { allocateRows, defineState, type StateRows } from '../api/state.ts';
import type { Actions, EnvMeta, StepBuffers } from '../api/types.ts';
import { gravityField, motor, positive } from '../lib/control/fields.ts';
import { cartpoleExpert } from './lib/cartpole-expert.ts';

const SOURCE = 'Gymnasium CartPole-v1';
const NAMES = ['x', 'xDot', 'theta', 'thetaDot'] as const;
const SMALL = 0.785; // rad, below an eighth of a turn: no reduction is needed
export const X_LIMIT = 2.4; // m
export const THETA_LIMIT = (12 * 2 * Math.PI) / 360; // rad

const config = z.strictObject({
  maxSteps: maxStepsField(500, SOURCE),
  gravity: gravityField(9.8, 100, SOURCE),
  cartMass: positive(1, 100, { title: 'mass of the cart', unit: 'kg', description: 'Without the pole.', source: SOURCE, live: true }),
  poleMass: positive(0.1, 100, { title: 'mass of the pole', unit: 'kg', description: 'Evenly along it.', source: SOURCE, live: true }),
  halfLength: positive(0.5, 10, {
    title: 'half length of the pole',
    unit: 'm',
    description: 'From the hinge to its middle.',
    source: SOURCE,
  }),
  force: motor(10, 1000, {
    title: 'force',
    unit: 'N',
    description: 'Of a push to the left or right; below 0 the two are swapped.',
    source: SOURCE,
    live: true,
  }),
  dt: positive(0.02, 0.2, { title: 'time step', unit: 's', description: 'Length of a step.', source: SOURCE, live: true }),
});
export type CartpoleConfig = z.infer<typeof config>;
type Config = CartpoleConfig;

/** Everything but the step limit as in the reference: what its returns are known for. */
const STANDARD = JSON.stringify(config.parse({ maxSteps: 1 }));
const isStandard = (c: Config) => JSON.stringify({ ...c, maxSteps: 1 }) === STANDARD;

const state = defineState(1, [
  { name: 'x', type: 'f64', shape: [], unit: 'm', doc: 'cart position' },
  { name: 'xDot', type: 'f64', shape: [], unit: 'm/s', doc: 'cart speed' },
  { name: 'theta', type: 'f64', shape: [], unit: 'rad', doc: 'pole angle, 0 upright, positive to the right' },
  { name: 'thetaDot', type: 'f64', shape: [], unit: 'rad/s', doc: 'pole speed' },
  { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
]);

const frameOf = ({ halfLength, force }: Config): FrameLayout => ({
  kind: 'bodies',
  parts: [
    { name: 'rail', shape: 'box', size: [2 * X_LIMIT, 0.03, 0.08], colour: 'structure' },
    { name: 'cart', shape: 'box', size: [0.5, 0.25, 0.3], colour: 0 },
    { name: 'pole', shape: 'capsule', size: [0.05, 2 * halfLength], colour: 'accent' },
  ],
  extra: [],
  drive: { part: 1, kind: 'push', values: force < 0 ? [1, -1] : [-1, 1] },
  // The ends of the rail stand in the margin of the picture: the pole is what is looked at.
  bounds: [-0.92 * X_LIMIT, -0.3, -0.2, 0.92 * X_LIMIT, 0.4 + 2 * halfLength, 0.2],
});
const RAIL_Y = 0;
const CART_Y = 0.14;
const HINGE_Y = 0.265;

function meta(c: Config): EnvMeta {
  return {
    id: 'cartpole',
    version: 1,
    agents: [
      {
        count: 1,
        names: ['cart'],
        obs: { kind: 'box', shape: [4], low: -1e6, high: 1e6, labels: ['x', 'x speed', 'angle', 'angular speed'] },
        action: { kind: 'discrete', n: 2, labels: ['left', 'right'] },
      },
    ],
    agentCount: 1,
    obsSize: 4,
    actionSize: 1,
    actionCount: 2,
    rewards: ['reward'],
    costs: [],
    globalSize: 0,
    masked: false,
    score: 'mean',
    gamma: 0.99,
    maxSteps: c.maxSteps,
    evalMaxSteps: c.maxSteps,
    state,
    frame: frameOf(c),
    references: [
      ...(isStandard(c) ? [{ name: 'random', value: 22.65, source: 'uniform actions, measured' }] : []),
      { name: 'optimal', value: c.maxSteps, source: 'the pole never falls' },
      ...(isStandard(c) ? [{ name: 'published PPO', value: 500, source: 'rl-baselines3-zoo benchmark, 100k steps' }] : []),
    ],
    keys: [['ArrowLeft'], ['ArrowRight']],
    idleAction: null,
    fps: 30,
  };
}

function stepRows(rows: StateRows, batch: number, c: Config, actions: Actions, out: StepBuffers): void {
  const { floats, words, wordStride } = rows;
  const { maxSteps, gravity, halfLength, dt } = c;
  const perMass = 1 / (c.cartMass + c.poleMass); // 1/kg
  const massLength = c.poleMass * halfLength;
  const poleShare = c.poleMass * perMass;
  const lengthShare = massLength * perMass;
  const steps = 0;
  const { obs, reward, terminated, truncated } = out;
  for (let row = 0; row < batch; row++) {
    const i = row * 4;
    const force = actions[row] === 1 ? c.force : -c.force;
    const v = floats[i + 1]!;
    const a = floats[i + 2]!;
    const w = floats[i + 3]!;
    // what sin and cos do for small angles, without the rest of them: inlined, a step costs a fifth less
    const near = a < SMALL && a > -SMALL;
    const c1 = near ? cosKernel(a, 0) : cos(a);
    const s1 = near ? sinKernel(a, 0) : sin(a);
    const temp = (force + massLength * w * w * s1) * perMass;
    const angular = (gravity * s1 - c1 * temp) / (halfLength * (4 / 3 - poleShare * c1 * c1));
    const linear = temp - lengthShare * angular * c1;
    const p2 = floats[i]! + dt * v;
    const v2 = v + dt * linear;
    const a2 = a + dt * w;
    const w2 = w + dt * angular;
    const at = row * wordStride + steps;
    const t = words[at]! + 1;
    words[at] = t;
    floats[i] = p2;
    floats[i + 1] = v2;
    floats[i + 2] = a2;
    floats[i + 3] = w2;
    obs[i] = p2;
    obs[i + 1] = v2;
    obs[i + 2] = a2;
    obs[i + 3] = w2;
    reward[row] = 1;
    terminated[row] = p2 > X_LIMIT || p2 < -X_LIMIT || a2 > THETA_LIMIT || a2 < -THETA_LIMIT ? 1 : 0;
    truncated[row] = t >= maxSteps ? 1 : 0;
  }
}

export const cartpole = defineEnv<Config>({
  spec: {
    id: 'cartpole',
    version: 1,
    title: 'CartPole',
    summary: 'Balance a pole on a cart by pushing left or right.',
    source: {
      title: 'Neuronlike adaptive elements that can solve difficult learning control problems',
      authors: 'Barto, Sutton and Anderson',
      year: 1983,
      url: 'https://doi.org/10.1109/TSMC.1983.6313077',
    },
    config,
    presets: [{ id: 'standard', title: 'CartPole-v1', config: {} }],
    meta,
  },
  create(given, batch, options) {
    const c = { ...given };
    const rows = allocateRows(state, batch);
    const draws = new Draws(rows.rng, options?.draws);
    const { floats, words, wordStride } = rows;
    const steps = rows.offset('steps');
    return assemble(meta(c), batch, rows, {
      start(row) {
        for (let i = 0; i < 4; i++) floats[row * 4 + i] = 0.1 * draws.uniform(row, NAMES[i] as string) - 0.05;
        words[row * wordStride + steps] = 0;
      },
      step: (actions, out) => stepRows(rows, batch, c, actions, out),
      observe(row, { obs }) {
        for (let i = row * 4; i < row * 4 + 4; i++) obs[i] = floats[i]!;
      },
      configure: (next) => void Object.assign(c, next),
      frame(row, out) {
        const p = floats[row * 4]!;
        const angle = floats[row * 4 + 2]!;
        const half = -angle / 2; // a lean to +x is a negative turn about z
        out.fill(0);
        out[1] = RAIL_Y;
        out[6] = 1;
        out[7] = p;
        out[8] = CART_Y;
        out[13] = 1;
        out[14] = p + c.halfLength * sin(angle);
        out[15] = HINGE_Y + c.halfLength * cos(angle);
        out[19] = sin(half);
        out[20] = cos(half);
      },
    });
  },
  policies: { expert: (c) => cartpoleExpert(c.force) },
});
