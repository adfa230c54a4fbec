import { InferenceSession, Tensor } from 'onnxruntime-web';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { Rng } from '#math/rng.ts';
import { getEnv } from '../../envs/all.ts';
import { createActions } from '../../envs/api/buffers.ts';
import { createVectorEnv } from '../../envs/api/vector-env.ts';
import { completeRun } from '../../run/by-id.ts';
import { buildPolicy, policyToOnnx } from '../../run/loaded.ts';
import { memoryOne, pointing } from '../../testing/probes.ts';
import { trained } from '../../testing/trained.ts';
import { getAlgo } from '../all.ts';
import { SeenMoments, trainNormalised } from './normalised.ts';

const NORMALISED = { normaliseObs: true };
const fastPpo = { envs: 8, rolloutSteps: 16, lr: 3e-3, annealLr: false, gamma: 0.9, entropyCoef: 0.001, hidden: [16] };
const fastDqn = { lr: 3e-3, hidden: [16], learningStarts: 100, bufferSize: 1000, batchSize: 32, trainEvery: 2, targetEvery: 50 };
const fastSac = { envs: 2, hidden: [16], learningStarts: 100, bufferSize: 1000, batchSize: 32 };

const METHODS: readonly (readonly [algo: string, env: string, config: JsonObject, envConfig: JsonObject, steps: number])[] = [
  ['ppo', 'cartpole', fastPpo, {}, 2000],
  ['dqn', 'mountain-car', fastDqn, {}, 1500],
  ['sac', 'pendulum', fastSac, {}, 600],
  ['a2c', 'cartpole', {}, {}, 2000],
  ['recurrent-ppo', 'cartpole', { envs: 4 }, {}, 2048],
  ['ars', 'pendulum', {}, {}, 4000],
  ['ippo', 'mpe-simple-tag', {}, { seats: { adversary: 'random' } }, 4000],
  ['maddpg', 'mpe-simple-spread', { learningStarts: 100, bufferSize: 2000, batchSize: 32 }, {}, 3000],
];

