import { expect, it } from 'vitest';
import { Rng } from '#math/rng.ts';
import { getAlgo } from '../algos/all.ts';
import { getEnv } from '../envs/all.ts';
import { createVectorEnv } from '../envs/api/vector-env.ts';
import { completeRun, race } from './loaded.ts';
import { fastest, race as raceOf } from './race.ts';

it('times the training step on every executor asked for, and says why one did not run', async () => {
  let t = 0;
  const now = () => (t += 5);
  for (const algo of ['ppo', 'dqn']) {
    const config = completeRun({ env: { id: 'cartpole' }, algo: { id: algo } });
    const refuse = (): never => {
      throw new Error('no such device');
    };
    const { createEngine } = await import('../engine/index.ts');
    const results = await race(config, ['wasm', 'tfjs-webgpu'], now, {
      milliseconds: 20,
      createEngine: async (executor) => (executor === 'wasm' ? createEngine('wasm') : refuse()),
    });
    expect(results[0]?.updatesPerSecond).toBeGreaterThan(0);
    expect(results[0]?.note).toBe('exact');
    expect(results[1]).toMatchObject({ executor: 'tfjs-webgpu', updatesPerSecond: 0 });
    expect(results[1]?.note).toMatch(/no such device/);
  }
});

it('a step with a convolution is timed on pictures that episodes begin with, not on empty ones', async () => {
  const algo = getAlgo('ppo');
  const env = getEnv('minatar-breakout');
  const seen: number[][] = [];
  const config = completeRun({ env: { id: env.id }, algo: { id: 'ppo', config: { filters: 4, envs: 4, rolloutSteps: 16 } } });
  let t = 0;
  await raceOf(config, ['wasm'], () => (t += 50), {
    env,
    algo: {
      ...algo,
      benchmark(context) {
        const step = algo.benchmark?.(context);
        if (step === undefined) throw new Error('PPO has a step');
        return {
          ...step,
          run() {
            seen.push(...(step.seen?.() ?? []).map((view) => [...view]));
            return step.run();
          },
        };
      },
    },
  });
  const vector = createVectorEnv(env, env.parse({}), 1, Rng.from(1));
  const width = vector.meta.obsSize;
  expect(seen.length).toBeGreaterThan(3);
  for (const rows of seen) {
    expect(rows.length).toBe(16 * width);
    const filled = Array.from({ length: 16 }, (_, row) => rows.slice(row * width, (row + 1) * width).filter((x) => x !== 0).length);
    for (const count of filled) expect(count).toBeGreaterThan(0);
    expect(Math.max(...filled)).toBeLessThan(width / 2); // as sparse as pictures are
  }
});

it('wasm stays unless another is faster; tables have nothing to time', async () => {
  const row = (executor: 'wasm' | 'tfjs-webgpu', updatesPerSecond: number) => ({ executor, updatesPerSecond, note: '' });
  expect(fastest([row('wasm', 10), row('tfjs-webgpu', 10)])).toBe('wasm');
  expect(fastest([row('wasm', 10), row('tfjs-webgpu', 26)])).toBe('tfjs-webgpu');
  const config = completeRun({ env: { id: 'cliff-walking' }, algo: { id: 'q-learning' } });
  expect(await race(config, ['wasm'], () => 0)).toEqual([]);
});
