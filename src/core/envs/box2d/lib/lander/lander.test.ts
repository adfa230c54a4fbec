/**
 * The lander beside its reference: Gymnasium's own `lunar_lander.py` (1.4.0), run on Box2D 2.3.0 as pybox2d ships it, compiled without fused
 * operations; its random numbers were written down and are drawn here. Every reward, and every tenth observation, is the same to the last bit.
 */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { createActions, createBuffers } from '../../../api/buffers.ts';
import type { DrawSource } from '../../../api/types.ts';
import { lunarLander } from '../../lunar-lander.ts';

interface Recorded {
  readonly name: string;
  readonly config: Record<string, number | boolean>;
  readonly draws: readonly number[];
  readonly actions: readonly (number | readonly number[])[];
  readonly first: readonly number[];
  readonly rewards: readonly number[];
  readonly at: readonly number[];
  readonly obs: readonly (readonly number[])[];
  readonly ended: boolean;
}
const RECORDED = JSON.parse(readFileSync(new URL('./golden/lunar_lander.json', import.meta.url), 'utf8')) as readonly Recorded[];

/** The reference's draws in their order: uniforms as shares of their range, whole numbers as they came (from -9999 on). */
function replayed(draws: readonly number[]): DrawSource {
  let next = 0;
  return { uniform: () => draws[next++], int: () => draws[next++]! + 9999 };
}

function played(config: object, draws?: DrawSource, batch = 1) {
  const env = lunarLander.create(config, batch, draws && { draws });
  const buffers = createBuffers(env.meta, batch);
  env.reset(
    Uint32Array.from({ length: batch }, (_, i) => i + 1),
    buffers,
  );
  return { env, buffers, actions: createActions(env.meta, batch) };
}

beforeAll(() => lunarLander.prepare?.());

describe('the reference', () => {
  it.each(RECORDED.map((one) => [one.name, one] as const))('%s: the same bits from the first step to the last', (_, one) => {
    const { env, buffers, actions } = played(one.config, replayed(one.draws));
    expect([...buffers.obs]).toEqual(one.first);
    one.actions.forEach((action, t) => {
      actions.set(typeof action === 'number' ? [action] : action);
      env.step(actions, buffers);
      expect(buffers.reward[0], `reward ${t}`).toBe(Math.fround(one.rewards[t]!));
      const k = one.at.indexOf(t);
      if (k >= 0) expect([...buffers.obs], `observation ${t}`).toEqual(one.obs[k]);
    });
    expect(buffers.terminated[0] === 1).toBe(one.ended);
  });
});

