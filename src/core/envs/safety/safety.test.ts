/** The quick world of limits: its lidar and costs against the reference's recorded numbers, its rules by hand, its scripts over many episodes. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { getEnv } from '#core/envs/all.ts';
import { createActions, createBuffers } from '../api/buffers.ts';
import { addToLidar, LIDAR } from '../lib/safety/sensing.ts';
import { Around } from './lib/around.ts';
import { CIRCLE, SECONDS } from './lib/config.ts';

const entry = getEnv('quick-safety');

type Place = readonly [x: number, y: number];
/** What lies in each world, in the order of places: the robot first. */
const THINGS = { goal: 10, button: 14 } as const;
const AWAY = (i: number): Place => [20 + 5 * i, 20];

/** A row in which things lie as given, by their numbers; all others are far away. */
function at(
  config: JsonObject & { readonly task?: 'goal' | 'button' },
  places: { readonly [thing: number]: Place },
  more: JsonObject = {},
) {
  const env = entry.create(entry.parse(config), 1);
  const buffers = createBuffers(env.meta, 1);
  const actions = createActions(env.meta, 1);
  env.reset(Uint32Array.of(1), buffers);
  const { state } = env.meta;
  const layout = Array.from({ length: THINGS[config.task ?? 'goal'] }, (_, i) => [...(places[i] ?? AWAY(i))]);
  env.load(0, state.fromJSON({ ...state.toJSON(env.save(0)), layout, timer: 0, ...more }), buffers);
  const step = (right: number, up: number) => {
    actions.set([right, up]);
    env.step(actions, buffers);
    return { reward: buffers.reward[0]!, cost: buffers.cost![0]!, obs: [...buffers.obs], state: state.toJSON(env.save(0)) };
  };
  return { env, buffers, step };
}

interface Golden {
  readonly name: string;
  readonly rows: readonly { readonly inputs: JsonObject; readonly expected: JsonObject }[];
}
const { cases }: { readonly cases: readonly Golden[] } = JSON.parse(
  readFileSync(new URL('../golden/safety_lidar.json', import.meta.url), 'utf8'),
);
const golden = (check: string) => cases.filter(({ name }) => name.includes(check)).flatMap(({ rows }) => rows);

describe('against Safety-Gymnasium', () => {
  it('the lidar shows what the reference’s does, where the robot is not turned', () => {
    let compared = 0;
    for (const { inputs, expected } of golden('pseudo-lidar')) {
      if (JSON.stringify(inputs.agentMat) !== '[[1,0,0],[0,1,0],[0,0,1]]' || 'maxDist' in inputs || 'bins' in inputs || 'alias' in inputs)
        continue;
      const [x, y] = inputs.agentPos as [number, number];
      const hazards = inputs.positions as [number, number][];
      const { buffers } = at({}, { 0: [x, y], ...Object.fromEntries(hazards.map((place, i) => [2 + i, place])) });
      (expected.lidar as number[]).forEach((value, k) => {
        expect(buffers.obs[16 + k]).toBeCloseTo(value, 6);
      });
      compared++;
    }
    expect(compared).toBeGreaterThan(3);
  });

  it('a hazard costs where the reference’s does', () => {
    let compared = 0;
    for (const { inputs, expected } of golden('hazard')) {
      if (inputs.agent === undefined || inputs.size !== 0.2) continue;
      const hazards = inputs.hazards as [number, number][];
      if (hazards.length > 8) continue;
      const { step } = at({}, { 0: inputs.agent as [number, number], ...Object.fromEntries(hazards.map((place, i) => [2 + i, place])) });
      expect(step(0, 0).cost).toBe(expected.cost);
      compared++;
    }
    expect(compared).toBeGreaterThan(2);
  });

  it('a turn of the robot is all that its lidar and the reference’s differ in', () => {
    const turned = [0, -1, 0, 1, 0, 0, 0, 0, 1]; // to the left by a quarter
    const bins = new Float64Array(16);
    addToLidar(LIDAR, [0.3, -0.2, 0.1], 0, turned, 0, 1, 0.4, bins, 0);
    const { buffers } = at({}, { 0: [0.3, -0.2], 2: [1, 0.4] });
    bins.forEach((value, k) => {
      expect(buffers.obs[16 + ((k + 4) % 16)]).toBeCloseTo(value, 6);
    });
  });
});

