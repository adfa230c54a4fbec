/**
 * The cart and pole of bsuite: finer steps, three actions, a wider track and the time in the observation. bsuite cartpole.
 * Obs [x / 3, xDot / 3, sin theta, cos theta, thetaDot, time / timeLimit]; force -10, 0, +10 N; Euler on the old values, float64.
 * Reward 1 while cos theta > 0.8 and |x| < 3 m, else 0 and the episode ends; the end of the time is a termination too (the observation holds the clock).
 * Source: Osband et al. 2020, bsuite at effafc0 `environments/cartpole.py`.
 */
import { z } from 'zod';
import type { FrameLayout } from '#contract/game/frames.ts';
import { cos, sin } from '#math/functions.ts';
import { defineEnv } from '../api/define.ts';
import { Draws } from '../api/draws.ts';
import { assemble } from '../api/environment.ts';
import { soloMeta } from '../api/meta.ts';
import { allocateRows, defineState } from '../api/state.ts';
import type { EnvMeta, StepBuffers } from '../api/types.ts';
import { putPart } from '../lib/bodies.ts';
import { gravityField, positive } from '../lib/control/fields.ts';
import { poleExpert } from '../lib/control/swing-up.ts';
import { BSUITE } from './lib/bsuite.ts';

const SOURCE = 'bsuite cartpole';
const X_LIMIT = 3; // m
const HEIGHT_LIMIT = 0.8; // cos theta
const INIT = 0.05;

const config = z.strictObject({
  dt: z
    .number()
    .gt(0)
    .max(0.1)
    .default(0.01)
    .meta({
      title: 'time step',
      unit: 's',
      description: 'Length of a step.',
      source: SOURCE,
      group: 'physics',
      slider: [0.002, 0.05],
    }),
  timeLimit: z
    .number()
    .gt(0)
    .max(1000)
    .default(10)
    .meta({ title: 'time limit', unit: 's', description: 'An episode ends after this time.', source: SOURCE }),
  timeUp: z.enum(['terminates', 'truncates']).default('terminates').meta({
    title: 'time over',
    description:
      'Whether learners see the end of the time as a terminal state, whose value is 0, or as a cut. The observation holds the clock.',
    source: SOURCE,
  }),
  gravity: gravityField(9.8, 100, SOURCE),
  cartMass: positive(1, 100, { title: 'mass of the cart', unit: 'kg', description: 'Without the pole.', source: SOURCE, live: true }),
  poleMass: positive(0.1, 100, { title: 'mass of the pole', unit: 'kg', description: 'At its middle.', source: SOURCE, live: true }),
  halfLength: positive(0.5, 10, {
    title: 'half length of the pole',
    unit: 'm',
    description: 'From the hinge to its middle.',
    source: SOURCE,
  }),
  force: positive(10, 1000, { title: 'force', unit: 'N', description: 'Of a push to the left or right.', source: SOURCE, live: true }),
});
type Config = z.infer<typeof config>;

const state = defineState(
  1,
  [
    { name: 'x', type: 'f64', shape: [], unit: 'm', doc: 'cart position' },
    { name: 'xDot', type: 'f64', shape: [], unit: 'm/s', doc: 'cart speed' },
    { name: 'theta', type: 'f64', shape: [], unit: 'rad', doc: 'pole angle, 0 upright, wrapped to 0 .. 2 pi' },
    { name: 'thetaDot', type: 'f64', shape: [], unit: 'rad/s', doc: 'pole speed' },
    { name: 'time', type: 'f64', shape: [], unit: 's', doc: 'time in this episode' },
  ],
  ['time'],
);

function frameOf({ halfLength }: Config): FrameLayout {
  return {
    kind: 'bodies',
    parts: [
      { name: 'rail', shape: 'box', size: [2 * X_LIMIT, 0.03, 0.08], colour: 'structure' },
      { name: 'cart', shape: 'box', size: [0.5, 0.25, 0.3], colour: 0 },
      { name: 'pole', shape: 'capsule', size: [0.05, 2 * halfLength], colour: 'accent' },
    ],
    extra: [],
    drive: { part: 1, kind: 'push', values: [-1, 0, 1] },
    bounds: [-X_LIMIT, -0.3, -0.5, X_LIMIT, 0.4 + 2 * halfLength, 0.5],
  };
}

function wrap(x: number): number {
  const r = x % (2 * Math.PI);
  return r < 0 ? r + 2 * Math.PI : r;
}

const DEFAULTS = JSON.stringify(config.parse({}));

