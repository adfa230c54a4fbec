/** The rules of a world drawn at random, against numbers that were worked out another way. */
import { describe, expect, it, test } from 'vitest';
import { createActions, createBuffers } from '../api/buffers.ts';
import type { TabularModel } from '../api/types.ts';
import { randomMdp } from './random-mdp.ts';

const modelOf = (config: object): TabularModel => randomMdp.create(config, 1).model?.() as TabularModel;
const reference = (config: object, name: string): number =>
  randomMdp.meta(config).references.find((found) => found.name === name)?.value ?? Number.NaN;

/** Outcomes of a pair. */
function ways(model: TabularModel, s: number, a: number) {
  const pair = s * model.actions + a;
  return Array.from({ length: model.offset[pair + 1]! - model.offset[pair]! }, (_, k) => {
    const i = model.offset[pair]! + k;
    return { p: model.probability[i]!, next: model.next[i]!, reward: model.reward[i]!, over: model.terminated[i] === 1 };
  });
}

describe('the world', () => {
  const config = { states: 12, actions: 3, branching: 4, sparsity: 0.6, discount: 0.9, modelSeed: 5 };
  const model = modelOf(config);
  const pairs = Array.from({ length: 36 }, (_, pair) => ways(model, Math.floor(pair / 3), pair % 3));

  it('ends after every step with chance 1 - discount, whatever was done', () => {
    for (const list of pairs) {
      const ends = list.filter(({ over }) => over).reduce((sum, { p }) => sum + p, 0);
      expect(ends).toBeCloseTo(0.1, 12);
    }
  });

  it('leads to `branching` different states, and pays 1 with a chance that does not depend on where it leads', () => {
    for (const list of pairs) {
      expect(new Set(list.filter(({ over }) => !over).map(({ next }) => next)).size).toBe(4);
      const chance = list.reduce((sum, { p, reward }) => sum + p * reward, 0);
      for (const next of new Set(list.map((way) => way.next))) {
        for (const over of [false, true]) {
          const there = list.filter((way) => way.next === next && way.over === over);
          const all = there.reduce((sum, { p }) => sum + p, 0);
          expect(there.reduce((sum, { p, reward }) => sum + p * reward, 0)).toBeCloseTo(chance * all, 12);
        }
      }
    }
  });

  it('has about as many pairs that never pay as it says, and none that pays nothing at all', () => {
    const big = modelOf({ states: 64, actions: 8, sparsity: 0.8 });
    const paying = Array.from({ length: 512 }, (_, pair) => ways(big, Math.floor(pair / 8), pair % 8).some(({ reward }) => reward > 0));
    const share = paying.filter(Boolean).length / 512;
    expect(Math.abs(share - 0.2)).toBeLessThan(5 * Math.sqrt((0.2 * 0.8) / 512));
    expect(reference({ sparsity: 1 }, 'optimal')).toBeGreaterThan(0);
  });

  it('is another one for another model seed, and the same for the same', () => {
    expect(modelOf(config).probability).toEqual(model.probability);
    expect(modelOf({ ...config, modelSeed: 6 }).probability).not.toEqual(model.probability);
  });
});

describe('what is known exactly', () => {
  it('the optimum and random play are what discounted sweeps over the same world give, without its ends', () => {
    const model = modelOf({});
    const { states, actions } = model;
    const list = Array.from({ length: states * actions }, (_, pair) => ways(model, Math.floor(pair / actions), pair % actions));
    const solved = (combine: (q: readonly number[]) => number): number => {
      const values = new Float64Array(states);
      for (let sweep = 0; sweep < 800; sweep++) {
        for (let s = 0; s < states; s++) {
          const q = list
            .slice(s * actions, (s + 1) * actions)
            .map((outcomes) =>
              outcomes.reduce((sum, way) => sum + way.p * way.reward + (way.over ? 0 : 0.95 * (way.p / 0.95) * values[way.next]!), 0),
            );
          values[s] = combine(q);
        }
      }
      return values[0]!;
    };
    expect(reference({}, 'optimal')).toBeCloseTo(
      solved((q) => Math.max(...q)),
      9,
    );
    // the reference of random play is cut where one episode in a million is
    expect(reference({}, 'random')).toBeCloseTo(
      solved((q) => q.reduce((a, b) => a + b, 0) / actions),
      4,
    );
  });

  test('in every state some action loses nothing; what random play loses is how far its return lies below the optimum', () => {
    const [rows, steps] = [256, 400];
    const env = randomMdp.create({}, rows);
    const buffers = createBuffers(env.meta, rows);
    const actions = createActions(env.meta, rows);
    env.reset(
      Uint32Array.from({ length: rows }, (_, i) => i),
      buffers,
    );
    let [episodes, measured, paid, least, apart] = [0, 0, 0, 0, 0];
    const losses: number[] = [];
    const lost = new Float64Array(rows);
    const out = new Float64Array(1);
    for (let t = 0; t < steps; t++) {
      for (let row = 0; row < rows; row++) actions[row] = (row * 7 + t * 13 + ((row * t) % 5)) % 4;
      env.step(actions, buffers);
      for (let row = 0; row < rows; row++) {
        least = Math.min(least, buffers.cost![row]!);
        lost[row]! += buffers.cost![row]!;
        paid += buffers.reward[row]!;
        if (buffers.terminated[row] === 0) continue;
        env.measure?.(row, out, 0);
        apart = Math.max(apart, Math.abs(out[0]! - lost[row]!));
        losses.push(out[0]!);
        measured += out[0]!;
        episodes++;
        lost[row] = 0;
      }
      env.restart(buffers.terminated, buffers);
    }
    expect(least).toBeGreaterThanOrEqual(0);
    expect(apart).toBeLessThan(1e-3);
    const below = reference({}, 'optimal') - paid / episodes;
    const spread = Math.sqrt(losses.reduce((sum, x) => sum + (x - measured / episodes) ** 2, 0)) / episodes;
    expect(Math.abs(measured / episodes - below)).toBeLessThan(0.05 * below + 5 * spread);
  });

  it('best play loses nothing', () => {
    const env = randomMdp.create({}, 64);
    const buffers = createBuffers(env.meta, 64);
    const actions = createActions(env.meta, 64);
    env.reset(
      Uint32Array.from({ length: 64 }, (_, i) => i),
      buffers,
    );
    for (let t = 0; t < 60; t++) {
      randomMdp.policies({}).optimal?.act(env, buffers, actions);
      env.step(actions, buffers);
      expect(Math.max(...buffers.cost!)).toBeLessThan(1e-6);
      env.restart(buffers.terminated, buffers);
    }
  });
});
