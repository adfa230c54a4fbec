import { expect, it } from 'vitest';
import { completeRun, race } from './loaded.ts';
import { fastest } from './race.ts';

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

it('wasm stays unless another is faster; tables have nothing to time', async () => {
  const row = (executor: 'wasm' | 'tfjs-webgpu', updatesPerSecond: number) => ({ executor, updatesPerSecond, note: '' });
  expect(fastest([row('wasm', 10), row('tfjs-webgpu', 10)])).toBe('wasm');
  expect(fastest([row('wasm', 10), row('tfjs-webgpu', 26)])).toBe('tfjs-webgpu');
  const config = completeRun({ env: { id: 'cliff-walking' }, algo: { id: 'q-learning' } });
  expect(await race(config, ['wasm'], () => 0)).toEqual([]);
});
