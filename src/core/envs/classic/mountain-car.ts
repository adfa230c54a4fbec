/**
 * A car in a valley is too weak to drive up; it must swing. Gymnasium MountainCar-v0. Obs [position, velocity per step], float64
 * inside. Reward -1 per step. Ends at position 0.5 with velocity >= 0; truncates at `maxSteps`.
 * Source: Moore 1990; Gymnasium 1.4.0 `classic_control/mountain_car.py`.
 */
import { z } from 'zod';
import { cos } from '#math/functions.ts';
import { defineEnv } from '../api/define.ts';
import { Draws } from '../api/draws.ts';
import { assemble } from '../api/environment.ts';
import { maxStepsField } from '../api/limits.ts';
import { soloMeta } from '../api/meta.ts';
import { allocateRows } from '../api/state.ts';
import type { EnvMeta, StepBuffers } from '../api/types.ts';
import { goalField, gravityField, positive } from '../lib/control/fields.ts';
import { drawHill, hillFrame, hillState, MAX_POSITION, MAX_SPEED, MIN_POSITION, START_HIGH, START_LOW } from './lib/hill.ts';
import { discreteDriver } from './lib/valley.ts';

const SOURCE = 'Gymnasium MountainCar-v0';

const config = z.strictObject({
  maxSteps: maxStepsField(200, SOURCE),
  force: positive(0.001, 0.1, {
    title: 'force',
    unit: 'per step²',
    description: 'What the motor adds to the speed in a step.',
    source: SOURCE,
    live: true,
  }),
  gravity: gravityField(0.0025, 0.1, SOURCE, 'per step²'),
  goal: goalField(0.5, -0.4, 0.6, { title: 'goal', description: 'Place of the flag on the track.', source: SOURCE, live: true }),
});
type Config = z.infer<typeof config>;

/** Known for the standard settings only. */
const STANDARD = JSON.stringify(config.parse({}));
const REFERENCES: EnvMeta['references'] = [
  { name: 'random', value: -200, source: 'uniform actions, measured' },
  { name: 'published PPO', value: -110.4, source: 'rl-baselines3-zoo benchmark, 1M steps' },
  { name: 'solved', value: -110, source: 'Gymnasium threshold' },
  { name: 'expert', value: -102.6, source: 'scripted plans in the known dynamics, 200 episodes' },
];

function meta(c: Config): EnvMeta {
  return soloMeta({
    id: 'mountain-car',
    agent: 'car',
    obs: { kind: 'box', shape: [2], low: MIN_POSITION, high: MAX_POSITION, labels: ['position', 'velocity'] },
    action: { kind: 'discrete', n: 3, labels: ['left', 'none', 'right'] },
    gamma: 0.99,
    maxSteps: c.maxSteps,
    evalMaxSteps: c.maxSteps,
    state: hillState,
    frame: hillFrame({ values: [-1, 0, 1] }),
    references: JSON.stringify(c) === STANDARD ? REFERENCES : [],
    keys: [['ArrowLeft', 'a'], [], ['ArrowRight', 'd']],
    idleAction: 1,
    fps: 30,
  });
}

export const mountainCar = defineEnv<Config>({
  spec: {
    id: 'mountain-car',
    version: 1,
    title: 'Mountain car',
    summary: 'Swing a weak car up a hill.',
    source: { title: 'Efficient memory-based learning for robot control', authors: 'Moore', year: 1990 },
    config,
    // RL Baselines3 Zoo, ppo.yml: MountainCar-v0
    recommended: {
      algo: 'ppo',
      config: {
        envs: 16,
        rolloutSteps: 16,
        minibatches: 4,
        epochs: 4,
        lr: 1e-3,
        lambda: 0.98,
        entropyCoef: 0,
        normaliseObs: true,
        normaliseReward: true,
      },
      steps: 500_000,
    },
    presets: [{ id: 'standard', title: 'MountainCar-v0', config: {} }],
    meta,
  },
  create(given, batch, options) {
    const c = { ...given };
    const rows = allocateRows(hillState, batch);
    const { floats, words, wordStride } = rows;
    const draws = new Draws(rows.rng, options?.draws);
    const observe = (row: number, { obs }: StepBuffers) => {
      obs[row * 2] = floats[row * 2]!;
      obs[row * 2 + 1] = floats[row * 2 + 1]!;
    };
    return assemble(meta(c), batch, rows, {
      start(row) {
        floats[row * 2] = START_LOW + (START_HIGH - START_LOW) * draws.uniform(row, 'position');
        floats[row * 2 + 1] = 0;
        words[row * wordStride] = 0;
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          let position = floats[row * 2]!;
          let velocity = floats[row * 2 + 1]! + (actions[row]! - 1) * c.force - c.gravity * cos(3 * position);
          velocity = Math.min(MAX_SPEED, Math.max(-MAX_SPEED, velocity));
          position = Math.min(MAX_POSITION, Math.max(MIN_POSITION, position + velocity));
          if (position === MIN_POSITION && velocity < 0) velocity = 0;
          floats[row * 2] = position;
          floats[row * 2 + 1] = velocity;
          const steps = words[row * wordStride]! + 1;
          words[row * wordStride] = steps;
          out.reward[row] = -1;
          out.terminated[row] = position >= c.goal && velocity >= 0 ? 1 : 0;
          out.truncated[row] = steps >= c.maxSteps ? 1 : 0;
          observe(row, out);
        }
      },
      observe,
      configure: (next) => void Object.assign(c, next),
      frame: (row, out) => drawHill(out, floats[row * 2]!, c.goal),
    });
  },
  policies: { expert: discreteDriver },
});
