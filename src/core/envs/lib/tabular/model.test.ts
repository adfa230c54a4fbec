import { describe, expect, it } from 'vitest';
import { LabError } from '#contract/kit/errors.ts';
import { Rng } from '#math/rng.ts';
import { getEnv } from '../../all.ts';
import { createActions, createBuffers } from '../../api/buffers.ts';
import type { TabularModel } from '../../api/types.ts';
import { createVectorEnv } from '../../api/vector-env.ts';
import { finiteValues, optimalValues, startValue, uniformValues } from './values.ts';

/** Mean return of an environment's own best play over n episodes started together: no short episode counts twice. */
function play(id: string, config: object, n: number): number {
  const entry = getEnv(id);
  const env = entry.create(config, n);
  const buffers = createBuffers(env.meta, n);
  const actions = createActions(env.meta, n);
  const policy = entry.policies(config).optimal;
  if (policy === undefined) throw new Error('no policy');
  env.reset(
    Uint32Array.from({ length: n }, (_, i) => i),
    buffers,
  );
  const over = new Uint8Array(n);
  let sum = 0;
  for (let t = 0; t < env.meta.evalMaxSteps && over.includes(0); t++) {
    policy.act(env, buffers, actions);
    env.step(actions, buffers);
    for (let i = 0; i < n; i++) {
      if (over[i] === 1) continue;
      sum += buffers.reward[i]!;
      if (buffers.terminated[i] === 1 || buffers.truncated[i] === 1) over[i] = 1;
    }
  }
  return sum / n;
}

describe('best play', () => {
  it('cliff: -13', () => {
    expect(play('cliff-walking', {}, 3)).toBe(-13);
  });

  it('cliff: a coast of one’s own, worked out by hand', () => {
    // two up, four right, two down; the cliff lies between
    const map = ['.....', '.CCC.', 'SCCCG'];
    expect(play('cliff-walking', { map }, 2)).toBe(-8);
    const value = (config: object, name: string) =>
      getEnv('cliff-walking')
        .meta(config)
        .references.find((r) => r.name === name)?.value;
    expect(value({ map }, 'optimal')).toBe(-8);
    expect(value({ map }, 'safe path')).toBeUndefined();
    expect(value({}, 'safe path')).toBe(-17);
    // nothing but steps where the goal is shut in
    expect(value({ map: ['SCG'] }, 'optimal')).toBe(-1000);
    expect(value({ map: ['SG'] }, 'optimal')).toBe(-1);
    expect(() => getEnv('cliff-walking').meta({ map: ['..G'] })).toThrow(/no start/);
    expect(() => getEnv('cliff-walking').meta({ map: ['S.G', '..'] })).toThrow(/differ in length/);
  });

  it('taxi: about 7.93 over the starts', () => {
    // the returns spread over 3..15: three standard errors of 600 episodes are 0.35
    expect(Math.abs(play('taxi', {}, 600) - 7.93)).toBeLessThan(0.35);
  });

  it('taxi: 7.93 exactly, over all 300 starts', () => {
    const entry = getEnv('taxi');
    const model = entry.create({}, 1).model?.() as TabularModel;
    const starts = Array.from(model.start.keys()).filter((s) => model.start[s]! > 0);
    const env = entry.create({}, 300);
    const buffers = createBuffers(env.meta, 300);
    const actions = createActions(env.meta, 300);
    starts.forEach((state, row) => {
      env.load(row, env.meta.state.fromJSON({ state }), buffers);
    });
    let sum = 0;
    const over = new Uint8Array(300);
    while (over.includes(0)) {
      entry.policies({}).optimal?.act(env, buffers, actions);
      env.step(actions, buffers);
      for (let row = 0; row < 300; row++) {
        if (over[row] === 0) sum += buffers.reward[row]!;
        over[row] = over[row]! | buffers.terminated[row]!;
      }
    }
    expect(sum / 300).toBe(7.93);
  });

  it('frozen lake: 0.744190 within 100 steps, exactly: the plan followed through the table', () => {
    const entry = getEnv('frozen-lake');
    const env = entry.create({}, 16);
    const buffers = createBuffers(env.meta, 16);
    const actions = createActions(env.meta, 16);
    const model = env.model?.() as TabularModel;
    const policy = entry.policies({}).optimal;
    let here = model.start.slice();
    let success = 0;
    for (let steps = 0; steps < 100; steps++) {
      for (let state = 0; state < 16; state++) env.load(state, env.meta.state.fromJSON({ state, steps }), buffers);
      policy?.act(env, buffers, actions);
      const next = new Float64Array(16);
      here.forEach((mass, state) => {
        const pair = state * 4 + actions[state]!;
        for (let i = model.offset[pair]!; i < model.offset[pair + 1]!; i++) {
          const p = mass * model.probability[i]!;
          success += p * model.reward[i]!;
          if (model.terminated[i] === 0) next[model.next[i]!] = next[model.next[i]!]! + p;
        }
      });
      here = next;
    }
    expect(success).toBeCloseTo(0.74419, 5);
    expect(success).toBeCloseTo(entry.meta({}).references.find((r) => r.name === 'optimal')?.value as number, 12);
  });

  it('frozen lake: about 0.7442 in play', () => {
    expect(Math.abs(play('frozen-lake', {}, 600) - 0.74419)).toBeLessThan(3 * Math.sqrt((0.744 * 0.256) / 600));
  });
});

