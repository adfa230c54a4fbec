/**
 * The walker beside its reference: Gymnasium's own `bipedal_walker.py` (1.4.0), run on Box2D 2.3.0 as pybox2d ships it, compiled without fused
 * operations; its random numbers were written down (without those of its clouds) and are drawn here. Every reward, and every twentieth observation, is
 * the same to the last bit.
 */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { createActions, createBuffers } from '../../../api/buffers.ts';
import type { DrawSource } from '../../../api/types.ts';
import { bipedalWalker } from '../../bipedal-walker.ts';
import { groundOf, layWay, MOST_OBSTACLES, outlineOf } from './terrain.ts';
import { BASE, PIECES, STEP } from './world.ts';

interface Recorded {
  readonly name: string;
  readonly config: Record<string, number | boolean>;
  readonly draws: readonly number[];
  readonly actions: readonly (readonly number[])[];
  readonly first: readonly number[];
  readonly rewards: readonly number[];
  readonly at: readonly number[];
  readonly obs: readonly (readonly number[])[];
  readonly ended: boolean;
}
const RECORDED = JSON.parse(readFileSync(new URL('./golden/bipedal_walker.json', import.meta.url), 'utf8')) as readonly Recorded[];

/** Where the reference's whole numbers begin. */
const FROM: Record<string, number> = { pit: 3, stump: 1, 'stair width': 4, stairs: 3, stretch: 5, obstacle: 1 };

function replayed(draws: readonly number[]): DrawSource {
  let next = 0;
  return { uniform: () => draws[next++], int: (_row, _n, name) => draws[next++]! - FROM[name]! };
}

function played(config: object, draws?: DrawSource, batch = 1, seed = 1) {
  const env = bipedalWalker.create(config, batch, draws && { draws });
  const buffers = createBuffers(env.meta, batch);
  env.reset(
    Uint32Array.from({ length: batch }, (_, i) => seed + i),
    buffers,
  );
  return { env, buffers, actions: createActions(env.meta, batch) };
}

beforeAll(() => bipedalWalker.prepare?.());

describe('the reference', () => {
  it.each(RECORDED.map((one) => [one.name, one] as const))('%s: the same bits from the first step to the last', (_, one) => {
    const { env, buffers, actions } = played(one.config, replayed(one.draws));
    expect([...buffers.obs]).toEqual(one.first);
    one.actions.forEach((action, t) => {
      actions.set(action);
      env.step(actions, buffers);
      expect(buffers.reward[0], `reward ${t}`).toBe(Math.fround(one.rewards[t]!));
      const k = one.at.indexOf(t);
      if (k >= 0) expect([...buffers.obs], `observation ${t}`).toEqual(one.obs[k]);
    });
    expect(buffers.terminated[0] === 1).toBe(one.ended);
  });

  it('its heuristic acts as it does there', () => {
    for (const one of RECORDED.filter(({ name }) => name.startsWith('heuristic')).slice(0, 3)) {
      const { env, buffers, actions } = played(one.config, replayed(one.draws));
      const policy = bipedalWalker.policies(one.config).heuristic!;
      one.actions.forEach((action, t) => {
        policy.act(env, buffers, actions);
        // the reference computes it in float32
        actions.forEach((x, i) => void expect(x, `action ${t}`).toBeCloseTo(action[i]!, 4));
        actions.set(action);
        env.step(actions, buffers);
      });
    }
  });
});