describe('normalised observations', () => {
  test('the numbers are those of VecNormalize of stable-baselines3 (2.9.0a4, e05d2db) after each of four batches of two', () => {
    const seen = [
      [0.1257, 2.3395, 0.0006, 0.1049, 0.3217, 0.0004],
      [1.304, 7.7354, -0.0007, -1.2654, -0.1164, 0],
      [-2.325, 1.906, -0.0012, -0.7323, 0.2787, -0.0003],
      [0.4116, 8.2126, -0.0001, 40, -0.326, 0.0004],
    ];
    const expected = [
      [0.825681, 1.000023, 0.014143, -0.824766, -0.999891, -0.014136],
      [1.359432, 1.654132, -0.154211, -1.464955, -0.860267, -0.014923],
      [-1.613637, -0.063865, -0.242112, -0.232136, -0.670033, -0.024212],
      [-0.320691, 1.739925, 0.003489, 2.637786, -0.880877, 0.143047],
    ];
    const moments = new SeenMoments({ agents: [{ count: 1 }], agentCount: 1, obsSize: 3 });
    const out = new Float32Array(6);
    for (const [t, obs] of seen.entries()) {
      moments.update(Float32Array.from(obs));
      moments.writeAll(Float32Array.from(obs), out);
      for (const [i, x] of expected[t]!.entries()) expect(out[i]).toBeCloseTo(x, 5);
    }
    moments.write(0, Float32Array.of(1e6, -1e6, 0), 0, out, 0);
    expect([...out.subarray(0, 2)]).toEqual([10, -10]);
  });

  test('a method sees what the moments make of everything that was shown, starts after an end included', async () => {
    const { shown, normalised } = await firstSteps();
    const rows: number[][] = [];
    for (const [t, obs] of shown.entries()) {
      for (let b = 0; b < 2; b++) rows.push([...obs.subarray(4 * b, 4 * b + 4)]);
      const n = rows.length;
      for (let i = 0; i < 4; i++) {
        const mean = rows.reduce((sum, row) => sum + row[i]!, 0) / (n + 1e-4); // mean 0 and variance 1 count as 1e-4 observations
        const squares = rows.reduce((sum, row) => sum + (row[i]! - mean) ** 2, 0) + 1e-4 * (1 + mean ** 2);
        const scale = Math.sqrt(squares / (n + 1e-4) + 1e-8);
        for (let b = 0; b < 2; b++) expect(normalised[t]![4 * b + i]).toBeCloseTo((obs[4 * b + i]! - mean) / scale, 4);
      }
    }
  });

  test.each(METHODS)(
    '%s in %s: resumed with the same bits, and its policy plays elsewhere as it does here',
    async (algo, env, config, world, steps) => {
      const task = { algo: getAlgo(algo), env: getEnv(env), config, envConfig: { ...world, ...NORMALISED }, steps };
      const whole = await trained(task);
      const half = await trained(task, { stopAt: steps / 2 });
      const rest = await trained(task, { resume: half.saved });
      expect(rest.hash).toBe(whole.hash);
      expect(rest.rows).toEqual(whole.rows.slice(half.rows.length));
      expect(whole.snapshotReturn).toBe(whole.evalReturn);
      const plain = await trained({ ...task, envConfig: world });
      if (algo !== 'ars') expect(plain.hash).not.toBe(whole.hash);
    },
  );

  test('the ONNX model gets plain observations and answers as the policy does', async () => {
    const algo = getAlgo('ppo');
    const env = getEnv('mountain-car');
    const config = algo.parse(fastPpo);
    const world = env.parse({ ...NORMALISED, frameStack: 2 });
    const { snapshot } = await trained({ algo, env, config, envConfig: world, steps: 512 });
    const policySnapshot = {
      kind: 'policy',
      version: 1,
      env: { id: env.id, version: env.version, config: world },
      algo: { id: algo.id, version: algo.version, config },
      seed: 1,
      step: 512,
      executor: 'wasm',
      saved: snapshot,
    } as const;
    const model = await policyToOnnx(policySnapshot, 0);
    expect(model.inputs.find(({ name }) => name === 'obs')?.shape[1]).toBe(4);
    const session = await InferenceSession.create(model.bytes);
    const { policy, free } = await buildPolicy(policySnapshot);
    const rng = Rng.from(2);
    const obs = Float32Array.from({ length: 40 * 4 }, (_, i) => (i % 2 === 0 ? -1.2 + 1.8 * rng.uniform() : 0.14 * rng.uniform() - 0.07));
    const found = await session.run({ obs: new Tensor('float32', obs, [40, 4]) });
    const act = await policy.act({ obs, agent: new Int32Array(40), hidden: new Float32Array(0), rng, rows: 40, greedy: true });
    expect([...(found.logits!.data as Float32Array)].map((x, i) => Math.abs(x - act.logits![i]!)).every((d) => d < 1e-4)).toBe(true);
    free();
  });

  test.each([
    [{ env: { id: 'frozen-lake', config: NORMALISED }, algo: { id: 'ppo' } }, 'env.normaliseObs'],
    [{ env: { id: 'cartpole', config: { frameStack: 99 } }, algo: { id: 'ppo' } }, 'env.frameStack'],
    [{ env: { id: 'cartpole', config: NORMALISED }, algo: { id: 'ppo', config: { normaliseObs: true } } }, 'algo.normaliseObs'],
    [{ env: { id: 'cartpole', config: NORMALISED }, algo: { id: 'behaviour-cloning' } }, 'env.normaliseObs'],
    [{ env: { id: 'w-stories', config: { frameStack: 2 } }, algo: { id: 'group-rl' } }, 'env.frameStack'],
    [{ env: { id: 'cartpole', config: NORMALISED }, algo: { id: 'ppo' }, run: { executor: 'webgpu-rollouts' } }, 'run.executor'],
  ])('%j is refused at %s', (config, field) => {
    expect(() => completeRun(config)).toThrow(expect.objectContaining({ failure: expect.objectContaining({ field }) }));
  });
});

test('remembering the cue of the step before takes two frames', async () => {
  const task = { algo: getAlgo('ppo'), env: memoryOne, config: fastPpo, steps: 6000 };
  const alone = await trained(task);
  const stacked = await trained({ ...task, envConfig: { frameStack: 2 } });
  expect(alone.evalReturn).toBeLessThan(0.5);
  expect(stacked.evalReturn).toBe(1);
});

test('continuous control on two frames of normalised numbers', async () => {
  const { evalReturn } = await trained({
    algo: getAlgo('ppo'),
    env: pointing,
    config: fastPpo,
    envConfig: { frameStack: 2, ...NORMALISED },
    steps: 12_000,
  });
  expect(evalReturn).toBeGreaterThan(0.9);
});

/** What a method saw in 40 steps of two copies, beside what its environment showed; some episodes end. */
async function firstSteps() {
  const shown: Float32Array[] = [];
  const normalised: Float32Array[] = [];
  const env = getEnv('cartpole');
  const envConfig = env.parse(NORMALISED);
  const own = createVectorEnv(env, envConfig, 2, Rng.from(4));
  const run = {
    ...{ config: {}, envEntry: env, envConfig, meta: env.meta(envConfig), steps: 20, seed: 1, rng: Rng.from(1) },
    makeEnv: () => own,
    makeEngine: () => Promise.reject(new Error('no engine')),
  };
  const steps = trainNormalised(run, undefined, async function* (seen) {
    const vector = seen.makeEnv(2);
    const actions = createActions(vector.meta, 2);
    const rng = Rng.from(8);
    vector.reset();
    for (let t = 0; t < 40; t++) {
      shown.push(own.buffers.obs.slice());
      normalised.push(vector.buffers.obs.slice());
      for (let b = 0; b < 2; b++) actions[b] = rng.int(2);
      vector.step(actions);
    }
    yield* [];
  });
  await steps.next();
  expect(own.episodes.finished).toBeGreaterThan(1);
  return { shown, normalised };
}
