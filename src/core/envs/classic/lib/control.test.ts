import { describe, expect, it } from 'vitest';
import { createActions, createBuffers } from '../../api/buffers.ts';
import type { EnvEntry, ScriptedPolicy } from '../../api/types.ts';
import { bsuiteCartpole } from '../../bsuite/bsuite-cartpole.ts';
import { TwoLinks } from '../../lib/control/two-links.ts';
import { acrobot } from '../acrobot.ts';
import { cartpole } from '../cartpole.ts';
import { mountainCar } from '../mountain-car.ts';
import { mountainCarContinuous } from '../mountain-car-continuous.ts';
import { pendulum } from '../pendulum.ts';

/** Returns of n episodes of a scripted policy. */
function returns(entry: EnvEntry, config: object, n: number): readonly number[] {
  const policy = entry.policies(config).expert as ScriptedPolicy;
  const env = entry.create(config, n);
  const buffers = createBuffers(env.meta, n);
  const actions = createActions(env.meta, n);
  env.reset(
    Uint32Array.from({ length: n }, (_, i) => 100 + i),
    buffers,
  );
  const out = new Array<number>(n).fill(0);
  const over = new Uint8Array(n);
  const ended = new Uint8Array(n);
  while (over.includes(0)) {
    policy.act(env, buffers, actions);
    env.step(actions, buffers);
    for (let row = 0; row < n; row++) {
      if (over[row] === 0) out[row] = out[row]! + buffers.reward[row]!;
      ended[row] = buffers.terminated[row]! | buffers.truncated[row]!;
      over[row] = over[row]! | ended[row]!;
    }
    env.restart(ended, buffers);
  }
  return out;
}

const mean = (list: readonly number[]) => list.reduce((a, b) => a + b, 0) / list.length;
const stated = (entry: EnvEntry, name: string) => entry.meta({}).references.find((r) => r.name === name)?.value as number;

describe('experts reach what is stated', () => {
  it('cartpole: 500 in every episode', () => {
    expect(new Set(returns(cartpole, {}, 300))).toEqual(new Set([500]));
  });

  it('cartpole of bsuite: all of its time', () => {
    expect(new Set(returns(bsuiteCartpole, {}, 50))).toEqual(new Set([stated(bsuiteCartpole, 'optimal')]));
  });

  it('acrobot: better than the published -73.5', () => {
    const got = returns(acrobot, {}, 8);
    expect(Math.abs(mean(got) - stated(acrobot, 'expert'))).toBeLessThan(4);
    expect(mean(got)).toBeGreaterThan(stated(acrobot, 'published PPO'));
  });

  it('pendulum: swung up from everywhere and held', () => {
    const got = returns(pendulum, {}, 400);
    expect(Math.abs(mean(got) - stated(pendulum, 'expert'))).toBeLessThan(20); // standard error 4.6
    expect(Math.min(...got)).toBeGreaterThan(-420);
  });

  it('mountain car: solved, below 110 steps', () => {
    const got = returns(mountainCar, {}, 10);
    expect(Math.abs(mean(got) - stated(mountainCar, 'expert'))).toBeLessThan(12); // standard error 3.7
    expect(mean(got)).toBeGreaterThan(stated(mountainCar, 'solved'));
  });

  it('mountain car, continuous: up in time with little force', () => {
    const got = returns(mountainCarContinuous, {}, 3);
    expect(Math.abs(mean(got) - stated(mountainCarContinuous, 'expert'))).toBeLessThan(0.3);
    expect(Math.min(...got)).toBeGreaterThan(98);
  });
});