describe('the way', () => {
  const drawn = (hard: boolean, seed: number) => {
    const env = bipedalWalker.create({ hardcore: hard }, 1);
    env.reset(Uint32Array.of(seed), createBuffers(env.meta, 1));
    return env.meta.state.toJSON(env.save(0)) as unknown as { heights: number[]; obstacles: number[]; count: number };
  };

  it('is level on the first 20 pieces, and without obstacles in the easy form', () => {
    for (let seed = 1; seed < 20; seed++) {
      const { heights, count } = drawn(false, seed);
      expect(count).toBe(0);
      for (let i = 0; i < 20; i++) expect(heights[i]!).toBeCloseTo(BASE, 5);
      expect(Math.max(...heights.map((y) => Math.abs(y - BASE)))).toBeLessThan(2);
    }
  });

  it('has stumps, stairs and pits in the hard form, of the sizes of the reference', () => {
    const sizes = new Set<string>();
    for (let seed = 1; seed < 60; seed++) {
      const { obstacles, count } = drawn(true, seed);
      expect(count).toBeLessThanOrEqual(MOST_OBSTACLES);
      for (let k = 0; k < count; k++) {
        const [left, low, right, high] = obstacles.slice(4 * k, 4 * k + 4) as [number, number, number, number];
        sizes.add(`${Math.round((right - left) / STEP)} x ${Math.round((high - low) / STEP)}`);
      }
    }
    expect([...sizes].sort()).toEqual(['1 x 1', '1 x 4', '2 x 2', '4 x 1']);
  });

  it('is drawn with the tops of its obstacles', () => {
    const heights = new Float64Array(PIECES).fill(2);
    const outline = outlineOf(heights, [4 * STEP, 2, 6 * STEP, 3], 1);
    expect(outline[4 * 3 + 1]).toBe(2);
    expect([outline[4 * 4 + 1], outline[4 * 5 + 3]]).toEqual([3, 3]);
    expect(outline[4 * 6 + 1]).toBe(2);
  });

  it('becomes flat where it is not rough', () => {
    const heights = new Float64Array(PIECES);
    layWay({ rough: () => 1, int: (low) => low, up: () => true }, false, 0, heights, new Float64Array(4 * MOST_OBSTACLES));
    expect(Math.max(...heights) - Math.min(...heights)).toBeLessThan(0.1);
    expect(groundOf(heights, [], 0, 1)).toHaveLength(PIECES - 1);
  });
});

describe('rules', () => {
  it('pays what the parts of the reward add up to, and -100 for a fall', () => {
    const { env, buffers, actions } = played({}, undefined, 4);
    const parts = new Float64Array(4);
    let falls = 0;
    for (let t = 0; t < 400; t++) {
      actions.forEach((_, i) => void (actions[i] = Math.sin(0.3 * t + i)));
      env.step(actions, buffers);
      for (let row = 0; row < 4; row++) {
        env.terms?.(row, parts, 0);
        expect(parts.reduce((a, b) => a + b)).toBeCloseTo(buffers.reward[row]!, 4);
        if (buffers.terminated[row] === 0) continue;
        falls++;
        expect(buffers.reward[row]).toBe(-100);
      }
      env.restart(buffers.terminated, buffers);
    }
    expect(falls).toBeGreaterThan(2);
  });

  it('sees as far as its lidar reaches: the ground below, nothing above', () => {
    const { buffers } = played({ roughness: 0 });
    const rays = [...buffers.obs.subarray(14)];
    expect(rays[0]!).toBeLessThan(0.6);
    for (let i = 1; i < 10; i++) expect(rays[i]!).toBeGreaterThanOrEqual(rays[i - 1]!);
    expect(rays[9]).toBe(1);
  });

  it('ends behind the last but ten pieces without a fall', () => {
    const far = played({ push: 0, roughness: 0 });
    const json = far.env.meta.state.toJSON(far.env.save(0)) as unknown as { world: number[] };
    // every body 85 m ahead
    const floats = new Float32Array(Uint32Array.from(json.world).buffer);
    for (let i = 0; i < 5; i++) for (const k of [0, 4, 6, 19, 21]) floats[4 + 25 * i + k]! += 85;
    json.world = [...new Uint32Array(floats.buffer)];
    far.env.load(0, far.env.meta.state.fromJSON(json), far.buffers);
    far.actions.fill(0);
    far.env.step(far.actions, far.buffers);
    expect(far.buffers.terminated[0]).toBe(1);
    expect(far.buffers.reward[0]).toBeGreaterThan(0);
  });
});

describe('states', () => {
  it('goes on to the last bit from a state that was saved in the middle of a walk over obstacles', () => {
    const one = played({ hardcore: true }, undefined, 1, 7);
    const drive = (to: typeof one, t: number): void => {
      to.actions.forEach((_, i) => void (to.actions[i] = Math.sin(0.2 * t + 1.3 * i)));
      to.env.step(to.actions, to.buffers);
    };
    for (let t = 0; t < 25; t++) drive(one, t);
    const other = played({ hardcore: true }, undefined, 1, 99);
    other.env.load(0, one.env.save(0), other.buffers);
    expect([...other.buffers.obs]).toEqual([...one.buffers.obs]);
    for (let t = 25; t < 60 && one.buffers.terminated[0] === 0; t++) {
      drive(one, t);
      drive(other, t);
      expect([...other.env.save(0)]).toEqual([...one.env.save(0)]);
    }
  });
});
