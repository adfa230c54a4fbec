/**
 * Walk ahead on two legs over rough ground, seen by a lidar. Gymnasium BipedalWalker-v3 and BipedalWalkerHardcore-v3, on Box2D 2.3 in float32, bit for
 * bit as the reference computes the first episode of a world, and the same in every browser.
 * Obs (24): hull angle, its turning (rad/s times 0.04), velocity (x / 8.3 m/s, y / 12.5 m/s); for each leg hip angle, hip speed, knee angle + 1, knee
 * speed (in the motors' speeds), whether the shin touches; ten shares of lidar rays of 5.33 m, from straight down to 1.35 rad ahead.
 * Actions (4): for each leg hip and knee, -1 to 1: the sign is the way the motor turns, the size its torque.
 * Reward: what the step changed of 130 x / 30 m - 5 |hull angle|, less 0.028 times the sum of the actions' sizes; in place of that -100 where the hull
 * touches the ground or goes behind the start. Ends then, and at the end of the way. Truncates at `maxSteps`. The weights are settings.
 * Differs: the clouds of the reference's picture and their draws are left out; its later episodes, for which it keeps one Box2D world, meet the ground in
 * another order. Source: Gymnasium 1.4.0 `box2d/bipedal_walker.py`; Box2D 2.3.0 (Catto, zlib licence) as pybox2d ships it.
 */
import { cos, sin } from '#math/functions.ts';
import { defineEnv } from '../api/define.ts';
import { Draws } from '../api/draws.ts';
import { assemble } from '../api/environment.ts';
import { soloMeta } from '../api/meta.ts';
import { allocateRows, defineState } from '../api/state.ts';
import { createTerms } from '../api/terms.ts';
import type { EnvMeta, StepBuffers } from '../api/types.ts';
import { prepareSolver } from './lib/solver/load.ts';
import { Solver, worldWords } from './lib/solver/solver.ts';
import { HARDCORE, WALKER_TERMS, type WalkerConfig, walkerConfig, walkerReferences } from './lib/walker/config.ts';
import { drawWalker, walkerFrame } from './lib/walker/frame.ts';
import { walkerHeuristic } from './lib/walker/scripts.ts';
import { groundOf, layWay, MOST_OBSTACLES, outlineOf } from './lib/walker/terrain.ts';
import {
  FPS,
  GRASS,
  HEIGHT,
  LEG_DOWN,
  LEG_HEIGHT,
  PIECES,
  RAYS,
  rayEnd,
  SCALE,
  SIDES,
  START_X,
  START_Y,
  STEP,
  WIDTH,
  walkerWorld,
} from './lib/walker/world.ts';

const OBS = 24;
const END = (PIECES - GRASS) * STEP;
const RAY_SINE = Array.from({ length: RAYS }, (_, i) => sin((1.5 * i) / 10));
const RAY_COSINE = Array.from({ length: RAYS }, (_, i) => cos((1.5 * i) / 10));

