/**
 * Catch a quadrotor thrown into the air at random and hold it at the origin, by four rotor set points at 50 Hz; rotors lag by 72 ms.
 * The task of RLtools' "learning to fly in seconds", its small variant, with the target at rest (amplitude 0).
 * Obs (29) position and velocity minus the target's, rotation matrix (row-major), velocity, body rates, last two actions, newest first.
 * Central state (28), for critics: position, rotation matrix, velocity, body rates, disturbing force and torque (0), rotor speeds 2 u - 1.
 * Reward 1.1 - 0.1 (10 |position error| + 2.5 * 2 acos(1 - |q_z|) + |velocity error| + 2 sum ((a + 1) / 2 - 0.7261)^2) of the state before
 * the step, with weights that are settings; a step that terminates gives 0. Terminated when any axis is off by more than 1 m or 10 m/s or turns faster than 35 rad/s;
 * truncated at `maxSteps`. The pull of the action term towards 0.7261, which is not the hover speed 0.6862, is the reference's.
 * Source: Eschmann et al. 2024; `rl-tools/rl-tools` at 9acdf5c, `environments/l2f`. Float64 here, the reference mostly float32.
 */
import { z } from 'zod';
import type { MetricCard } from '#contract/catalog/catalog.ts';
import type { BodiesLayout } from '#contract/game/frames.ts';
import { atan2, cos, sin, sqrt } from '#math/functions.ts';
import { defineEnv } from '../api/define.ts';
import { Draws } from '../api/draws.ts';
import { assemble } from '../api/environment.ts';
import { maxStepsField } from '../api/limits.ts';
import { soloMeta } from '../api/meta.ts';
import { allocateRows, defineState } from '../api/state.ts';
import { createTerms, weightField } from '../api/terms.ts';
import type { EnvMeta, StepBuffers } from '../api/types.ts';
import { putAt } from '../lib/drones/task.ts';
import { ARM, CRAFT, GRAVITY, LAGGED, MASS, rotationOf, stepLagged, TINY } from './lib/rotor-lag.ts';
import { laggedPilot } from './lib/rotor-lag-pilot.ts';

const RLTOOLS = 'rl-tools l2f, tiny';
const DT = 0.02; // s
const THROTTLE = 0.7261389721508553;
const LIMIT = { place: 1, speed: 10, rate: 35 } as const;
const OBS = 29;
const CENTRAL = 28;
const RPM = 20000; // of u = 1, for the eye

const range = (title: string, unit: string, low: number, high: number, standard: readonly [number, number], description: string) =>
  z
    .array(z.number().min(low).max(high))
    .length(2)
    .default([...standard])
    .meta({ title, ...(unit && { unit }), description, source: RLTOOLS, group: 'randomisation', depth: 'research' as const });

const config = z.strictObject({
  maxSteps: maxStepsField(250, RLTOOLS),
  amplitude: z.array(z.number().min(0).max(2)).length(2).default([0, 0]).meta({
    title: 'target amplitude',
    unit: 'm',
    description:
      'The target runs a Lissajous figure, x = a sin 2p, y = b sin p; 0: it rests. The present zoo of the reference has 0.5 and 1.',
    source: RLTOOLS,
  }),
  period: z
    .number()
    .min(1)
    .max(60)
    .default(6.5)
    .meta({ title: 'target period', unit: 's', description: 'Time of one figure.', source: RLTOOLS }),
  randomise: z.boolean().default(false).meta({
    title: 'domain randomisation',
    description: 'Draws thrust, inertia and rotor lag anew, within the ranges below.',
    source: RLTOOLS,
    group: 'randomisation',
  }),
  thrustToWeight: range('thrust to weight', '', 1.05, 10, [1.5, 5], 'Full thrust over weight.'),
  torqueToInertia: range('torque to inertia', 'rad/s²', 50, 5000, [536, 933], 'Full roll torque over roll inertia.'),
  lagRising: range('lag, rising', 's', 0.005, 1, [0.05, 0.09], 'Time constant of a rotor that speeds up.'),
  lagFalling: range('lag, falling', 's', 0.005, 1, [0.07, 0.3], 'Time constant of a rotor that slows down.'),
  flyingWeight: weightField(1.1, {
    title: 'still flying',
    description: 'Paid in every step that does not end it.',
    slider: [0, 3],
    source: RLTOOLS,
  }),
  placeWeight: weightField(10, {
    title: 'place',
    description: 'A tenth is taken off per m off the target.',
    slider: [0, 30],
    source: RLTOOLS,
  }),
  yawWeight: weightField(2.5, { title: 'yaw', description: 'A tenth is taken off per rad turned away.', slider: [0, 10], source: RLTOOLS }),
  speedWeight: weightField(1, {
    title: 'speed',
    description: 'A tenth is taken off per m/s beside the target’s.',
    slider: [0, 10],
    source: RLTOOLS,
  }),
  effortWeight: weightField(2, {
    title: 'effort',
    description: 'A tenth is taken off per square of each rotor’s distance from a throttle of 0.7261.',
    slider: [0, 10],
    source: RLTOOLS,
  }),
});
type Config = z.infer<typeof config>;

