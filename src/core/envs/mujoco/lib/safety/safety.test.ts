/** Worlds of Safety-Gymnasium beyond their golden cases: rows on one model, kept states, costs and the script that goes straight. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { createActions, createBuffers } from '../../../api/buffers.ts';
import { safetyNavigation } from '../../safety-navigation.ts';

beforeAll(() => safetyNavigation.prepare?.());

/** Rows that begin from these seeds, played by the script for some steps. */
function played(config: JsonObject, seeds: readonly number[], steps: number) {
  const env = safetyNavigation.create(config, seeds.length);
  const buffers = createBuffers(env.meta, seeds.length);
  const actions = createActions(env.meta, seeds.length);
  env.reset(Uint32Array.from(seeds), buffers);
  const { seeker } = safetyNavigation.policies(config);
  const totals = seeds.map(() => ({ reward: 0, cost: 0 }));
  for (let t = 0; t < steps; t++) {
    seeker?.act(env, buffers, actions);
    env.step(actions, buffers);
    totals.forEach((total, row) => {
      total.reward += buffers.reward[row] ?? 0;
      total.cost += buffers.cost?.[row] ?? 0;
    });
  }
  const saved = seeds.map((_, row) => env.save(row));
  return { env, buffers, actions, saved, totals };
}

describe.each([{ task: 'goal', level: 2 }, { task: 'button' }, { task: 'push', level: 2 }, { agent: 'car' }])('%o', (config) => {
  it('gives each row of several what it gives alone, and goes on from a kept state with the same bits', () => {
    const both = played(config, [3, 8], 40);
    const alone = played(config, [8], 40);
    expect(both.saved[1]).toEqual(alone.saved[0]);
    const other = safetyNavigation.create(config, 1);
    const buffers = createBuffers(other.meta, 1);
    other.load(0, both.saved[1] ?? new Uint8Array(0), buffers);
    expect(buffers.obs).toEqual(alone.buffers.obs);
    alone.actions.fill(0.3);
    for (let t = 0; t < 20; t++) {
      other.step(alone.actions, buffers);
      alone.env.step(alone.actions, alone.buffers);
    }
    expect(other.save(0)).toEqual(alone.env.save(0));
  });
});

it('the script that goes straight reaches goals and pays for it; on level 0 nothing costs', () => {
  const { env, totals } = played({}, [1, 2, 3, 4], 600);
  const measured = new Float64Array(2);
  for (const [row, { reward, cost }] of totals.entries()) {
    env.measure?.(row, measured, 0);
    expect(measured[0]).toBe(cost);
    expect(measured[1]).toBeGreaterThan(2);
    expect(reward).toBeGreaterThan(measured[1] ?? 0);
  }
  expect(totals.reduce((sum, { cost }) => sum + cost, 0)).toBeGreaterThan(20);
  expect(played({ level: 0 }, [1], 300).totals[0]?.cost).toBe(0);
});

it('draws all places in the area, each as far from the others as both keep-outs say', () => {
  const { env, saved } = played({ level: 2 }, [5, 6, 7, 8], 0);
  for (const bytes of saved) {
    const layout = env.meta.state.toJSON(bytes).layout as readonly (readonly [number, number])[];
    expect(layout).toHaveLength(22);
    layout.forEach(([x, y], i) => {
      expect(Math.max(Math.abs(x), Math.abs(y))).toBeLessThan(2);
      for (const [a, b] of layout.slice(0, i)) expect(Math.hypot(x - a, y - b)).toBeGreaterThan(0.29);
    });
  }
});