describe.each([
  ['frozen-lake', {}],
  ['frozen-lake', { successRate: 0.8 }],
  ['cliff-walking', { slippery: true }],
  ['cliff-walking', { slippery: true, map: ['....', '.CC.', 'SCG.'] }],
  ['taxi', { rainy: true }],
  ['random-mdp', {}],
  ['key-grid', {}],
])('the table of %s %o', (id, config) => {
  const env = getEnv(id).create(config, 1);
  const model = env.model?.() as TabularModel;

  it('has probabilities that sum to 1 and states that exist', () => {
    for (let pair = 0; pair < model.states * model.actions; pair++) {
      let sum = 0;
      for (let i = model.offset[pair]!; i < model.offset[pair + 1]!; i++) {
        sum += model.probability[i]!;
        expect(model.next[i]!).toBeLessThan(model.states);
      }
      expect(sum).toBeCloseTo(1, 12);
    }
    expect(model.start.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
  });

  it('is what the environment does: outcomes as frequent as it says', () => {
    const vector = createVectorEnv(getEnv(id), config, 64, Rng.from(5));
    vector.reset();
    const actions = createActions(vector.meta, 64);
    const rng = Rng.from(6);
    const seen = new Map<string, number>();
    const tried = new Map<number, number>();
    const states = () => Array.from({ length: 64 }, (_, row) => vector.env.extras?.(row).state as number);
    for (let t = 0; t < 1500; t++) {
      const before = states();
      for (let row = 0; row < 64; row++) actions[row] = rng.int(model.actions);
      vector.env.step(actions, vector.buffers);
      states().forEach((next, row) => {
        const pair = before[row]! * model.actions + actions[row]!;
        tried.set(pair, (tried.get(pair) ?? 0) + 1);
        seen.set(`${pair} ${next}`, (seen.get(`${pair} ${next}`) ?? 0) + 1);
      });
      const ended = vector.buffers.terminated.map((x, i) => x | vector.buffers.truncated[i]!);
      vector.env.restart(ended, vector.buffers);
    }
    let chi = 0;
    let freedom = 0;
    for (const [pair, n] of tried) {
      const chance = new Map<number, number>();
      for (let i = model.offset[pair]!; i < model.offset[pair + 1]!; i++)
        chance.set(model.next[i]!, (chance.get(model.next[i]!) ?? 0) + model.probability[i]!);
      if (n < 25) continue;
      for (const [next, p] of chance) chi += ((seen.get(`${pair} ${next}`) ?? 0) - n * p) ** 2 / (n * p);
      freedom += chance.size - 1;
    }
    expect(freedom).toBeGreaterThan(10);
    // mean `freedom`, deviation sqrt(2 freedom): five deviations
    expect(chi).toBeLessThan(freedom + 5 * Math.sqrt(2 * freedom));
  });
});

describe('values', () => {
  it('a longer limit is never worse, and uniform play never better than the best', () => {
    const model = getEnv('frozen-lake').create({}, 1).model?.() as TabularModel;
    let before = 0;
    for (const limit of [1, 10, 50, 100, 400]) {
      const best = startValue(model, finiteValues(model, limit, 1));
      expect(best).toBeGreaterThanOrEqual(before);
      expect(startValue(model, uniformValues(model, limit))).toBeLessThanOrEqual(best);
      before = best;
    }
    expect(before).toBeLessThanOrEqual(startValue(model, optimalValues(model, 1).values) + 1e-12);
  });

  it('a limit of a thousand million is answered where nothing changes any more', () => {
    const model = getEnv('frozen-lake').create({}, 1).model?.() as TabularModel;
    expect(finiteValues(model, 1e9, 1)).toEqual(finiteValues(model, 1e5, 1));
    expect(uniformValues(model, 1e9)).toEqual(uniformValues(model, 1e5));
  });

  it('taxi: random play -771.09, best play 7.93 in sun and less in rain', () => {
    const entry = getEnv('taxi');
    const model = entry.create({}, 1).model?.() as TabularModel;
    const stated = entry.meta({}).references.find((r) => r.name === 'random')?.value;
    expect(startValue(model, uniformValues(model, 200))).toBeCloseTo(stated as number, 9);
    expect(stated).toBeCloseTo(-771.09, 2);
    const best = (config: object) => entry.meta(config).references.find((r) => r.name === 'optimal')?.value as number;
    expect(best({})).toBeCloseTo(7.93, 9);
    expect(best({ rainy: true })).toBeLessThan(best({}));
  });

  it('broken lakes are refused', () => {
    for (const config of [{ map: ['SF', 'F'] }, { map: ['FF', 'FG'] }, { map: ['SX'] }, { startState: 99 }])
      expect(() => getEnv('frozen-lake').meta(config), JSON.stringify(config)).toThrow(LabError);
    expect(getEnv('frozen-lake').meta({ map: ['FF', 'FG'], startState: 1 }).obsSize).toBe(4);
  });
});