const TERMS = [
  { id: 'flying', title: 'still flying', weights: ['flyingWeight'] },
  { id: 'place', title: 'place', weights: ['placeWeight'] },
  { id: 'yaw', title: 'yaw', weights: ['yawWeight'] },
  { id: 'speed', title: 'speed', weights: ['speedWeight'] },
  { id: 'effort', title: 'effort', weights: ['effortWeight'] },
] as const satisfies NonNullable<EnvMeta['terms']>;
const PUBLISHED = config.parse({});
const paysAsPublished = (c: Config): boolean => TERMS.every(({ weights: [field] }) => c[field] === PUBLISHED[field]);

const state = defineState(
  1,
  [
    {
      name: 'drone',
      type: 'f64',
      shape: [LAGGED],
      doc: 'position 3 (m), quaternion w x y z, velocity 3 (m/s), body rates 3 (rad/s), rotor speeds 4 (0..1)',
    },
    { name: 'craft', type: 'f64', shape: [CRAFT], doc: 'thrust of a rotor (N), inertia x y z (kg m²), lag rising, falling (s)' },
    { name: 'past', type: 'f64', shape: [2, 4], doc: 'last two actions, newest first' },
    { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
  ],
  ['past'],
);
const CRAFT_AT = LAGGED;
const PAST_AT = LAGGED + CRAFT;

const LASTED: MetricCard = {
  id: 'lasted',
  title: 'flights to the end',
  description: 'Share of episodes that lasted to the time limit; mean of the last 100 training episodes.',
};

function layout(c: Config): BodiesLayout {
  const reach = 0.8 + Math.max(...c.amplitude);
  return {
    kind: 'bodies',
    up: 'z',
    parts: [
      { name: 'drone', shape: 'box', size: [ARM * Math.SQRT2, 0.023], colour: 0, model: 'drone', trail: true },
      { name: 'target', shape: 'sphere', size: [0.04], colour: 'goal', model: 'target' },
    ],
    extra: ['distance (m)'],
    bounds: [-reach, -reach, -0.8, reach, reach, 0.8],
    rotors: { count: 4, hover: RPM * sqrt((MASS * GRAVITY) / (4 * TINY[0])) },
  };
}

function meta(c: Config): EnvMeta {
  const vector = (name: string) => [`${name} x`, `${name} y`, `${name} z`];
  const motors = ['motor 1', 'motor 2', 'motor 3', 'motor 4'];
  return {
    ...soloMeta({
      id: 'drone-learning-to-fly',
      agent: 'drone',
      obs: {
        kind: 'box',
        shape: [OBS],
        low: -60,
        high: 60,
        labels: [
          ...vector('off'),
          ...vector('off speed'),
          ...Array.from({ length: 9 }, (_, i) => `rotation ${1 + Math.floor(i / 3)}${1 + (i % 3)}`),
          ...vector('speed'),
          ...vector('rate'),
          ...motors.map((m) => `${m}, 1 ago`),
          ...motors.map((m) => `${m}, 2 ago`),
        ],
      },
      action: { kind: 'box', size: 4, low: [-1, -1, -1, -1], high: [1, 1, 1, 1], labels: motors },
      gamma: 0.98,
      maxSteps: c.maxSteps,
      evalMaxSteps: c.maxSteps,
      state,
      terms: TERMS,
      frame: layout(c),
      references: [
        ...(paysAsPublished(c) && c.maxSteps === 250 && !c.randomise && c.amplitude.every((a) => a === 0)
          ? [
              { name: 'random', value: -1.15, source: 'uniform commands, 100 episodes here' },
              { name: 'pilot', value: 229.9, source: 'policy "pilot", 100 episodes here' },
            ]
          : []),
        { name: 'upper bound', value: c.flyingWeight * c.maxSteps, source: 'no cost at any step' },
      ],
      keys: [],
      idleAction: null,
      fps: 50,
    }),
    globalSize: CENTRAL,
    measures: [LASTED],
  };
}

export const droneLearningToFly = defineEnv<Config>({
  spec: {
    id: 'drone-learning-to-fly',
    version: 1,
    title: 'Learning to fly in seconds',
    summary: 'A thrown quadrotor with lagging rotors is caught and held in place by rotor commands alone.',
    source: {
      title: 'Learning to fly in seconds',
      authors: 'Eschmann, Albani and Loianno',
      year: 2024,
      url: 'https://arxiv.org/abs/2311.13081',
    },
    config,
    presets: [
      { id: 'hover', title: 'hover', config: {} },
      { id: 'lissajous', title: 'follow a figure', config: { amplitude: [0.5, 1], maxSteps: 500 } },
      { id: 'randomised', title: 'domain randomisation', config: { randomise: true } },
    ],
    meta,
  },
  create(given, batch, options) {
    const c = { ...given };
    const rows = allocateRows(state, batch);
    const { floats, words, floatStride, wordStride } = rows;
    const draws = new Draws(rows.rng, options?.draws);
    const { kept, terms } = createTerms(batch, TERMS.length);
    const target = new Float64Array(6); // place and velocity
    const [ampX, ampY] = [c.amplitude[0]!, c.amplitude[1]!];
    const moving = ampX > 0 || ampY > 0;
    const aim = (row: number) => {
      if (!moving) return;
      const speed = (2 * Math.PI) / c.period;
      const p = speed * DT * words[row * wordStride]!;
      target[0] = ampX * sin(2 * p);
      target[1] = ampY * sin(p);
      target[3] = 2 * speed * ampX * cos(2 * p);
      target[4] = speed * ampY * cos(p);
    };
    const norm = (at: number, from: number): number => {
      let sum = 0;
      for (let i = 0; i < 3; i++) sum += (floats[at + i]! - target[from + i]!) ** 2;
      return sqrt(sum);
    };
    /** Whether a drone is too far from the target that was aimed at, too fast or turning too fast. */
    const isLost = (s: number): boolean => {
      for (let i = 0; i < 3; i++) {
        if (!(Math.abs(floats[s + i]! - target[i]!) <= LIMIT.place)) return true;
        if (!(Math.abs(floats[s + 7 + i]! - target[3 + i]!) <= LIMIT.speed)) return true;
        if (!(Math.abs(floats[s + 10 + i]!) <= LIMIT.rate)) return true;
      }
      return false;
    };
    const observe = (row: number, out: StepBuffers) => {
      const s = row * floatStride;
      const o = row * OBS;
      const { obs } = out;
      aim(row);
      for (let i = 0; i < 3; i++) {
        obs[o + i] = floats[s + i]! - target[i]!;
        obs[o + 3 + i] = floats[s + 7 + i]! - target[3 + i]!;
        obs[o + 15 + i] = floats[s + 7 + i]!;
        obs[o + 18 + i] = floats[s + 10 + i]!;
      }
      rotationOf(floats, s + 3, obs, o + 6);
      for (let i = 0; i < 8; i++) obs[o + 21 + i] = floats[s + PAST_AT + i]!;
      if (!out.state) return;
      const g = row * CENTRAL;
      for (let i = 0; i < 3; i++) out.state[g + i] = floats[s + i]!;
      for (let i = 0; i < 9; i++) out.state[g + 3 + i] = obs[o + 6 + i]!;
      for (let i = 0; i < 6; i++) out.state[g + 12 + i] = obs[o + 15 + i]!;
      out.state.fill(0, g + 18, g + 24);
      for (let i = 0; i < 4; i++) out.state[g + 24 + i] = 2 * floats[s + 13 + i]! - 1;
    };
    return assemble(meta(c), batch, rows, {
      start(row) {
        const s = row * floatStride;
        words[row * wordStride] = 0;
        floats.set(TINY, s + CRAFT_AT);
        if (c.randomise) {
          const between = (ends: readonly number[], name: string) => ends[0]! + (ends[1]! - ends[0]!) * draws.uniform(row, name);
          const thrust = (between(c.thrustToWeight, 'thrust to weight') * MASS * GRAVITY) / 4;
          const inertia = (2 * ARM * thrust) / between(c.torqueToInertia, 'torque to inertia');
          floats[s + CRAFT_AT] = thrust;
          floats[s + CRAFT_AT + 1] = inertia;
          floats[s + CRAFT_AT + 2] = inertia;
          floats[s + CRAFT_AT + 3] = (inertia * TINY[3] * 2) / (TINY[1] + TINY[2]);
          floats[s + CRAFT_AT + 4] = between(c.lagRising, 'lag rising');
          floats[s + CRAFT_AT + 5] = between(c.lagFalling, 'lag falling');
        }
        for (let i = 0; i < 3; i++) floats[s + i] = draws.uniform(row, 'place') - 0.5;
        // a uniform axis: z and the angle about it uniform (Archimedes)
        const up = 2 * draws.uniform(row, 'axis') - 1;
        const around = 2 * Math.PI * draws.uniform(row, 'axis');
        const half = draws.uniform(row, 'angle') / 2;
        const flat = sqrt(1 - up * up) * sin(half);
        floats[s + 3] = cos(half);
        floats[s + 4] = flat * cos(around);
        floats[s + 5] = flat * sin(around);
        floats[s + 6] = up * sin(half);
        for (let i = 7; i < 13; i++) floats[s + i] = 2 * draws.uniform(row, i < 10 ? 'speed' : 'rate') - 1;
        for (let i = 0; i < 4; i++) {
          const u = draws.uniform(row, 'rotor');
          floats[s + 13 + i] = u;
          floats[s + PAST_AT + i] = 2 * u - 1;
          floats[s + PAST_AT + 4 + i] = 2 * u - 1;
        }
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          const s = row * floatStride;
          aim(row);
          let effort = 0;
          for (let i = 0; i < 4; i++) {
            const a = Math.min(1, Math.max(-1, actions[4 * row + i]!));
            effort += ((a + 1) / 2 - THROTTLE) ** 2;
          }
          const turned = Math.abs(floats[s + 6]!);
          const yaw = 4 * atan2(sqrt(turned), sqrt(2 - turned)); // 2 acos(1 - turned)
          const away = c.placeWeight * norm(s, 0);
          const turnedAway = c.yawWeight * yaw;
          const drifting = c.speedWeight * norm(s + 7, 3);
          const working = c.effortWeight * effort;
          stepLagged(floats, s, floats, s + CRAFT_AT, actions, 4 * row, DT);
          floats.copyWithin(s + PAST_AT + 4, s + PAST_AT, s + PAST_AT + 4);
          for (let i = 0; i < 4; i++) floats[s + PAST_AT + i] = actions[4 * row + i]!;
          const steps = words[row * wordStride]! + 1;
          words[row * wordStride] = steps;
          aim(row);
          const lost = isLost(s);
          out.reward[row] = lost ? 0 : c.flyingWeight - 0.1 * (away + turnedAway + drifting + working);
          const k = row * TERMS.length;
          kept[k] = lost ? 0 : c.flyingWeight;
          kept[k + 1] = lost ? 0 : -0.1 * away;
          kept[k + 2] = lost ? 0 : -0.1 * turnedAway;
          kept[k + 3] = lost ? 0 : -0.1 * drifting;
          kept[k + 4] = lost ? 0 : -0.1 * working;
          out.terminated[row] = lost ? 1 : 0;
          out.truncated[row] = !lost && steps >= c.maxSteps ? 1 : 0;
          observe(row, out);
        }
      },
      observe,
      terms,
      configure: (next) => void Object.assign(c, next),
      measure(row, out, at) {
        aim(row);
        out[at] = words[row * wordStride]! >= c.maxSteps && !isLost(row * floatStride) ? 1 : 0;
      },
      frame(row, out) {
        const s = row * floatStride;
        aim(row);
        for (let i = 0; i < 3; i++) {
          out[i] = floats[s + i]!;
          out[3 + i] = floats[s + 4 + i]!;
        }
        out[6] = floats[s + 3]!;
        putAt(out, 7, target[0]!, target[1]!, target[2]!);
        for (let i = 0; i < 4; i++) out[14 + i] = RPM * floats[s + 13 + i]!;
        out[18] = norm(s, 0);
      },
    });
  },
  policies: { pilot: laggedPilot },
});
