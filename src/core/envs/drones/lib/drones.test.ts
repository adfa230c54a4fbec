import { describe, expect, it } from 'vitest';
import { createActions, createBuffers } from '../../api/buffers.ts';
import type { EnvEntry, Environment, StepBuffers } from '../../api/types.ts';
import { droneFreeFlight } from '../drone-free-flight.ts';
import { droneHover } from '../drone-hover.ts';
import { droneMultiHover } from '../drone-multi-hover.ts';

/** Return of agent 0 in one episode of the policy `expert`. */
function expertReturn(entry: EnvEntry, config: object): { total: number; steps: number } {
  const env = entry.create(config, 1);
  const buffers = createBuffers(env.meta, 1);
  const actions = createActions(env.meta, 1);
  const policy = entry.policies(config).expert;
  env.reset(Uint32Array.of(1), buffers);
  let total = 0;
  let steps = 0;
  while (!buffers.terminated[0] && !buffers.truncated[0]) {
    policy?.act(env, buffers, actions);
    env.step(actions, buffers);
    total += buffers.reward[0]!;
    steps++;
  }
  return { total, steps };
}

function fly(config: object, steps: number, action: (env: Environment, b: StepBuffers) => ArrayLike<number>, drones?: readonly object[]) {
  const env = droneFreeFlight.create(config, 1);
  const buffers = createBuffers(env.meta, 1);
  env.reset(Uint32Array.of(1), buffers);
  const complete = droneFreeFlight.parse(config);
  if (drones) env.load(0, droneFreeFlight.golden.fromJson?.({ drones: drones as never }, complete) as Uint8Array, buffers);
  const actions = createActions(env.meta, 1);
  for (let t = 0; t < steps; t++) {
    actions.set(action(env, buffers) as number[]);
    env.step(actions, buffers);
  }
  return (droneFreeFlight.golden.toJson?.(env.save(0), complete)?.drones ?? []) as unknown as {
    pos: number[];
    vel: number[];
    rpy: number[];
    bodyRates: number[];
  }[];
}

const HOVER = 14468.429184;
const still = (n: number) => () => new Array<number>(4 * n).fill(HOVER);

describe('hovering', () => {
  it('the best vertical flight within 5 % of the hover speed reaches 474.28', () => {
    for (const actionType of ['rpm', 'one-d-rpm']) {
      const { total, steps } = expertReturn(droneHover, { actionType });
      expect(steps).toBe(242);
      expect(total).toBeGreaterThan(0.995 * 474.28);
      expect(total).toBeLessThan(474.29);
    }
  });

  it('the DSL controller sent to the target reaches 481', () => {
    expect(Math.abs(expertReturn(droneHover, { actionType: 'pid' }).total - 481.18)).toBeLessThan(0.3);
  });

  it('velocities and small steps up reach it too', () => {
    expect(expertReturn(droneHover, { actionType: 'vel' }).total).toBeGreaterThan(430);
    expect(expertReturn(droneHover, { actionType: 'one-d-pid' }).total).toBeGreaterThan(420);
  });

  it('two drones reach 950.62 together', () => {
    const { total } = expertReturn(droneMultiHover, {});
    expect(total).toBeGreaterThan(0.99 * 950.62);
    expect(total).toBeLessThan(950.63);
    expect(expertReturn(droneMultiHover, { actionType: 'pid' }).total).toBeGreaterThan(955);
  });

  it('the drone is lost outside the room, tilted, and when the time is over', () => {
    const json = (pos: number[], rpy: number[]) => {
      const complete = droneHover.parse({});
      const env = droneHover.create({}, 1);
      const buffers = createBuffers(env.meta, 1);
      env.load(0, droneHover.golden.fromJson?.({ drones: [{ pos, rpy }] }, complete) as Uint8Array, buffers);
      env.step(createActions(env.meta, 1), buffers);
      return [buffers.terminated[0], buffers.truncated[0]];
    };
    expect(json([1.6, 0, 1], [0, 0, 0])).toEqual([0, 1]);
    expect(json([0, 0, 1.2], [0.5, 0, 0])).toEqual([0, 1]);
    expect(json([0, 0, 1], [0, 0, 0])).toEqual([1, 0]);
    expect(json([0, 0, 0.9], [0, 0, 0])).toEqual([0, 0]);
  });
});