describe('rules', () => {
  it('pays metres gained and 1 at a goal, which is followed by another; terms add up', () => {
    const { env, step } = at({}, { 0: [0, 0], 1: [0.35, 0] }, { distance: 0.35 });
    const first = step(1, 0);
    expect(first.reward).toBeCloseTo(0.03, 6);
    expect(first.state.reached).toBe(0);
    const second = step(1, 0);
    expect(second.reward).toBeCloseTo(1.03, 6);
    expect(second.state.reached).toBe(1);
    const terms = new Float64Array(2);
    env.terms?.(0, terms, 0);
    expect([...terms].map((term) => Math.round(1e6 * term) / 1e6)).toEqual([0.03, 1]);
    expect((second.state.layout as number[][])[1]).not.toEqual([0.35, 0]);
  });

  it('counts a step in a hazard once, however many hazards overlap, and none on a rim', () => {
    const { env, step } = at({}, { 0: [0, 0], 1: [1, 1], 2: [0.1, 0], 3: [0, 0.1] });
    expect(step(0, 0).cost).toBe(1);
    expect(step(0, 0).cost).toBe(1);
    const measured = new Float64Array(2);
    env.measure?.(0, measured, 0);
    expect(measured[0]).toBe(2);
    expect(at({}, { 0: [0, 0], 1: [1, 1], 2: [0.2, 0] }).step(0, 0).cost).toBe(0);
  });

  it('a fence holds the robot 0.3 m behind the area', () => {
    const { step } = at({}, { 0: [1.79, 0], 1: [0, 0] });
    expect((step(1, 0).state.layout as number[][])[0]).toEqual([1.8, 0]);
  });

  it('a wrong button costs, but not just after a new one was lit, when none is seen', () => {
    const near = { 0: [0, 0], 1: [0.1, 0], 2: [1, 1], 5: [1, 1] } as const; // buttons 0 and 1, and the goal upon button 1
    expect(at({ task: 'button' }, near, { button: 1 }).step(0, 0).cost).toBe(1);
    const paused = at({ task: 'button' }, near, { button: 1, timer: 2 });
    const first = paused.step(0, 0);
    expect(first.cost).toBe(0);
    expect(Math.max(...first.obs.slice(0, 16))).toBe(0);
    expect(Math.max(...paused.step(0, 0).obs.slice(0, 16))).toBeGreaterThan(0.9);
    expect(paused.step(0, 0).cost).toBe(1);
    expect(at({ task: 'button' }, near, { button: 0 }).step(0, 0).cost).toBe(0);
  });

  it('gremlins go round and cost where they are', () => {
    const steps = 50;
    const t = SECONDS * (steps + 1);
    const gremlin = 14 - 4;
    const on: Place = [CIRCLE * Math.sin(t), CIRCLE * Math.cos(t)];
    expect(at({ task: 'button' }, { 0: on, [gremlin]: [0, 0], 5: [1, 1], 1: [1, 1] }, { steps }).step(0, 0).cost).toBe(1);
    expect(at({ task: 'button' }, { 0: [-on[0], -on[1]], [gremlin]: [0, 0], 5: [1, 1], 1: [1, 1] }, { steps }).step(0, 0).cost).toBe(0);
  });

  it('a person’s press puts the goal there, inside the fence', () => {
    const { env, step } = at({}, { 0: [0, 0], 1: [1, 1] });
    env.pull?.(0, { part: 1, at: [0, 0, 0], to: [-1, 9, 0] });
    expect((step(0, 0).state.layout as number[][])[1]).toEqual([-1, 1.8]);
  });
});

/** Mean return and cost of a script over whole episodes on these seeds. */
function played(config: JsonObject, script: string, seeds: number) {
  const c = entry.parse(config);
  const env = entry.create(c, seeds);
  const buffers = createBuffers(env.meta, seeds);
  const actions = createActions(env.meta, seeds);
  env.reset(
    Uint32Array.from({ length: seeds }, (_, i) => 50 + i),
    buffers,
  );
  let [paid, cost] = [0, 0];
  for (let t = 0; t < env.meta.maxSteps; t++) {
    entry.policies(c)[script]!.act(env, buffers, actions);
    env.step(actions, buffers);
    for (let row = 0; row < seeds; row++) {
      paid += buffers.reward[row]! / seeds;
      cost += buffers.cost![row]! / seeds;
    }
  }
  return { paid, cost };
}

describe.each([{}, { level: 2 }, { task: 'button' }])('%o', (config) => {
  it('straight on costs more than three times the limit; the way round keeps far below it and earns almost as much', () => {
    const straight = played(config, 'straight', 4);
    const round = played(config, 'around', 4);
    expect(straight.cost).toBeGreaterThan(60);
    expect(round.cost).toBeLessThan(5);
    expect(round.paid).toBeGreaterThan(0.88 * straight.paid);
  });
});

it('the way round a disc touches none and is found from inside one too', () => {
  const ways = new Around(1.5);
  const aim = new Float64Array(2);
  const discs = [0, 0, 0.4, 0.5, 0.3, 0.3];
  let [x, y] = [-1.2, 0.03];
  for (let t = 0; t < 200; t++) {
    ways.towards(x, y, 1.2, 0, discs, aim);
    const far = Math.max(Math.hypot(aim[0]! - x, aim[1]! - y), 0.03);
    x += (0.03 * (aim[0]! - x)) / far;
    y += (0.03 * (aim[1]! - y)) / far;
    for (let d = 0; d < discs.length; d += 3) expect(Math.hypot(x - discs[d]!, y - discs[d + 1]!)).toBeGreaterThan(discs[d + 2]! - 0.02);
  }
  expect(Math.hypot(x - 1.2, y)).toBeLessThan(0.05);
  ways.towards(0.1, 0, 1.2, 0, discs, aim);
  expect(Math.hypot(aim[0]! - 0.1, aim[1]!)).toBeGreaterThan(0.1);
});
