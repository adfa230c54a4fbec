/** Rules and kernels in numbers beside what they stand for; on a device they run in e2e/rollouts.spec.ts. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { getAlgo } from '#core/algos/all.ts';
import { numbersKit } from '#core/engine/kit.ts';
import { createWebgpuEngine } from '#core/engine/webgpu/engine.ts';
import { getEnv } from '#core/envs/all.ts';
import { createVectorEnv } from '#core/envs/api/vector-env.ts';
import { completeRun } from '#core/run/loaded.ts';
import { idleGpu } from '#core/testing/engine/idle-gpu.ts';
import { differs } from '#core/testing/rollouts/side-by-side.ts';
import { gae } from '#math/gae.ts';
import { Rng } from '#math/rng.ts';
import { categorical } from '#math/sampling.ts';
import { advantages, sample, shuffled, TERMINATED, TRUNCATED, toldPlaces } from './kernels.ts';
import { trainOnDevice } from './ppo.ts';
import { worlds } from './worlds/index.ts';

describe('rules in float64 are the environment, bit for bit', () => {
  it.each([
    ['cartpole', {}, 400],
    ['cartpole', { maxSteps: 20, gravity: 3, force: 4, halfLength: 1 }, 100],
    ['minigrid-empty', { width: 5, height: 6, randomStart: true, maxSteps: 40 }, 200],
    ['minigrid-doorkey', { width: 5, height: 5, maxSteps: 50 }, 300],
    ['minigrid-doorkey', { viewSize: 5 }, 200],
    ['snake', { rows: 4, columns: 5, growth: 2, maxSteps: 60 }, 300],
    ['snake', { rows: 3, columns: 3, wrap: true }, 200],
  ] as const)('%s %o', async (id, config, steps) => {
    expect(await differs(id, config, 6, steps)).toBeNull();
  });
});

describe('kernels', () => {
  it('draws the actions that the host draws', () => {
    const rng = Rng.from(3);
    const logProbs = Float32Array.from({ length: 5 * 200 }, () => -6 * rng.uniform());
    logProbs[7] = -1e8;
    const k = numbersKit({ logProbs });
    for (let row = 0; row < 200; row++) {
      const uniform = row === 0 ? 1 - 2 ** -32 : rng.uniform();
      expect(sample(k, 5, row * 5, uniform)).toBe(categorical(logProbs, row * 5, 5, uniform));
    }
  });

  it('gives the advantages of math/gae.ts, bootstrapping where episodes were cut', () => {
    const sizes = { copies: 4, steps: 12, obs: 1, actions: 2 };
    const total = 48;
    const rng = Rng.from(4);
    const places = toldPlaces(sizes);
    const draw = (n: number) => Float32Array.from({ length: n }, () => rng.uniform() - 0.3);
    const [rewards, values, finalValues, lastValues] = [draw(total), draw(total), draw(total), draw(4)] as const;
    const ends = Uint32Array.from({ length: total }, () => [0, 0, 0, TERMINATED, TRUNCATED][rng.int(5)]!);
    for (const bootstrapAtTruncation of [true, false]) {
      const expected = [new Float32Array(total), new Float32Array(total)] as const;
      gae(
        {
          rewards,
          values,
          finalValues,
          lastValues,
          terminated: Uint8Array.from(ends, (x) => Number(x === TERMINATED)),
          truncated: Uint8Array.from(ends, (x) => Number(x === TRUNCATED)),
          rows: 4,
          gamma: 0.9,
          lambda: 0.8,
          bootstrapAtTruncation,
        },
        ...expected,
      );
      // One memory of both kinds on a device; numbers are kept in float64 here.
      const told = new Float64Array(places.size);
      told.set(rewards);
      told.set(ends, places.ends);
      const memory = { advantage: new Float32Array(total), target: new Float32Array(total) };
      const k = numbersKit({ feed: Float64Array.of(0.9, 0.8), told, value: lastValues, valued: values, finalValues, ...memory });
      for (let copy = 0; copy < 4; copy++) advantages(k, copy, sizes, bootstrapAtTruncation);
      expect(memory.advantage).toEqual(expected[0]);
      expect(memory.target).toEqual(expected[1]);
    }
  });

  it.each([1, 2, 5, 64, 1000])('orders %i places anew under every key, each once', (n) => {
    const k = numbersKit({});
    const orders = [1, 2].map((key) => Array.from({ length: n }, (_, i) => shuffled(k, i, n, key, 7)));
    const sorted = Array.from({ length: n }, (_, i) => i);
    for (const order of orders) expect(order.toSorted((a, b) => a - b)).toEqual(sorted);
    if (n > 5) expect(orders[0]).not.toEqual(orders[1]);
  });

  it('puts the first place anywhere alike', () => {
    const k = numbersKit({});
    const counts = new Array<number>(10).fill(0);
    for (let key = 0; key < 2000; key++) {
      const at = shuffled(k, 0, 10, key, 0);
      counts[at] = counts[at]! + 1;
    }
    const chi = counts.reduce((sum, c) => sum + (c - 200) ** 2 / 200, 0);
    expect(chi).toBeLessThan(27.9); // 99.9 % point with 9 degrees of freedom
  });
});

describe('an iteration', () => {
  /** Of the second iteration: the first also compiles and sends the starts. */
  async function sent(config: JsonObject): Promise<{ readonly dispatches: number; readonly submits: number }> {
    const { gpu } = idleGpu();
    const engine = await createWebgpuEngine(gpu, 'webgpu-rollouts');
    const [entry, algo] = [getEnv('cartpole'), getAlgo('ppo')];
    const envConfig = entry.parse({});
    const run = trainOnDevice({
      config: { ...algo.parse(config) },
      envEntry: entry,
      envConfig,
      meta: entry.meta(envConfig),
      steps: 1e6,
      seed: 1,
      rng: Rng.from(1),
      makeEnv: (batch) => createVectorEnv(entry, envConfig, batch, Rng.from(1)),
      makeEngine: async () => engine,
    });
    await run.next();
    const before = { ...engine.counts };
    await run.next();
    const { dispatches, submits } = engine.counts;
    engine.dispose();
    return { dispatches: dispatches - before.dispatches, submits: submits - before.submits };
  }

  it('of 256 copies and 32 steps is sent in a handful of submits, and read once', async () => {
    const { dispatches, submits } = await sent({ envs: 256, rolloutSteps: 32, minibatches: 4, epochs: 4 });
    // 33 looks and 32 steps of the world, values of last observations, advantages, 4 orders, 16 updates, 4 shares of the report.
    expect(dispatches).toBeLessThanOrEqual(33 + 32 + 2 + 1 + 4 + 16 * 7 + 4);
    expect(submits).toBeLessThanOrEqual(3);
  });
});

