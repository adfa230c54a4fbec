/** Variants of SAC and TD3 on the continuous probes and across checkpoints; the plain ones: algos.test.ts. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { log } from '#math/functions.ts';
import { aimedBefore, endlessBox } from '../../testing/box-probes.ts';
import { ask, play, resumed } from '../../testing/play.ts';
import { endless, masked, pointing, pointingTeam } from '../../testing/probes.ts';
import { getAlgo } from '../all.ts';
import { uniformEntropy } from './sac-discrete.ts';

const small = {
  hidden: [32],
  lr: 3e-3,
  criticLr: 3e-3,
  gamma: 0.9,
  tau: 0.05,
  batchSize: 64,
  learningStarts: 100,
  bufferSize: 5000,
  trainEvery: 2,
};
const all = [
  ['SAC', 'sac', small],
  ['SAC as CleanRL runs it', 'sac', { ...small, actorEvery: 2, actorUpdates: 2, autoTemperature: { loss: 'exp' }, logStd: 'tanh' }],
  ['TD3', 'td3', { ...small, explorationNoise: 0.2 }],
  ['TD3 without its additions', 'td3', { ...small, twin: false, smoothing: 0, actorEvery: 1, explorationNoise: 0.2 }],
] as const;
/** Those whose file does not declare this run as a probe. */
const variants = [all[1], all[3]] as const;

describe.each(variants)('%s', (_, algo, settings) => {
  it('points where it is told', async () => {
    const run = await play(pointing, algo, 5000, settings);
    expect(run.evalReturn).toBeGreaterThan(0.93);
    expect((await ask(pointing, run, [1])).actions[0]).toBeGreaterThan(0.3);
    expect((await ask(pointing, run, [-1])).actions[0]).toBeLessThan(-0.3);
  });

  it('finds an action in a crooked box that pays one step later', async () => {
    const run = await play(aimedBefore, algo, 4000, settings);
    expect(run.evalReturn).toBeGreaterThan(0.9);
    expect((await ask(aimedBefore, run, [0, 0])).actions[0]).toBeCloseTo(4, 0);
  });

  it('serves two agents with one network', async () => {
    const run = await play(pointingTeam, algo, 4000, settings);
    expect(run.evalReturn).toBeGreaterThan(0.85);
  });

  it('is a pure function of config and seed, and continues bit for bit', async () => {
    const steps = 700;
    const tight = { ...settings, envs: 2, bufferSize: 300, hidden: [8], batchSize: 16 };
    const { whole, joined } = await resumed(pointingTeam, algo, steps, tight);
    expect(joined.rows).toEqual(whole.rows);
    expect(joined.hash).toBe(whole.hash);
    expect(joined.evalReturn).toBe(whole.evalReturn);
    expect((await play(pointingTeam, algo, steps, tight, { seed: 2 })).hash).not.toBe(whole.hash);
  });
});

it.each(all)('%s bootstraps over time limits: 1 / (1 - gamma), plus what entropy is worth', async (_, algo, settings) => {
  const fixed = algo === 'sac' ? { autoTemperature: 'off', temperature: 1e-3 } : {};
  const run = await play(endlessBox, algo, 3000, { ...settings, ...fixed, trainEvery: 1 });
  expect((await ask(endlessBox, run, [1])).value![0]).toBeGreaterThan(9);
});

it('refuses actions without bounds and teams that are not alike', () => {
  expect(() => getAlgo('sac').fits(endless.meta({}), {})).toThrow(/continuous/);
  expect(() => getAlgo('td3').fits(endless.meta({}), {})).toThrow(/continuous/);
});

it('refuses a memory that would not fit', () => {
  const wide = { ...pointing.meta({}), obsSize: 10_000 };
  expect(() => getAlgo('sac').fits(wide, {})).toThrow(/GB/);
  expect(() => getAlgo('sac').fits(wide, { bufferSize: 10_000 })).not.toThrow();
});

describe('SAC with discrete actions', () => {
  const settings = { ...small, autoTemperature: { share: 0.3 } };
  it('bootstraps over time limits', async () => {
    const run = await play(endless, 'sac-discrete', 3000, { ...settings, autoTemperature: 'off', temperature: 1e-3, trainEvery: 1 });
    expect((await ask(endless, run, [1])).value![0]).toBeGreaterThan(9);
  });

  it('has a target entropy within reach where few actions are legal, so that the temperature falls', async () => {
    const learned = async (own: JsonObject) => {
      const { columns, rows, evalReturn } = await play(masked, 'sac-discrete', 4000, { ...small, ...own });
      const temperatures = rows.map((row) => row[columns.indexOf('temperature') + 1]!).filter(Number.isFinite);
      return { evalReturn, temperature: temperatures.at(-1)! };
    };
    const legal = await learned({});
    expect(legal.evalReturn).toBeCloseTo(1, 6);
    expect(legal.temperature).toBeLessThan(0.6);
    const all = await learned({ autoTemperature: { of: 'all', share: 0.89 } }); // 1.23, where two legal actions have 0.69 at most
    expect(all.evalReturn).toBeLessThan(1);
    expect(all.temperature).toBeGreaterThan(2);
  });

  it('counts the legal actions of each state', () => {
    expect(uniformEntropy(4, undefined)).toBe(log(4));
    expect(uniformEntropy(4, Float32Array.of(1, 1, 0, 0, 1, 0, 1, 1))).toBeCloseTo((Math.log(2) + Math.log(3)) / 2, 12);
    expect(uniformEntropy(2, Float32Array.of(0, 0, 1, 0))).toBe(0);
  });

  it('continues bit for bit, masks included', async () => {
    const { whole, joined } = await resumed(masked, 'sac-discrete', 700, { ...settings, envs: 2, bufferSize: 300, batchSize: 16 });
    expect(joined.rows).toEqual(whole.rows);
    expect(joined.hash).toBe(whole.hash);
  });
});
