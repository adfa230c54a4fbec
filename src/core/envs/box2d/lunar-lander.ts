/**
 * Bring a lander down between two flags with a main engine and two at its sides. Gymnasium LunarLander-v3 and LunarLanderContinuous-v3, on Box2D 2.3
 * in float32, bit for bit as the reference computes them, and the same in every browser.
 * Obs (8): place from the pad (x / 10 m, y / 6.67 m), velocity (x / 5 m/s, y / 7.5 m/s), angle (rad), turning (rad/s times 0.4), whether each leg touches.
 * Actions: none, engine that turns to the left, main engine, engine that turns to the right; or continuous: main (on above 0, half to full power) and
 * side (on beyond ±0.5). Engines burn unevenly by two numbers drawn each step.
 * Reward: what the step changed of -100 distance - 100 speed - 100 |angle| + 10 per leg that touches, less 0.3 for main and 0.03 for side power; in place
 * of all that -100 for a crash or for leaving to a side, 100 for coming to rest. Ends then. Truncates at `maxSteps`. The weights are settings.
 * Differs: wind is on where it or turbulence is above 0; the gases of the reference's picture, which do not act on anything, are flames here.
 * Source: Gymnasium 1.4.0 `box2d/lunar_lander.py`; Box2D 2.3.0 (Catto, zlib licence) as pybox2d ships it.
 */
import { cos, sin, sqrt, tanh } from '#math/functions.ts';
import { defineEnv } from '../api/define.ts';
import { Draws } from '../api/draws.ts';
import { assemble } from '../api/environment.ts';
import { soloMeta } from '../api/meta.ts';
import { allocateRows, defineState } from '../api/state.ts';
import { createTerms } from '../api/terms.ts';
import type { EnvMeta, StepBuffers } from '../api/types.ts';
import { LANDER_TERMS, type LanderConfig, landerConfig, landerReferences, windy } from './lib/lander/config.ts';
import { drawLander, landerFrame } from './lib/lander/frame.ts';
import { landerExpert } from './lib/lander/scripts.ts';
import {
  CHUNKS,
  FPS,
  HEIGHT,
  LEG_AWAY,
  LEG_DOWN,
  landerWorld,
  legMotor,
  moonOf,
  PAD,
  SCALE,
  SIDES,
  smoothed,
  WIDTH,
} from './lib/lander/world.ts';
import { prepareSolver } from './lib/solver/load.ts';
import { Solver, worldWords } from './lib/solver/solver.ts';

const WIND_FROM = -9999;
const WIND_COUNT = 19_998;