function meta(c: Config): EnvMeta {
  const limit = Math.ceil(c.timeLimit / c.dt) + 1;
  return soloMeta({
    id: 'bsuite-cartpole',
    version: 2,
    agent: 'cart',
    obs: { kind: 'box', shape: [6], low: -1e6, high: 1e6, labels: ['x', 'x speed', 'sin angle', 'cos angle', 'angular speed', 'time'] },
    action: { kind: 'discrete', n: 3, labels: ['left', 'none', 'right'] },
    gamma: 0.99,
    maxSteps: limit,
    evalMaxSteps: limit,
    state,
    frame: frameOf(c),
    references: [
      ...(JSON.stringify(c) === DEFAULTS ? [{ name: 'random', value: 79, source: 'uniform actions, measured' }] : []),
      { name: 'optimal', value: limit, source: 'the pole never falls, up to rounding of the clock' },
    ],
    keys: [['ArrowLeft', 'a'], [], ['ArrowRight', 'd']],
    idleAction: 1,
    fps: 50,
  });
}

export const bsuiteCartpole = defineEnv<Config>({
  spec: {
    id: 'bsuite-cartpole',
    version: 2,
    changes: [
      {
        version: 2,
        what: 'The end of the time is a termination, as in bsuite; it was a truncation.',
        before: { timeUp: 'truncates' },
        rerun: false,
      },
    ],
    title: 'CartPole, bsuite',
    summary: 'Balance a pole with three forces and finer steps.',
    recommended: { algo: 'ppo', preset: 'minigrid', steps: 1_000_000 },
    source: BSUITE,
    config,
    presets: [{ id: 'standard', title: 'bsuite cartpole', config: {} }],
    meta,
  },
  create(given, batch, options) {
    const c = { ...given };
    const rows = allocateRows(state, batch);
    const { floats } = rows;
    const draws = new Draws(rows.rng, options?.draws);
    const observe = (row: number, { obs }: StepBuffers) => {
      const i = row * 5;
      const o = row * 6;
      obs[o] = floats[i]! / X_LIMIT;
      obs[o + 1] = floats[i + 1]! / X_LIMIT;
      obs[o + 2] = sin(floats[i + 2]!);
      obs[o + 3] = cos(floats[i + 2]!);
      obs[o + 4] = floats[i + 3]!;
      obs[o + 5] = floats[i + 4]! / c.timeLimit;
    };
    return assemble(meta(c), batch, rows, {
      start(row) {
        const i = row * 5;
        floats[i] = INIT * (2 * draws.uniform(row, 'x') - 1);
        floats[i + 1] = INIT * (2 * draws.uniform(row, 'xDot') - 1);
        floats[i + 2] = wrap(INIT * (2 * draws.uniform(row, 'theta') - 1));
        floats[i + 3] = INIT * (2 * draws.uniform(row, 'thetaDot') - 1);
        floats[i + 4] = 0;
      },
      step(actions, out) {
        const totalMass = c.cartMass + c.poleMass;
        const massLength = c.poleMass * c.halfLength;
        for (let row = 0; row < batch; row++) {
          const i = row * 5;
          const x = floats[i]!;
          const v = floats[i + 1]!;
          const a = floats[i + 2]!;
          const w = floats[i + 3]!;
          const force = (actions[row]! - 1) * c.force;
          const c1 = cos(a);
          const s1 = sin(a);
          const temp = (force + massLength * w * w * s1) / totalMass;
          const angular = (c.gravity * s1 - c1 * temp) / (c.halfLength * (4 / 3 - (c.poleMass * c1 * c1) / totalMass));
          const linear = temp - (massLength * angular * c1) / totalMass;
          const x2 = x + c.dt * v;
          const a2 = wrap(a + c.dt * w);
          floats[i] = x2;
          floats[i + 1] = v + c.dt * linear;
          floats[i + 2] = a2;
          floats[i + 3] = w + c.dt * angular;
          floats[i + 4] = floats[i + 4]! + c.dt;
          const up = cos(a2) > HEIGHT_LIMIT && Math.abs(x2) < X_LIMIT;
          out.reward[row] = up ? 1 : 0;
          const late = floats[i + 4]! > c.timeLimit;
          out.terminated[row] = !up || (late && c.timeUp === 'terminates') ? 1 : 0;
          out.truncated[row] = late && c.timeUp === 'truncates' ? 1 : 0;
          observe(row, out);
        }
      },
      observe,
      configure: (next) => void Object.assign(c, next),
      frame(row, out) {
        const x = floats[row * 5]!;
        const theta = floats[row * 5 + 2]!;
        putPart(out, 0, 0, 0, 0);
        putPart(out, 1, x, 0.14, 0);
        putPart(out, 2, x + c.halfLength * sin(theta), 0.265 + c.halfLength * cos(theta), -theta);
      },
    });
  },
  policies: {
    expert: () =>
      poleExpert((obs, row, seen) => {
        seen[0] = obs[6 * row]! * X_LIMIT;
        seen[1] = obs[6 * row + 1]! * X_LIMIT;
        seen[2] = obs[6 * row + 2]!; // sin of the angle, close to it
        seen[3] = obs[6 * row + 4]!;
      }, 1),
  },
});