describe('what cannot have its rollouts on the device is told before it starts', () => {
  const run = (env: string, algo: string, config = {}) =>
    completeRun({ env: { id: env }, algo: { id: algo, config }, run: { executor: 'webgpu-rollouts' } });

  it('takes PPO on every world', () => {
    for (const id of Object.keys(worlds)) expect(run(id, 'ppo').run.executor).toBe('webgpu-rollouts');
  });
  it.each([
    ['pendulum', 'ppo', {}, 'incompatible', 'run.executor'],
    ['cartpole', 'dqn', {}, 'incompatible', 'run.executor'],
    ['cartpole', 'ppo', { normaliseObs: true }, 'config-invalid', 'algo.normaliseObs'],
    ['cartpole', 'ppo', { bonus: { kind: 'RND' } }, 'config-invalid', 'algo.bonus.kind'],
    ['cartpole', 'ppo', { targetKl: 0.1 }, 'config-invalid', 'algo.targetKl'],
    ['cartpole', 'ppo', { envs: 8192, rolloutSteps: 4096 }, 'config-invalid', 'algo.envs'],
  ])('%s %s %o', (env, algo, config, id, field) => {
    expect(() => run(env, algo, config)).toThrow(expect.objectContaining({ failure: expect.objectContaining({ id, field }) }));
  });
});