const state = defineState(1, [
  { name: 'heights', type: 'f64', shape: [CHUNKS], unit: 'm', doc: 'of the moon, from left to right' },
  { name: 'parts', type: 'f64', shape: [5], doc: 'way, speed, angle and legs as the last step paid for them' },
  { name: 'engines', type: 'f64', shape: [2], doc: 'power of the main engine and of the side engines in the last step, for the picture' },
  { name: 'air', type: 'i32', shape: [2], doc: 'where wind and turbulence are in their course' },
  {
    name: 'world',
    type: 'u32',
    shape: [worldWords(landerWorld)],
    doc: 'the solver’s state: bodies, joints, contacts (float32 and integers)',
  },
  { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
]);

const DISCRETE = ['none', 'turn left', 'main engine', 'turn right'];

function meta(c: LanderConfig): EnvMeta {
  return soloMeta({
    id: 'lunar-lander',
    agent: 'lander',
    obs: {
      kind: 'box',
      shape: [8],
      low: null,
      high: null,
      labels: ['x', 'y', 'speed x', 'speed y', 'angle', 'turning', 'left leg', 'right leg'],
    },
    action: c.continuous
      ? { kind: 'box', size: 2, low: [-1, -1], high: [1, 1], labels: ['main engine', 'side engines'] }
      : { kind: 'discrete', n: 4, labels: DISCRETE },
    gamma: 0.99,
    maxSteps: c.maxSteps,
    evalMaxSteps: c.maxSteps,
    state,
    terms: LANDER_TERMS,
    frame: landerFrame,
    references: landerReferences(c),
    keys: c.continuous ? [] : [[], ['ArrowLeft', 'a'], ['ArrowUp', 'w'], ['ArrowRight', 'd']],
    ...(c.continuous && {
      axes: [
        {
          name: 'main engine',
          component: 0,
          less: ['ArrowDown', 's'],
          more: ['ArrowUp', 'w'],
          low: -1,
          high: 1,
          rest: 0,
          stick: 'leftY' as const,
        },
        {
          name: 'side engines',
          component: 1,
          less: ['ArrowLeft', 'a'],
          more: ['ArrowRight', 'd'],
          low: -1,
          high: 1,
          rest: 0,
          stick: 'rightX' as const,
        },
      ],
    }),
    idleAction: c.continuous ? null : 0,
    fps: FPS,
  });
}

const clip = (x: number, low: number, high: number): number => Math.min(high, Math.max(low, x));

export const lunarLander = defineEnv<LanderConfig>({
  spec: {
    id: 'lunar-lander',
    version: 1,
    title: 'Lunar lander',
    summary: 'Bring a lander down between two flags, softly and with little fuel.',
    source: {
      title: 'Gymnasium: a standard interface for reinforcement learning environments',
      authors: 'Towers et al.',
      year: 2024,
      url: 'https://arxiv.org/abs/2407.17032',
    },
    config: landerConfig,
    recommended: { algo: 'ppo', preset: 'lunar-lander', steps: 1_000_000 },
    before: 'expert',
    presets: [
      { id: 'standard', title: 'LunarLander-v3', config: {} },
      { id: 'continuous', title: 'LunarLanderContinuous-v3', config: { continuous: true } },
      { id: 'windy', title: 'with wind', config: { wind: 15, turbulence: 1.5 } },
    ],
    meta,
  },
  prepare: prepareSolver,
  create(given, batch, options) {
    const c = { ...given };
    const rows = allocateRows(state, batch);
    const { floats, words, floatStride, wordStride } = rows;
    const [heightsAt, partsAt, enginesAt, airAt, worldAt, stepsAt] = ['heights', 'parts', 'engines', 'air', 'world', 'steps'].map((name) =>
      rows.offset(name),
    ) as [number, number, number, number, number, number];
    const draws = new Draws(rows.rng, options?.draws);
    const { kept, terms } = createTerms(batch, LANDER_TERMS.length);
    const solver = new Solver(landerWorld);
    const moons: Uint8Array[] = [];
    const heightsOf = (row: number): Float64Array => floats.subarray(row * floatStride + heightsAt, row * floatStride + heightsAt + CHUNKS);
    const between = (row: number, low: number, high: number, name: string): number => low + (high - low) * draws.uniform(row, name);

    /** One gust and where it is next. */
    const gust = (row: number, which: 0 | 1): number => {
      const at = row * wordStride + airAt + which;
      const k = words[at]! | 0;
      words[at] = (k + 1) >>> 0;
      return tanh(sin(0.02 * k) + sin(Math.PI * 0.01 * k));
    };

    const blow = (row: number): void => {
      if (!windy(c) || solver.body(1).touching || solver.body(2).touching) return;
      solver.force(0, gust(row, 0) * c.wind, 0);
      solver.torque(0, gust(row, 1) * c.turbulence);
    };

    const burn = (row: number, main: number, side: number): void => {
      const { x, y, angle } = solver.body(0);
      const tipX = sin(angle);
      const tipY = cos(angle);
      const d0 = between(row, -1, 1, 'dispersion') / SCALE;
      const d1 = between(row, -1, 1, 'dispersion') / SCALE;
      if (main > 0) {
        const ox = tipX * (4 / SCALE + 2 * d0) + -tipY * d1;
        const oy = -tipY * (4 / SCALE + 2 * d0) - tipX * d1;
        solver.impulse(0, -ox * c.mainEngine * main, -oy * c.mainEngine * main, x + ox, y + oy);
      }
      if (side !== 0) {
        const power = Math.abs(side);
        const reach = 3 * d1 + (Math.sign(side) * 12) / SCALE;
        const ox = tipX * d0 + -tipY * reach;
        const oy = -tipY * d0 - tipX * reach;
        const atX = x + ox - (tipX * 17) / SCALE;
        const atY = y + oy + (tipY * 14) / SCALE;
        solver.impulse(0, -ox * c.sideEngine * power, -oy * c.sideEngine * power, atX, atY);
      }
    };

    /** The numbers of the observation in float64, as the reward reads them. */
    const seen = new Float64Array(8);
    const look = (): void => {
      const { x, y, vx, vy, angle, spin } = solver.body(0);
      seen[0] = (x - WIDTH / 2) / (WIDTH / 2);
      seen[1] = (y - (PAD + LEG_DOWN)) / (HEIGHT / 2);
      seen[2] = (vx * (WIDTH / 2)) / FPS;
      seen[3] = (vy * (HEIGHT / 2)) / FPS;
      seen[4] = angle;
      seen[5] = (20 * spin) / FPS;
      seen[6] = solver.body(1).touching ? 1 : 0;
      seen[7] = solver.body(2).touching ? 1 : 0;
    };

    const parts = new Float64Array(5);
    const rate = (): void => {
      parts[0] = -c.positionWeight * sqrt(seen[0]! * seen[0]! + seen[1]! * seen[1]!);
      parts[1] = -c.speedWeight * sqrt(seen[2]! * seen[2]! + seen[3]! * seen[3]!);
      parts[2] = -c.angleWeight * Math.abs(seen[4]!);
      parts[3] = c.legWeight * seen[6]!;
      parts[4] = c.legWeight * seen[7]!;
    };
    const total = (of: Float64Array): number => of[0]! + of[1]! + of[2]! + of[3]! + of[4]!;

    /** A step of the world that is in, and what it leaves in the row. */
    const advance = (row: number, main: number, side: number): void => {
      blow(row);
      burn(row, main, side);
      solver.step();
      solver.leave(words, row * wordStride + worldAt);
      floats[row * floatStride + enginesAt] = main;
      floats[row * floatStride + enginesAt + 1] = side;
      look();
      rate();
    };

    const observe = (row: number, { obs }: StepBuffers): void => {
      solver.enter(words, row * wordStride + worldAt, moons[row]!, -c.gravity);
      look();
      obs.set(seen, row * 8);
    };

    const pay = (row: number, main: number, side: number, out: StepBuffers): void => {
      const before = floats.subarray(row * floatStride + partsAt, row * floatStride + partsAt + 5);
      const t = row * LANDER_TERMS.length;
      const hull = solver.body(0);
      const crashed = hull.hit || Math.abs(seen[0]!) >= 1;
      const resting = !hull.awake;
      if (crashed || resting) {
        kept.fill(0, t, t + 6);
        kept[t + 6] = resting ? c.restWeight : -c.crashWeight;
        out.reward[row] = kept[t + 6]!;
      } else {
        for (let i = 0; i < 3; i++) kept[t + i] = parts[i]! - before[i]!;
        kept[t + 3] = parts[3]! + parts[4]! - (before[3]! + before[4]!);
        kept[t + 4] = -main * c.mainFuel;
        kept[t + 5] = -Math.abs(side) * c.sideFuel;
        kept[t + 6] = 0;
        out.reward[row] = total(parts) - total(before) - main * c.mainFuel - Math.abs(side) * c.sideFuel;
      }
      before.set(parts);
      out.terminated[row] = crashed || resting ? 1 : 0;
    };

    return assemble(meta(c), batch, rows, {
      start(row) {
        const drawn = Array.from({ length: CHUNKS + 1 }, () => between(row, 0, HEIGHT / 2, 'height'));
        heightsOf(row).set(smoothed(drawn));
        solver.clear(-c.gravity);
        moons[row] = solver.lay(moonOf(heightsOf(row)));
        solver.place(0, WIDTH / 2, HEIGHT);
        const x = between(row, -c.push, c.push, 'push');
        solver.force(0, x, between(row, -c.push, c.push, 'push'));
        for (const which of [0, 1])
          words[row * wordStride + airAt + which] = windy(c) ? (WIND_FROM + draws.int(row, WIND_COUNT, 'wind')) >>> 0 : 0;
        SIDES.forEach((side, i) => {
          solver.place(i + 1, WIDTH / 2 - side * LEG_AWAY, HEIGHT, side * 0.05);
          solver.motor(i, ...legMotor(side));
        });
        words[row * wordStride + stepsAt] = 0;
        advance(row, 0, 0); // the reference's reset makes a step without engines
        floats.set(parts, row * floatStride + partsAt);
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          solver.enter(words, row * wordStride + worldAt, moons[row]!, -c.gravity);
          let main: number;
          let side: number;
          if (c.continuous) {
            const lateral = clip(actions[2 * row + 1]!, -1, 1);
            const throttle = clip(actions[2 * row]!, -1, 1);
            main = throttle > 0 ? (throttle + 1) * 0.5 : 0;
            side = Math.abs(lateral) > 0.5 ? lateral : 0;
          } else {
            main = actions[row] === 2 ? 1 : 0;
            side = actions[row] === 1 ? -1 : actions[row] === 3 ? 1 : 0;
          }
          advance(row, main, side);
          pay(row, main, side, out);
          const steps = words[row * wordStride + stepsAt]! + 1;
          words[row * wordStride + stepsAt] = steps;
          out.truncated[row] = steps >= c.maxSteps && out.terminated[row] === 0 ? 1 : 0;
          out.obs.set(seen, row * 8);
        }
      },
      observe,
      loaded(row) {
        solver.check(words, row * wordStride + worldAt, CHUNKS);
        solver.clear(-c.gravity);
        moons[row] = solver.lay(moonOf(heightsOf(row)));
      },
      terms,
      configure: (next) => void Object.assign(c, next),
      frame(row, out) {
        solver.enter(words, row * wordStride + worldAt, moons[row]!, -c.gravity);
        const { vx, vy } = solver.body(0);
        drawLander(out, {
          words,
          at: row * wordStride + worldAt,
          heights: heightsOf(row),
          engines: [floats[row * floatStride + enginesAt]!, floats[row * floatStride + enginesAt + 1]!],
          velocity: [vx, vy],
        });
      },
    });
  },
  policies: { expert: landerExpert },
});
