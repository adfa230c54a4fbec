import { describe, expect, it } from 'vitest';
import { createActions, createBuffers } from '#core/envs/api/buffers.ts';
import { Rng } from '#math/rng.ts';
import { overcooked } from '../../overcooked.ts';
import { LAYOUTS } from './kitchen.ts';

/** Mean return per cook of ten episodes by the scripted pair. */
function pairReturn(config: object): number {
  const env = overcooked.create(config, 10);
  const buffers = createBuffers(env.meta, 10);
  const actions = createActions(env.meta, 10);
  const policy = overcooked.policies(config).pair;
  env.reset(new Uint32Array(10), buffers);
  let sum = 0;
  for (let t = 0; t < 400; t++) {
    policy?.act(env, buffers, actions);
    env.step(actions, buffers);
    for (const r of buffers.reward) sum += r;
  }
  return sum / 20;
}

describe('overcooked', () => {
  it.each(Object.keys(LAYOUTS))('%s: the pair serves three soups and more', (layout) => {
    expect(pairReturn({ layout })).toBeGreaterThanOrEqual(60);
  });

  it('the pair starts pots where they do not start by themselves', () => {
    expect(pairReturn({ oldDynamics: false })).toBeGreaterThanOrEqual(60);
  });

  it('layouts have one start of each cook and equal rows', () => {
    for (const rows of Object.values(LAYOUTS)) {
      expect(new Set(rows.map((r) => r.length)).size).toBe(1);
      expect(rows.join('').replaceAll(/[^12]/g, '').length).toBe(2);
    }
  });

  it('a soup of two brings nothing, a full one 20 to both', () => {
    const config = { oldDynamics: false };
    const env = overcooked.create(config, 1);
    const buffers = createBuffers(env.meta, 1);
    const serve = (onions: number) => {
      const json = {
        players: [
          [3, 2, 1, 16 + 4 * onions],
          [1, 1, 0, 0],
        ],
      };
      env.load(0, env.meta.state.fromJSON(json), buffers);
      env.step(Int32Array.of(5, 4), buffers);
      return Array.from(buffers.reward);
    };
    expect(serve(2)).toEqual([0, 0]);
    expect(serve(3)).toEqual([20, 20]);
  });

  it('shows both cooks the same kitchen, each as the first', () => {
    const env = overcooked.create({}, 1);
    const buffers = createBuffers(env.meta, 1);
    env.reset(Uint32Array.of(1), buffers);
    const O = env.meta.obsSize;
    const at = (cook: number, x: number, y: number, layer: number) => buffers.obs[cook * O + (x * 4 + y) * 26 + layer];
    expect([at(0, 1, 2, 0), at(0, 3, 1, 1), at(1, 3, 1, 0), at(1, 1, 2, 1)]).toEqual([1, 1, 1, 1]);
    expect([at(0, 2, 0, 10), at(1, 2, 0, 10)]).toEqual([1, 1]);
  });

  it('refuses cooks in furniture', () => {
    const env = overcooked.create({}, 1);
    const json = {
      players: [
        [0, 0, 0, 0],
        [1, 1, 0, 0],
      ],
    };
    expect(() => env.load(0, env.meta.state.fromJSON(json), createBuffers(env.meta, 1))).toThrow(/furniture/);
  });
});

it('the helping reward beside the reward is the one that `shaping` adds', () => {
  const B = 8;
  const [plain, shaped] = [overcooked.create({}, B), overcooked.create({ shaping: 1 }, B)];
  const [a, b] = [createBuffers(plain.meta, B), createBuffers(shaped.meta, B)];
  const seeds = Uint32Array.from({ length: B }, (_, i) => i);
  plain.reset(seeds, a);
  shaped.reset(seeds, b);
  const rng = Rng.from(1);
  let helped = 0;
  for (let t = 0; t < 300; t++) {
    const actions = Int32Array.from({ length: 2 * B }, () => rng.int(6));
    plain.step(actions, a);
    shaped.step(actions, b);
    for (let i = 0; i < 2 * B; i++) {
      expect(b.reward[i]).toBe(a.reward[i]! + a.shaped![i]!);
      helped += a.shaped![i]!;
    }
  }
  expect(helped).toBeGreaterThan(0);
});
