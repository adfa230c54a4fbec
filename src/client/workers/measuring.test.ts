import { beforeEach, expect, test } from 'vitest';
import { fail } from '#contract/kit/errors.ts';
import type { ExecutorId, RunConfig } from '#contract/run/config.ts';
import { machineStore } from '#stores/machine.ts';
import { Measuring } from './measuring.ts';
import type { WatchWorker } from './workers.ts';

const config = { env: { id: 'cartpole' }, algo: { id: 'ppo' }, run: {} } as unknown as RunConfig;

beforeEach(() => machineStore.setState({ gpu: 'present', speeds: null }));

/** Workers that answer as told; how many of them are open. */
function workers(answer: (executor: ExecutorId) => Promise<{ stepsPerSecond: number; started: boolean }>) {
  const open = { now: 0 };
  const spawn = (): WatchWorker => {
    open.now++;
    return {
      api: { measure: (_: RunConfig, executor: ExecutorId) => answer(executor) },
      terminate: () => open.now--,
    } as unknown as WatchWorker;
  };
  return { spawn, open };
}

test('executors are measured one after the other; what cannot run says why', async () => {
  const { spawn, open } = workers(async (executor) => {
    if (executor === 'webgpu-rollouts') throw fail('incompatible', '"dqn" has no rollouts on the device.', '');
    return { stepsPerSecond: executor === 'wasm' ? 1000 : 300, started: executor === 'webgpu' };
  });
  await new Measuring(spawn).start(config, 'h');
  expect(machineStore.getState().speeds).toEqual({
    about: 'h',
    busy: null,
    results: [
      { executor: 'wasm', stepsPerSecond: 1000, note: '' },
      { executor: 'webgpu', stepsPerSecond: 300, note: 'its first iteration, start included' },
      { executor: 'webgpu-rollouts', stepsPerSecond: null, note: '"dqn" has no rollouts on the device.' },
    ],
  });
  expect(open.now).toBe(0);
});

test('cancelling ends the worker and keeps what was measured', async () => {
  const { spawn, open } = workers((executor) =>
    executor === 'wasm' ? Promise.resolve({ stepsPerSecond: 1000, started: false }) : new Promise(() => undefined),
  );
  const measuring = new Measuring(spawn);
  const all = measuring.start(config, 'h');
  await expect.poll(() => machineStore.getState().speeds?.busy).toBe('webgpu');
  measuring.cancel();
  await all;
  expect(machineStore.getState().speeds).toMatchObject({ busy: null, results: [{ executor: 'wasm' }] });
  expect(open.now).toBe(0);
});

test('without a graphics device only wasm is measured', async () => {
  machineStore.setState({ gpu: 'none' });
  const asked: ExecutorId[] = [];
  const { spawn } = workers(async (executor) => {
    asked.push(executor);
    return { stepsPerSecond: 1, started: false };
  });
  await new Measuring(spawn).start(config, 'h');
  expect(asked).toEqual(['wasm']);
});