const state = defineState(1, [
  { name: 'heights', type: 'f64', shape: [PIECES], unit: 'm', doc: 'of the way, from left to right' },
  { name: 'obstacles', type: 'f64', shape: [4 * MOST_OBSTACLES], unit: 'm', doc: 'left, low, right and high of each, then zeros' },
  { name: 'parts', type: 'f64', shape: [2], doc: 'way and level hull as the last step paid for them' },
  {
    name: 'world',
    type: 'u32',
    shape: [worldWords(walkerWorld)],
    doc: 'the solver’s state: bodies, joints, contacts (float32 and integers)',
  },
  { name: 'count', type: 'u32', shape: [], doc: 'obstacles' },
  { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
]);

const JOINTS = ['hip 1', 'knee 1', 'hip 2', 'knee 2'];
const LABELS = [
  ...['hull angle', 'hull turning', 'speed x', 'speed y'],
  ...['1', '2'].flatMap((leg) => [`hip ${leg}`, `hip speed ${leg}`, `knee ${leg}`, `knee speed ${leg}`, `contact ${leg}`]),
  ...Array.from({ length: RAYS }, (_, i) => `lidar ${i + 1}`),
];
const KEYS = [
  ['q', 'a', 'leftX'],
  ['w', 's', 'leftY'],
  ['o', 'l', 'rightX'],
  ['p', 'm', 'rightY'],
] as const;

function meta(c: WalkerConfig): EnvMeta {
  return soloMeta({
    id: 'bipedal-walker',
    agent: 'walker',
    obs: { kind: 'box', shape: [OBS], low: null, high: null, labels: LABELS },
    action: { kind: 'box', size: 4, low: [-1, -1, -1, -1], high: [1, 1, 1, 1], labels: JOINTS },
    gamma: 0.99,
    maxSteps: c.maxSteps,
    evalMaxSteps: c.maxSteps,
    state,
    terms: WALKER_TERMS,
    frame: walkerFrame,
    references: walkerReferences(c),
    keys: [],
    axes: KEYS.map(([more, less, stick], component) => ({
      name: JOINTS[component]!,
      component,
      less: [less],
      more: [more],
      low: -1,
      high: 1,
      rest: 0,
      stick,
    })),
    idleAction: null,
    fps: FPS,
  });
}

export const bipedalWalker = defineEnv<WalkerConfig>({
  spec: {
    id: 'bipedal-walker',
    version: 1,
    title: 'Bipedal walker',
    summary: 'Walk ahead on two legs over rough ground, or over stumps, stairs and pits.',
    source: {
      title: 'Gymnasium: a standard interface for reinforcement learning environments',
      authors: 'Towers et al.',
      year: 2024,
      url: 'https://arxiv.org/abs/2407.17032',
    },
    config: walkerConfig,
    recommended: { algo: 'ppo', preset: 'bipedal-walker', steps: 3_000_000 },
    before: 'heuristic',
    presets: [
      { id: 'standard', title: 'BipedalWalker-v3', config: {} },
      { id: 'hardcore', title: 'BipedalWalkerHardcore-v3', config: HARDCORE },
    ],
    meta,
  },
  prepare: prepareSolver,
  create(given, batch, options) {
    const c = { ...given };
    const rows = allocateRows(state, batch);
    const { floats, words, floatStride, wordStride } = rows;
    const [heightsAt, obstaclesAt, partsAt, worldAt, countAt, stepsAt] = ['heights', 'obstacles', 'parts', 'world', 'count', 'steps'].map(
      (name) => rows.offset(name),
    ) as [number, number, number, number, number, number];
    const draws = new Draws(rows.rng, options?.draws);
    const { kept, terms } = createTerms(batch, WALKER_TERMS.length);
    const solver = new Solver(walkerWorld);
    const ways: { ground: Uint8Array; outline: Float32Array }[] = [];
    const part = (row: number, at: number, length: number): Float64Array =>
      floats.subarray(row * floatStride + at, row * floatStride + at + length);
    const heightsOf = (row: number): Float64Array => part(row, heightsAt, PIECES);
    const obstaclesOf = (row: number): Float64Array => part(row, obstaclesAt, 4 * MOST_OBSTACLES);

    /** Makes the row's ground from its state; the solver's world is empty before. */
    const lay = (row: number): void => {
      const count = words[row * wordStride + countAt]!;
      const ground = solver.lay(groundOf(heightsOf(row), obstaclesOf(row), count, c.friction));
      ways[row] = { ground, outline: outlineOf(heightsOf(row), obstaclesOf(row), count) };
    };

    const drive = (hinge: number, action: number): void =>
      solver.motor(hinge, (hinge % 2 === 0 ? c.hipSpeed : c.kneeSpeed) * Math.sign(action), c.torque * Math.min(1, Math.abs(action)));

    const seen = new Float64Array(OBS);
    const look = (): void => {
      const hull = solver.body(0);
      seen[0] = hull.angle;
      seen[1] = (2 * hull.spin) / FPS;
      seen[2] = (0.3 * hull.vx * WIDTH) / FPS;
      seen[3] = (0.3 * hull.vy * HEIGHT) / FPS;
      for (let leg = 0; leg < 2; leg++) {
        const thigh = solver.body(1 + 2 * leg);
        const shin = solver.body(2 + 2 * leg);
        const at = 4 + 5 * leg;
        seen[at] = Math.fround(thigh.angle - hull.angle);
        seen[at + 1] = Math.fround(thigh.spin - hull.spin) / c.hipSpeed;
        seen[at + 2] = Math.fround(shin.angle - thigh.angle) + 1;
        seen[at + 3] = Math.fround(shin.spin - thigh.spin) / c.kneeSpeed;
        seen[at + 4] = shin.touching ? 1 : 0;
      }
      for (let i = 0; i < RAYS; i++) seen[14 + i] = solver.ray(hull.x, hull.y, ...rayEnd(hull.x, hull.y, RAY_SINE[i]!, RAY_COSINE[i]!));
    };

    const parts = new Float64Array(2);
    const advance = (row: number, actions: ArrayLike<number>, from: number): void => {
      for (let i = 0; i < 4; i++) drive(i, actions[from + i]!);
      solver.step();
      solver.leave(words, row * wordStride + worldAt);
      look();
      parts[0] = (c.progressWeight * solver.body(0).x) / SCALE;
      parts[1] = -c.uprightWeight * Math.abs(seen[0]!);
    };

    const pay = (row: number, actions: ArrayLike<number>, out: StepBuffers): void => {
      const before = part(row, partsAt, 2);
      const t = row * WALKER_TERMS.length;
      const { hit, x } = solver.body(0);
      const fell = hit || x < 0;
      let reward = parts[0]! + parts[1]! - (before[0]! + before[1]!);
      let effort = 0; // for the terms alone: the reward is added up in the reference's order
      for (let i = 0; i < 4; i++) {
        const paid = c.effortWeight * Math.min(1, Math.abs(actions[4 * row + i]!));
        reward -= paid;
        effort -= paid;
      }
      kept[t] = fell ? 0 : parts[0]! - before[0]!;
      kept[t + 1] = fell ? 0 : parts[1]! - before[1]!;
      kept[t + 2] = fell ? 0 : effort;
      kept[t + 3] = fell ? -c.fallWeight : 0;
      out.reward[row] = fell ? -c.fallWeight : reward;
      out.terminated[row] = fell || x > END ? 1 : 0;
      before.set(parts);
    };

    const enter = (row: number): void => solver.enter(words, row * wordStride + worldAt, ways[row]!.ground, -c.gravity);
    const idle = [0, 0, 0, 0];
    const rays = new Float64Array(2 * RAYS);

    return assemble(meta(c), batch, rows, {
      start(row) {
        const way = {
          rough: () => 2 * draws.uniform(row, 'rough') - 1,
          int: (low: number, high: number, name: string) => low + draws.int(row, high - low, name),
          up: () => draws.uniform(row, 'up') > 0.5,
        };
        obstaclesOf(row).fill(0);
        words[row * wordStride + countAt] = layWay(way, c.hardcore, c.roughness, heightsOf(row), obstaclesOf(row));
        solver.clear(-c.gravity);
        lay(row);
        solver.place(0, START_X, START_Y);
        solver.force(0, c.push * (2 * draws.uniform(row, 'push') - 1), 0);
        SIDES.forEach((side, leg) => {
          solver.place(1 + 2 * leg, START_X, START_Y - LEG_HEIGHT / 2 - LEG_DOWN, side * 0.05);
          solver.place(2 + 2 * leg, START_X, START_Y - (LEG_HEIGHT * 3) / 2 - LEG_DOWN, side * 0.05);
        });
        words[row * wordStride + stepsAt] = 0;
        advance(row, idle, 0); // the reference's reset makes a step with all motors off
        part(row, partsAt, 2).set(parts);
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          enter(row);
          advance(row, actions, 4 * row);
          pay(row, actions, out);
          const steps = words[row * wordStride + stepsAt]! + 1;
          words[row * wordStride + stepsAt] = steps;
          out.truncated[row] = steps >= c.maxSteps && out.terminated[row] === 0 ? 1 : 0;
          out.obs.set(seen, row * OBS);
        }
      },
      observe(row, { obs }) {
        enter(row);
        look();
        obs.set(seen, row * OBS);
      },
      loaded(row) {
        const count = Math.min(words[row * wordStride + countAt]!, MOST_OBSTACLES);
        solver.check(words, row * wordStride + worldAt, count + PIECES - 1);
        words[row * wordStride + countAt] = count;
        solver.clear(-c.gravity);
        lay(row);
      },
      terms,
      configure: (next) => void Object.assign(c, next),
      frame(row, out) {
        enter(row);
        look();
        const hull = solver.body(0);
        for (let i = 0; i < RAYS; i++) {
          const [x, y] = rayEnd(hull.x, hull.y, RAY_SINE[i]!, RAY_COSINE[i]!);
          const share = seen[14 + i]!;
          rays[2 * i] = share < 1 ? hull.x + share * (x - hull.x) : Number.NaN;
          rays[2 * i + 1] = hull.y + share * (y - hull.y);
        }
        drawWalker(out, {
          words,
          at: row * wordStride + worldAt,
          outline: ways[row]!.outline,
          heights: heightsOf(row),
          rays,
          distance: hull.x - START_X,
          speed: hull.vx,
        });
      },
    });
  },
  policies: { heuristic: walkerHeuristic },
});
