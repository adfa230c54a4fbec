/**
 * The mountain car with a continuous force. Gymnasium MountainCarContinuous-v0. Obs [position, velocity per step]; the state is
 * rounded to float32 after every step, as in the reference. Action: force in [-1, 1], clipped for the motion.
 * Reward 100 at the goal, minus 0.1 force^2 with the force as given (not clipped); both weights are settings. Ends at position 0.45 with
 * velocity >= 0; truncates at `maxSteps`. Source: Gymnasium 1.4.0 `classic_control/continuous_mountain_car.py`.
 */
import { z } from 'zod';
import { cos } from '#math/functions.ts';
import { defineEnv } from '../api/define.ts';
import { Draws } from '../api/draws.ts';
import { assemble } from '../api/environment.ts';
import { maxStepsField } from '../api/limits.ts';
import { soloMeta } from '../api/meta.ts';
import { allocateRows } from '../api/state.ts';
import { createTerms, weightField } from '../api/terms.ts';
import type { EnvMeta, StepBuffers } from '../api/types.ts';
import { goalField, gravityField, positive } from '../lib/control/fields.ts';
import { drawHill, hillFrame, hillState, MAX_POSITION, MAX_SPEED, MIN_POSITION, START_HIGH, START_LOW } from './lib/hill.ts';
import { continuousDriver } from './lib/valley.ts';

const SOURCE = 'Gymnasium MountainCarContinuous-v0';
const LOWEST = Math.fround(MIN_POSITION);

const config = z.strictObject({
  maxSteps: maxStepsField(999, SOURCE),
  power: positive(0.0015, 0.1, {
    title: 'power',
    unit: 'per step²',
    description: 'What full force adds to the speed in a step.',
    source: SOURCE,
    live: true,
  }),
  gravity: gravityField(0.0025, 0.1, SOURCE, 'per step²'),
  goal: goalField(0.45, -0.4, 0.6, { title: 'goal', description: 'Place of the flag on the track.', source: SOURCE, live: true }),
  goalWeight: weightField(100, { title: 'goal reached', description: 'Paid once, at the flag.', slider: [0, 200], source: SOURCE }),
  forceWeight: weightField(0.1, {
    title: 'force',
    description: 'Taken off per square of the force, in every step.',
    slider: [0, 1],
    source: SOURCE,
  }),
});
type Config = z.infer<typeof config>;

const TERMS: NonNullable<EnvMeta['terms']> = [
  { id: 'goal', title: 'goal reached', weights: ['goalWeight'] },
  { id: 'force', title: 'force', weights: ['forceWeight'] },
];

/** Known for the standard settings only. */
const STANDARD = JSON.stringify(config.parse({}));
const REFERENCES: EnvMeta['references'] = [
  { name: 'random', value: -33.2, source: 'uniform actions, measured' },
  { name: 'published SAC', value: 94.7, source: 'rl-baselines3-zoo benchmark, 50k steps' },
  { name: 'published PPO', value: 88.3, source: 'rl-baselines3-zoo benchmark, 20k steps' },
  { name: 'solved', value: 90, source: 'Gymnasium threshold' },
  { name: 'expert', value: 98.7, source: 'scripted, the weakest push that arrives in time, 60 episodes' },
];

function meta(c: Config): EnvMeta {
  return soloMeta({
    id: 'mountain-car-continuous',
    agent: 'car',
    obs: { kind: 'box', shape: [2], low: MIN_POSITION, high: MAX_POSITION, labels: ['position', 'velocity'] },
    action: { kind: 'box', size: 1, low: [-1], high: [1], labels: ['force'] },
    gamma: 0.99,
    maxSteps: c.maxSteps,
    evalMaxSteps: c.maxSteps,
    state: hillState,
    terms: TERMS,
    frame: hillFrame({ full: 1 }),
    references: JSON.stringify(c) === STANDARD ? REFERENCES : [],
    keys: [],
    axes: [{ name: 'force', component: 0, less: ['ArrowLeft', 'a'], more: ['ArrowRight', 'd'], low: -1, high: 1, rest: 0, stick: 'leftX' }],
    idleAction: null,
    fps: 30,
  });
}

export const mountainCarContinuous = defineEnv<Config>({
  spec: {
    id: 'mountain-car-continuous',
    version: 1,
    title: 'Mountain car, continuous',
    summary: 'Swing a weak car up a hill with as little force as possible.',
    source: { title: 'Efficient memory-based learning for robot control', authors: 'Moore', year: 1990 },
    config,
    // Uniform or modest noise never reaches the flag, and standing still costs nothing. Noise twice as wide as the box is full force one way
    // or the other: one episode in six arrives, and most seeds learn from that.
    recommended: {
      algo: 'td3',
      config: {
        explorationNoise: 2,
        lr: 1e-3,
        criticLr: 1e-3,
        tau: 0.01,
        batchSize: 128,
        learningStarts: 100,
        trainEvery: 2,
        hidden: [64, 64],
      },
      steps: 100_000,
    },
    presets: [{ id: 'standard', title: 'MountainCarContinuous-v0', config: {} }],
    meta,
  },
  create(given, batch, options) {
    const c = { ...given };
    const rows = allocateRows(hillState, batch);
    const { floats, words, wordStride } = rows;
    const draws = new Draws(rows.rng, options?.draws);
    const { kept, terms } = createTerms(batch, TERMS.length);
    const observe = (row: number, { obs }: StepBuffers) => {
      obs[row * 2] = floats[row * 2]!;
      obs[row * 2 + 1] = floats[row * 2 + 1]!;
    };
    return assemble(meta(c), batch, rows, {
      start(row) {
        floats[row * 2] = Math.fround(START_LOW + (START_HIGH - START_LOW) * draws.uniform(row, 'position'));
        floats[row * 2 + 1] = 0;
        words[row * wordStride] = 0;
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          const given = actions[row]!;
          const force = Math.min(1, Math.max(-1, given));
          let position = floats[row * 2]!;
          let velocity = floats[row * 2 + 1]! + force * c.power - c.gravity * cos(3 * position);
          velocity = Math.fround(Math.min(MAX_SPEED, Math.max(-MAX_SPEED, velocity)));
          position = Math.fround(Math.min(MAX_POSITION, Math.max(MIN_POSITION, position + velocity)));
          if (position === LOWEST && velocity < 0) velocity = 0;
          floats[row * 2] = position;
          floats[row * 2 + 1] = velocity;
          const steps = words[row * wordStride]! + 1;
          words[row * wordStride] = steps;
          const over = position >= c.goal && velocity >= 0;
          const paid = over ? c.goalWeight : 0;
          const spent = c.forceWeight * given * given;
          out.reward[row] = paid - spent;
          kept[row * 2] = paid;
          kept[row * 2 + 1] = -spent;
          out.terminated[row] = over ? 1 : 0;
          out.truncated[row] = steps >= c.maxSteps ? 1 : 0;
          observe(row, out);
        }
      },
      observe,
      terms,
      configure: (next) => void Object.assign(c, next),
      frame: (row, out) => drawHill(out, floats[row * 2]!, c.goal),
    });
  },
  policies: { expert: (c) => continuousDriver({ ...c, force: c.power }) },
});