describe('air', () => {
  it('a wind carries a drone away, without wind it stays', () => {
    const [calm] = fly({ physics: 'dyn-drag' }, 240, still(1));
    const [windy] = fly({ wind: [0, 3, 0] }, 240, still(1));
    expect(Math.abs(calm!.pos[1]!)).toBeLessThan(1e-9);
    expect(windy?.pos[1]).toBeGreaterThan(0.1);
    expect(windy?.vel[1]).toBeLessThan(3);
  });

  it('the ground carries: hover speed near the floor lifts', () => {
    const [free] = fly({}, 60, still(1));
    const [near] = fly({ physics: 'dyn-gnd' }, 60, still(1));
    expect(near!.pos[2]! - free!.pos[2]!).toBeGreaterThan(1e-3);
  });

  it('a drone below another one is pushed down, the upper one feels nothing', () => {
    const stack = { drones: 2, start: 'stack', physics: 'dyn-dw' };
    const [lower, upper] = fly(stack, 24, still(2), [{ pos: [0, 0, 1] }, { pos: [0, 0, 1.5] }]);
    expect(lower?.pos[2]).toBeLessThan(0.99);
    expect(upper?.pos[2]).toBeCloseTo(1.5, 6);
  });

  it('a payload sinks at hover speed as its weight says', () => {
    const [drone] = fly({ payload: 0.003 }, 240, still(1), [{ pos: [0, 0, 5] }]);
    expect(drone?.vel[2]).toBeCloseTo(-(0.003 * 9.8) / 0.03, 5);
  });
});

describe('contact', () => {
  const off = () => [0, 0, 0, 0];
  it('a fallen drone lies still on the floor, also after a tilted fall', () => {
    for (const rpy of [
      [0, 0, 0],
      [0.4, 0.3, 1],
      [1.2, 0, 0],
    ]) {
      const [drone] = fly({ contact: true }, 1200, off, [{ pos: [0, 0, 0.6], rpy, vel: [0.3, 0, 0] }]);
      expect(drone?.pos[2]).toBeGreaterThan(0.005);
      expect(drone?.pos[2]).toBeLessThan(0.075);
      expect(Math.hypot(...(drone?.vel ?? [9]))).toBeLessThan(0.1);
      expect(Math.hypot(...(drone?.bodyRates ?? [9]))).toBeLessThan(1);
    }
    const [through] = fly({}, 240, off, [{ pos: [0, 0, 0.6] }]);
    expect(through?.pos[2]).toBeLessThan(-1);
  });

  it('two drones that meet bounce, and their momentum is kept', () => {
    const meeting = [
      { pos: [-0.2, 0, 1], vel: [0.5, 0, 0] },
      { pos: [0.2, 0, 1], vel: [-0.3, 0, 0] },
    ];
    const [a, b] = fly({ drones: 2, contact: true }, 240, still(2), meeting);
    expect(b!.pos[0]! - a!.pos[0]!).toBeGreaterThan(0.119);
    expect(a!.vel[0]! + b!.vel[0]!).toBeCloseTo(0.2, 6);
    expect(b!.vel[0]! - a!.vel[0]!).toBeGreaterThan(0);
    expect(b!.vel[0]! - a!.vel[0]!).toBeLessThan(0.8);
  });
});

describe('settings', () => {
  it('refuses rates that do not divide and a controller for the racer', () => {
    expect(() => droneHover.create({ controlHz: 7 }, 1)).toThrow(/divide/);
    expect(() => droneHover.create({ model: 'RACE', actionType: 'pid' }, 1)).toThrow(/CF2X and CF2P/);
    expect(() => droneHover.create({ drones: 2 }, 1)).toThrow();
  });

  it('a quaternion must have length 1', () => {
    const env = droneFreeFlight.create({}, 1);
    const state = env.meta.state.fromJSON({ drones: [new Array<number>(20).fill(0)] });
    expect(() => env.load(0, state, createBuffers(env.meta, 1))).toThrow(/quaternion/);
  });
});