describe('rules', () => {
  it('pays what the parts of the reward add up to', () => {
    const { env, buffers, actions } = played({ continuous: true }, undefined, 4);
    const policy = lunarLander.policies({ continuous: true }).expert!;
    const parts = new Float64Array(7);
    for (let t = 0; t < 400; t++) {
      policy.act(env, buffers, actions);
      env.step(actions, buffers);
      for (let row = 0; row < 4; row++) {
        env.terms?.(row, parts, 0);
        expect(parts.reduce((a, b) => a + b)).toBeCloseTo(buffers.reward[row]!, 4);
      }
      env.restart(buffers.terminated, buffers);
    }
  });

  it('is paid 100 for rest and -100 for leaving to the side, and nothing else in that step', () => {
    const rest = played({});
    const policy = lunarLander.policies({}).expert!;
    let last = 0;
    for (let t = 0; t < 1000 && rest.buffers.terminated[0] === 0; t++) {
      policy.act(rest.env, rest.buffers, rest.actions);
      rest.env.step(rest.actions, rest.buffers);
      last = rest.buffers.reward[0]!;
    }
    expect(last).toBe(100);
    const aside = played({ gravity: 0, push: 5000 });
    for (let t = 0; t < 1000 && aside.buffers.terminated[0] === 0; t++) {
      aside.actions[0] = 0;
      aside.env.step(aside.actions, aside.buffers);
    }
    expect(aside.buffers.terminated[0]).toBe(1);
    expect(aside.buffers.reward[0]).toBe(-100);
  });

  it('lies still for half a second before it is at rest', () => {
    const { env, buffers, actions } = played({});
    const policy = lunarLander.policies({}).expert!;
    let still = 0;
    while (buffers.terminated[0] === 0) {
      policy.act(env, buffers, actions);
      env.step(actions, buffers);
      const [, , vx, vy, , spin] = buffers.obs;
      still = Math.hypot(vx! * 5, vy! * 7.5) < 0.01 && Math.abs(spin! * 2.5) < 0.035 ? still + 1 : 0;
    }
    expect(still).toBeGreaterThanOrEqual(25);
  });

  it('turns to the left by the engine that says so, and to the right by the other', () => {
    for (const [action, sign] of [
      [1, 1],
      [3, -1],
    ] as const) {
      const { env, buffers, actions } = played({ push: 0 });
      for (let t = 0; t < 15; t++) {
        actions[0] = action;
        env.step(actions, buffers);
      }
      expect(Math.sign(buffers.obs[4]!)).toBe(sign);
    }
  });

  it('throttles between half and full power, and is off at 0 and below', () => {
    const climb = (throttle: number): number => {
      const { env, buffers, actions } = played({ continuous: true, push: 0 });
      for (let t = 0; t < 20; t++) {
        actions.set([throttle, 0]);
        env.step(actions, buffers);
      }
      return buffers.obs[3]!;
    };
    expect(climb(0)).toBe(climb(-1));
    expect(climb(0.01)).toBeGreaterThan(climb(0));
    expect(climb(1)).toBeGreaterThan(climb(0.5));
    expect(climb(2)).toBe(climb(1));
  });

  it('feels wind until a leg touches', () => {
    const calm = played({ push: 0 });
    const blown = played({ push: 0, wind: 20 });
    for (let t = 0; t < 30; t++)
      for (const { env, buffers, actions } of [calm, blown]) {
        actions[0] = 0;
        env.step(actions, buffers);
      }
    expect(blown.buffers.obs[2]).not.toBeCloseTo(calm.buffers.obs[2]!, 3);
  });
});

describe('states', () => {
  it('goes on to the last bit from a state that was saved in the middle of a touch', () => {
    const { env, buffers, actions } = played({});
    const policy = lunarLander.policies({}).expert!;
    while (buffers.obs[6] === 0 && buffers.obs[7] === 0) {
      policy.act(env, buffers, actions);
      env.step(actions, buffers);
    }
    const other = played({});
    other.env.load(0, env.save(0), other.buffers);
    expect([...other.buffers.obs]).toEqual([...buffers.obs]);
    for (let t = 0; t < 60 && buffers.terminated[0] === 0; t++) {
      for (const one of [{ env, buffers, actions }, other]) {
        policy.act(one.env, one.buffers, one.actions);
        one.env.step(one.actions, one.buffers);
      }
      expect([...other.buffers.obs]).toEqual([...buffers.obs]);
      expect([...other.env.save(0)]).toEqual([...env.save(0)]);
    }
  });

  it('computes every row as if it were alone', () => {
    const many = played({}, undefined, 5);
    for (let t = 0; t < 80; t++) {
      many.actions.forEach((_, i) => void (many.actions[i] = (t + i) % 4));
      many.env.step(many.actions, many.buffers);
      many.env.restart(many.buffers.terminated, many.buffers);
    }
    const env = lunarLander.create({}, 1);
    const buffers = createBuffers(env.meta, 1);
    env.reset(Uint32Array.of(4), buffers);
    const actions = createActions(env.meta, 1);
    for (let t = 0; t < 80; t++) {
      actions[0] = (t + 3) % 4;
      env.step(actions, buffers);
      env.restart(buffers.terminated, buffers);
    }
    expect([...buffers.obs]).toEqual([...many.buffers.obs.subarray(24, 32)]);
  });

  it('refuses a state whose contacts are not there', () => {
    const { env, buffers } = played({});
    const json = env.meta.state.toJSON(env.save(0)) as { world: number[] };
    json.world[1] = 1000;
    expect(() => env.load(0, env.meta.state.fromJSON(json), buffers)).toThrow(/world/);
  });
});
