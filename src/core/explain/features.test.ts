/** Feature values against models whose values are known in closed form, played by a policy made of them. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { FeatureQuestion } from '#contract/explain/explain.ts';
import type { Policy } from '../algos/api/types.ts';
import { getEnv } from '../envs/all.ts';
import type { EnvMeta } from '../envs/api/types.ts';
import { explainFeatures, featuresOf } from './features.ts';

interface Case {
  readonly name: string;
  readonly input: { readonly background: number[][]; readonly x: number[]; readonly beta?: number[]; readonly intercept?: number };
  readonly expected: { readonly base: number; readonly fx: number; readonly phi: number[] };
}
const { cases } = JSON.parse(readFileSync(new URL('./golden/shapley-kernelshap.json', import.meta.url), 'utf8')) as { cases: Case[] };

const models: Record<string, (x: Float32Array, input: Case['input']) => number> = {
  linear: (x, { beta, intercept }) => x.reduce((sum, v, i) => sum + v * beta![i]!, intercept!),
  nonlinear: (x) => x[0]! * x[1]! + x[2]! ** 2 + Math.tanh(x[3]!) * x[0]!,
  max: (x) => Math.max(x[0]!, x[1]!, x[2]!),
};

/** An agent that sees `size` numbers and expects what the model says. */
function world(size: number): EnvMeta {
  const meta = getEnv('cartpole').meta({});
  const obs = { kind: 'box' as const, shape: [size], low: -9, high: 9 };
  return { ...meta, obsSize: size, agents: [{ ...meta.agents[0]!, obs }] };
}

function expects(model: (x: Float32Array) => number, size: number): Policy {
  return {
    initial: () => new Float32Array(0),
    act: ({ obs, rows }) => ({
      actions: new Int32Array(rows),
      hidden: new Float32Array(0),
      value: Float32Array.from({ length: rows }, (_, row) => model(obs.subarray(row * size, (row + 1) * size))),
    }),
    dispose() {},
  };
}

const question: FeatureQuestion = { agent: 0, about: 'prediction', action: null, method: 'orders', draws: 400, seed: 1 };

describe('models with known values', () => {
  for (const { name, input, expected } of cases.filter(({ name }) => name in models)) {
    test(name, async () => {
      const size = input.x.length;
      const got = await explainFeatures({
        policy: expects((x) => models[name]!(x, input), size),
        meta: world(size),
        question,
        obs: Float32Array.from(input.x),
        background: input.background.map((row) => Float32Array.from(row.slice(0, size))),
      });
      expect(got.base).toBeCloseTo(expected.base, 5);
      expect(got.output).toBeCloseTo(expected.fx, 5);
      expected.phi.forEach((phi, i) => {
        expect(got.value[i]).toBeCloseTo(phi, 5);
      });
    });
  }

  test('many features: drawn orders hold the values of a linear model in their intervals', async () => {
    const size = 12;
    const beta = Array.from({ length: size }, (_, i) => i - 4);
    const background = Array.from({ length: 8 }, (_, b) => Float32Array.from({ length: size }, (_, i) => ((b * 5 + i * 3) % 7) / 7));
    const obs = Float32Array.from({ length: size }, (_, i) => (i % 3) - 1);
    const policy = expects((x) => x.reduce((sum, v, i) => sum + v * beta[i]!, 0), size);
    const got = await explainFeatures({ policy, meta: world(size), question, obs, background });
    for (let i = 0; i < size; i++) {
      const mean = background.reduce((sum, row) => sum + row[i]!, 0) / background.length;
      const truth = beta[i]! * (obs[i]! - mean);
      expect(Math.abs(got.value[i]! - truth)).toBeLessThanOrEqual(1.5 * got.halfWidth[i]! + 1e-6);
      expect(got.occlusion![i]).toBeCloseTo(truth, 4);
    }
    expect(got.efficiencyGap).toBeCloseTo(0, 5);
  });

  test('few features: orders and KernelSHAP give one value, one interval and one number of draws', async () => {
    const background = Array.from({ length: 9 }, (_, b) => Float32Array.from({ length: 4 }, (_, i) => ((b * 5 + i * 3) % 7) / 7));
    const obs = Float32Array.of(0.5, -1, 0.25, 1);
    const policy = expects(([a = 0, b = 0, c = 0, d = 0]) => a + 2 * b * c - d * a, 4);
    const ask = (method: 'orders' | 'kernel') =>
      explainFeatures({ policy, meta: world(4), question: { ...question, method }, obs, background });
    const [orders, kernel] = [await ask('orders'), await ask('kernel')];
    expect(kernel.draws).toBe(orders.draws);
    for (let i = 0; i < 4; i++) {
      expect(kernel.value[i]).toBeCloseTo(orders.value[i]!, 9);
      expect(kernel.halfWidth[i]).toBeCloseTo(orders.halfWidth[i]!, 9);
    }
    expect(Math.max(...kernel.halfWidth)).toBeGreaterThan(0.01);
  });

  test('without a value estimate or another moment it says so', async () => {
    const policy: Policy = { ...expects(() => 0, 4), act: ({ rows }) => ({ actions: new Int32Array(rows), hidden: new Float32Array(0) }) };
    const obs = new Float32Array(4);
    await expect(explainFeatures({ policy, meta: world(4), question, obs, background: [obs] })).rejects.toMatchObject({
      failure: { field: 'about' },
    });
    await expect(explainFeatures({ policy, meta: world(4), question, obs, background: [] })).rejects.toThrow('no other moment');
  });
});

describe('features', () => {
  test('coordinates of one thing belong together', () => {
    const labels = ['own velocity x', 'own velocity y', 'landmark 0 x', 'landmark 0 y', 'angle'];
    const { features } = featuresOf({ kind: 'box', shape: [5], low: -1, high: 1, labels });
    expect(features.map(({ name, columns }) => [name, columns])).toEqual([
      ['own velocity', [0, 1]],
      ['landmark 0', [2, 3]],
      ['angle', [4]],
    ]);
  });

  test('every column belongs to exactly one feature, in every environment', () => {
    for (const id of ['cartpole', 'minigrid-empty', 'frozen-lake', 'minatar-breakout', 'mpe-simple-tag']) {
      const { agents } = getEnv(id).meta(getEnv(id).parse({}));
      const { obs } = agents[0]!;
      const seen = featuresOf(obs).features.flatMap(({ columns }) => columns);
      expect(seen.slice().sort((a, b) => a - b)).toEqual(seen.map((_, i) => i));
    }
  });
});
