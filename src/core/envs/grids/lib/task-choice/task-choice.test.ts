import { expect, test } from 'vitest';
import { Rng } from '#math/rng.ts';
import { getEnv } from '../../../all.ts';
import { createActions, createBuffers } from '../../../api/buffers.ts';
import type { Environment, ScriptedPolicy, StepBuffers } from '../../../api/types.ts';
import { byGaps, byModel, expectedGains } from './choosers.ts';
import { bestOf, greedyChoice, Mission, meanBest } from './mission.ts';
import { COUNT, RECORDINGS, recordingsOf, SETTINGS } from './recorded.ts';

const GAP = 0.5;

/** A world as the model thinks it: a smooth performance of training, less a gap that grows with the distance. */
function planted(n: number, rng: Rng): { readonly own: readonly number[]; readonly at: (i: number, j: number) => number } {
  const [height, tilt, bend] = [0.4 + 0.4 * rng.uniform(), 0.6 * (rng.uniform() - 0.5), 0.4 * (rng.uniform() - 0.5)];
  const own = Array.from({ length: n }, (_, i) => {
    const x = i / (n - 1) - 0.5;
    return Math.min(1, Math.max(0.05, height + tilt * x + bend * (4 * x * x - 0.5)));
  });
  return { own, at: (i, j) => Math.max(0, own[i]! - (GAP * Math.abs(i - j)) / (n - 1)) };
}

test('in worlds as the model thinks them, three choices come within 6 % of the best three in nine of ten', () => {
  const n = 10;
  let good = 0;
  for (let draw = 0; draw < 10; draw++) {
    const { own, at } = planted(n, Rng.from(draw));
    const meanOf = (trained: readonly number[]): number => {
      let sum = 0;
      for (let j = 0; j < n; j++) sum += Math.max(...trained.map((i) => at(i, j)));
      return sum / n;
    };
    let most = 0;
    for (let a = 0; a < n; a++) for (let b = a + 1; b < n; b++) for (let c = b + 1; c < n; c++) most = Math.max(most, meanOf([a, b, c]));
    const trained: number[] = [];
    while (trained.length < 3) {
      const best = Array.from({ length: n }, (_, j) => Math.max(0, ...trained.map((i) => at(i, j))));
      trained.push(byModel({ settings: n, trained, own: trained.map((i) => own[i]!), best }));
    }
    if (meanOf(trained) >= 0.94 * most) good++;
  }
  expect(good).toBeGreaterThanOrEqual(9);
});

test('with one setting trained to the full the farthest of the others are expected to gain most', () => {
  const n = 11;
  const best = Array.from({ length: n }, (_, j) => 1 - (GAP * Math.abs(5 - j)) / 10);
  const gains = expectedGains({ settings: n, trained: [5], own: [1], best });
  expect(gains[0]).toBeCloseTo(gains[10]!, 12);
  for (let i = 1; i < 5; i++) expect(gains[0]!).toBeGreaterThan(gains[i]!);
});

test('equal gaps: the middle, then the middles of the widest gaps, every setting once', () => {
  const trained: number[] = [];
  while (trained.length < 9) trained.push(byGaps({ settings: 9, trained, own: [], best: [] }));
  expect(trained.slice(0, 3)).toEqual([4, 1, 7]);
  expect([...trained].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
});

test('recordings are whole: shares of the best possible, as many of each setting', () => {
  for (const setting of SETTINGS) {
    const all = recordingsOf(setting);
    expect(all.length).toBe(RECORDINGS);
    for (const matrix of all) {
      expect(matrix.length).toBe(COUNT * COUNT);
      expect(matrix.every((share) => share > 0 && share <= 1)).toBe(true);
    }
  }
});

test('what gains most is enough with its choices and not with one less', () => {
  const matrix = recordingsOf('cart mass')[0]!;
  const mission = new Mission(matrix, 0.98);
  const trained: number[] = [];
  while (!mission.isEnough(trained)) trained.push(greedyChoice(matrix, trained));
  expect(meanBest(bestOf(matrix, trained))).toBeGreaterThanOrEqual(0.98 * mission.full);
  expect(mission.isEnough(trained.slice(0, -1))).toBe(false);
});

/** Choices until the end of an episode, by a script. */
function episode(env: Environment, script: ScriptedPolicy, buffers: StepBuffers, seed: number): readonly number[] {
  const actions = createActions(env.meta, 1);
  env.reset(Uint32Array.of(seed), buffers);
  const chosen: number[] = [];
  do {
    script.act(env, buffers, actions);
    chosen.push(actions[0]!);
    env.step(actions, buffers);
  } while (buffers.terminated[0] === 0 && buffers.truncated[0] === 0);
  return chosen;
}

test('a choice depends on what was trained before, not on what the recording holds elsewhere', () => {
  const entry = getEnv('task-choice');
  const env = entry.create({ setting: 'cart mass' }, 1);
  const buffers = createBuffers(env.meta, 1);
  const scripts = entry.policies({ setting: 'cart mass' });
  for (const name of ['model', 'equal gaps', 'drawn'] as const)
    for (let seed = 0; seed < 10; seed++) {
      const chosen = episode(env, scripts[name]!, buffers, seed);
      expect(new Set(chosen).size).toBe(chosen.length);
      const measured = new Float64Array(2);
      env.measure?.(0, measured, 0);
      expect(measured[0]).toBe(chosen.length);
      expect(measured[1]!).toBeGreaterThanOrEqual(0.95);
      if (name !== 'drawn') expect(chosen[0]).toBe(9); // the middle
    }
});

test('drawn choices differ from seed to seed, and are the same for the same one', () => {
  const entry = getEnv('task-choice');
  const env = entry.create({}, 1);
  const buffers = createBuffers(env.meta, 1);
  const { drawn } = entry.policies({});
  const found = [3, 4, 3].map((seed) => episode(env, drawn!, buffers, seed).join());
  expect(found[0]).toBe(found[2]);
  expect(found[0]).not.toBe(found[1]);
});

test('the best of all trained policies is what is paid attention to, and follows a loaded state', () => {
  const env = getEnv('task-choice').create({}, 2);
  const buffers = createBuffers(env.meta, 2);
  env.reset(Uint32Array.of(1, 2), buffers);
  env.step(Float32Array.of(3, 5), buffers);
  env.step(Float32Array.of(0, 9), buffers);
  const kept = buffers.obs.slice(0, 3 * COUNT);
  env.load(1, env.save(0), buffers);
  expect(buffers.obs.slice(3 * COUNT)).toEqual(kept);
});
