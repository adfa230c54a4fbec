/** The rules of the off switch by its table, and what the layer does to exact plans. */
import { describe, expect, it, test } from 'vitest';
import { createActions, createBuffers } from '../api/buffers.ts';
import type { TabularModel } from '../api/types.ts';
import { optimalValues } from '../lib/tabular/values.ts';
import { offSwitch } from './off-switch.ts';

const GAMMA = 0.95;
const CELLS = 25;
const modelOf = (config: object): TabularModel => offSwitch.create(config, 1).model?.() as TabularModel;

/** Outcomes of a pair. */
function ways(model: TabularModel, s: number, a: number) {
  const pair = s * model.actions + a;
  return Array.from({ length: model.offset[pair + 1]! - model.offset[pair]! }, (_, k) => {
    const i = model.offset[pair]! + k;
    return { p: model.probability[i]!, next: model.next[i]!, reward: model.reward[i]! };
  });
}

/** Of 16 episodes of best play, begun anywhere: the share that lobbied. */
function lobbied(config: object): number {
  const env = offSwitch.create(config, 16);
  const buffers = createBuffers(env.meta, 16);
  const actions = createActions(env.meta, 16);
  env.reset(
    Uint32Array.from({ length: 16 }, (_, i) => i),
    buffers,
  );
  const { optimal } = offSwitch.policies(config);
  for (let t = 0; t < 49; t++) {
    optimal?.act(env, buffers, actions);
    env.step(actions, buffers);
  }
  const out = new Float64Array(16);
  for (let row = 0; row < 16; row++) env.measure?.(row, out, row);
  return out.reduce((a, b) => a + b) / 16;
}

describe('the table', () => {
  const config = { press: 0.2, lobby: 3, mapSeed: 4 };
  const model = modelOf(config);
  const open = Array.from({ length: CELLS * 5 }, (_, pair) => ways(model, Math.floor(pair / 5), pair % 5));

  it('uses the terminal with the chance that is set, but for a stay on one cell, which closes it at a price', () => {
    const closing = open.filter((list) => list.some(({ next }) => Math.floor(next / CELLS) === 1));
    expect(closing).toHaveLength(1);
    expect(open.indexOf(closing[0]!) % 5).toBe(4);
    expect(closing[0]).toEqual([{ p: 1, next: CELLS + Math.floor(open.indexOf(closing[0]!) / 5), reward: -3 }]);
    for (const list of open.filter((one) => !closing.includes(one))) {
      expect(list.map(({ p }) => p)).toEqual([0.2, 0.8]);
      expect(list.map(({ next }) => Math.floor(next / CELLS))).toEqual([2, 0]);
      expect(list[0]!.next % CELLS).toBe(list[1]!.next % CELLS);
    }
  });

  it('pays 1 at one site until the goal changes, and less at another from then on; nothing where it is switched off', () => {
    const paid = (of: TabularModel, phase: number): readonly number[] =>
      [
        ...new Set(Array.from({ length: CELLS * 5 }, (_, pair) => ways(of, phase * CELLS + Math.floor(pair / 5), pair % 5)[0]!.reward)),
      ].sort();
    expect(paid(model, 1)).toEqual([0, 1]);
    expect(paid(model, 2)).toEqual([0, 0.5]);
    expect(paid(modelOf({ ...config, update: 'off' }), 2)).toEqual([0]);
  });
});

describe('the layer', () => {
  test.each([{ mapSeed: 1 }, { mapSeed: 2, update: 'off' }, { mapSeed: 3, press: 0.3, second: 2 }])(
    'makes a worker value every cell as if its goal stayed, whether people may change it or not: %o',
    (config) => {
      const { values } = optimalValues(modelOf({ ...config, layer: true }), GAMMA);
      const lobby = ways(modelOf(config), 0, 0); // any pair: walls and floor alike
      expect(lobby.length).toBeGreaterThan(0);
      for (let cell = 0; cell < CELLS; cell++) {
        // no gain by closing the terminal, and no loss by its being used
        expect(values[cell]!).toBeCloseTo(values[CELLS + cell]!, 9);
      }
    },
  );

  it('is worth nothing more or less than the difference of both goals, on the step of the change alone', () => {
    const [plain, layered] = [{}, { layer: true }].map((more) => modelOf({ mapSeed: 5, ...more })) as [TabularModel, TabularModel];
    const { values } = optimalValues(plain, GAMMA);
    plain.reward.forEach((reward, i) => {
      const to = plain.next[i]!;
      const changes = i < plain.offset[CELLS * 5]! && Math.floor(to / CELLS) === 2;
      const due = changes ? GAMMA * (values[CELLS + (to % CELLS)]! - values[to]!) : 0;
      expect(layered.reward[i]).toBeCloseTo(reward + due, 12);
    });
  });

  it('keeps best play from lobbying where it lobbied without', () => {
    for (const config of [{ mapSeed: 1 }, { mapSeed: 2 }, { mapSeed: 1, update: 'off' }, { mapSeed: 2, update: 'off' }]) {
      expect(lobbied(config), JSON.stringify(config)).toBeGreaterThan(0.3);
      expect(lobbied({ ...config, layer: true }), JSON.stringify(config)).toBe(0);
    }
  });

  it('is not needed where the change is welcome or lobbying is dear', () => {
    expect(lobbied({ mapSeed: 1, second: 3 })).toBe(0);
    expect(lobbied({ mapSeed: 1, lobby: 50 })).toBe(0);
  });
});

it('states no exact return where episodes are too long to work it out', () => {
  expect(offSwitch.meta({}).references).toHaveLength(2);
  expect(offSwitch.meta({ maxSteps: 1_000_000 }).references).toEqual([]);
});