describe('physics can be changed', () => {
  const step = (entry: EnvEntry, config: object, state: object, action: number) => {
    const env = entry.create(config, 1);
    const buffers = createBuffers(env.meta, 1);
    env.load(0, env.meta.state.fromJSON(state), buffers);
    const actions = createActions(env.meta, 1);
    actions[0] = action;
    env.step(actions, buffers);
    return { state: env.meta.state.toJSON(env.save(0)) as { [name: string]: number }, buffers };
  };

  it('pendulum: w += (3 g / (2 l) sin theta + 3 / (m l^2) u) dt, cut', () => {
    const config = { gravity: 4, mass: 2, length: 0.5, dt: 0.1, maxTorque: 1, maxSpeed: 2 };
    const { thetaDot, theta } = step(pendulum, config, { theta: 0.3, thetaDot: 0.2 }, 0.5).state;
    expect(thetaDot).toBeCloseTo(0.2 + 0.1 * (12 * Math.sin(0.3) + 6 * 0.5), 10);
    expect(theta).toBeCloseTo(0.3 + 0.1 * (thetaDot as number), 12);
    expect(step(pendulum, config, { theta: 0, thetaDot: 1.9 }, 5).state.thetaDot).toBe(2);
    // the torque that is paid for is the one that is given: cut to 1
    expect(step(pendulum, config, { theta: 0, thetaDot: 0 }, 5).buffers.reward[0]).toBeCloseTo(-0.001, 9);
  });

  it('mountain cars: force, gravity and goal', () => {
    const config = { force: 0.002, gravity: 0.001, goal: 0 };
    const one = step(mountainCar, config, { position: -0.01, velocity: 0.02 }, 2);
    expect(one.state.velocity).toBeCloseTo(0.02 + 0.002 - 0.001 * Math.cos(-0.03), 12);
    expect(one.buffers.terminated[0]).toBe(1);
    const two = step(mountainCarContinuous, { power: 0.01, gravity: 0, goal: 0.2 }, { position: 0, velocity: 0 }, 0.5);
    expect(two.state.velocity).toBeCloseTo(0.005, 7);
    expect(two.buffers.terminated[0]).toBe(0);
  });

  it('cartpole of bsuite: a heavier pole falls as its equations say', () => {
    const config = { gravity: 5, cartMass: 2, poleMass: 1, halfLength: 1, force: 4 };
    const { state } = step(bsuiteCartpole, config, { x: 0, xDot: 0, theta: 0.2, thetaDot: 0.5 }, 2);
    const temp = (4 + 1 * 0.25 * Math.sin(0.2)) / 3;
    const angular = (5 * Math.sin(0.2) - Math.cos(0.2) * temp) / (4 / 3 - Math.cos(0.2) ** 2 / 3);
    expect(state.thetaDot).toBeCloseTo(0.5 + 0.01 * angular, 12);
    expect(state.xDot).toBeCloseTo(0.01 * (temp - (angular * Math.cos(0.2)) / 3), 12);
  });

  it('acrobot: energy stays without torque, and torque times speed is what is added', () => {
    const links = { gravity: 5, length1: 1.2, length2: 0.7, mass1: 0.8, mass2: 1.4, inertia: 0.3, dt: 0.001 };
    const model = new TwoLinks(links, 100, 100);
    const state = Float64Array.of(0.7, -0.4, 0.5, -1);
    const before = model.energy(state, 0);
    for (let t = 0; t < 2000; t++) model.step(state, 0, 0);
    expect(model.energy(state, 0)).toBeCloseTo(before, 6);
    let work = 0;
    const start = model.energy(state, 0);
    for (let t = 0; t < 1000; t++) {
      const w = state[3]!;
      model.step(state, 0, 0.6);
      work += 0.6 * 0.001 * 0.5 * (w + state[3]!);
    }
    expect(model.energy(state, 0) - start).toBeCloseTo(work, 4);
  });

  it('acrobot: longer links, a higher line', () => {
    const up = { theta1: Math.PI, theta2: 0, theta1Dot: 0, theta2Dot: 0 };
    expect(step(acrobot, {}, up, 1).buffers.terminated[0]).toBe(1);
    expect(step(acrobot, { length1: 2, length2: 0.5 }, up, 1).buffers.terminated[0]).toBe(1);
    expect(step(acrobot, { length1: 2, length2: 0.5 }, { ...up, theta1: 2.2 }, 1).buffers.terminated[0]).toBe(0);
  });

  it('no returns are stated for other physics', () => {
    expect(pendulum.meta({ gravity: 3 }).references).toEqual([]);
    expect(acrobot.meta({ mass2: 3 }).references).toEqual([]);
  });

  it('experts know the physics they are in', () => {
    expect(mean(returns(pendulum, { gravity: 5 }, 60))).toBeGreaterThan(-140);
    expect(mean(returns(mountainCar, { force: 0.002 }, 3))).toBeGreaterThan(-80);
    expect(mean(returns(mountainCarContinuous, { power: 0.003 }, 2))).toBeGreaterThan(99);
  });
});
