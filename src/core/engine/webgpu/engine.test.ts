/** Dispatches and submits, counted on a device that computes nothing. What is computed is held to the interpreter in e2e/webgpu.spec.ts. */
import { expect, test } from 'vitest';
import { algos } from '#core/algos/all.ts';
import { getEnv } from '#core/envs/all.ts';
import { idleGpu } from '#core/testing/engine/idle-gpu.ts';
import { smallLearner } from '#core/testing/engine/small-learner.ts';
import { sum } from '../ops.ts';
import type { ComputePass, Gpu } from './api.ts';
import { MOST_WORK, openDevice } from './device.ts';
import { createWebgpuEngine } from './engine.ts';

/** Dispatches of one training step by default settings, as the executor counts them: on a graphics card, and where a processor plays one. */
test.each([
  ['ppo', 'cartpole', 6, 8],
  ['ppo', 'minigrid-doorkey', 7, 9],
  ['dqn', 'cartpole', 4, 8],
  ['a2c', 'cartpole', 4, 8],
  ['recurrent-ppo', 'memory-chain', 11, 16],
] as const)('a step of %s on %s takes at most as many dispatches as it did', async (algoId, envId, onCard, onProcessor) => {
  for (const barriers of [true, false]) {
    const { gpu, shaders } = idleGpu();
    const engine = await createWebgpuEngine(gpu, 'webgpu', barriers);
    const algo = algos.find(({ id }) => id === algoId);
    const env = getEnv(envId);
    const step = algo?.benchmark?.({ config: algo.parse({}), meta: env.meta(env.parse({})), engine });
    await step?.run();
    const before = engine.counts.dispatches;
    await step?.run();
    const taken = engine.counts.dispatches - before;
    expect(taken).toBeGreaterThan(2);
    expect(taken).toBeLessThanOrEqual(barriers ? onCard : onProcessor);
    if (!barriers) for (const code of shaders) expect(code).not.toContain('Barrier()');
  }
});

async function learner(gpu: Gpu, barriers?: boolean) {
  const engine = await createWebgpuEngine(gpu, 'webgpu', barriers);
  return { engine, learn: smallLearner(engine) };
}

test('runs wait for the first reading and go out in one submit, each with inputs of its own', async () => {
  const { gpu, offsets } = idleGpu();
  const { engine, learn } = await learner(gpu);
  const before = engine.counts.submits;
  for (let i = 0; i < 8; i++) await learn.run({ read: false });
  expect(engine.counts.submits).toBe(before);
  await learn.read();
  expect(engine.counts.submits).toBe(before + 1);
  expect(engine.counts.dispatches).toBe(8 * learn.stats.kernels);
  expect(new Set(offsets).size).toBe(8);
  for (const at of offsets) expect(at % 256).toBe(0);
});

test('a lost device is told as such, and so is none', async () => {
  const { gpu, lose } = idleGpu();
  const { learn } = await learner(gpu);
  await learn.run();
  lose();
  await expect(learn.run()).rejects.toMatchObject({ failure: { id: 'gpu-lost' } });
  await expect(createWebgpuEngine({ requestAdapter: async () => null })).rejects.toMatchObject({ failure: { id: 'gpu-missing' } });
  await expect(createWebgpuEngine(undefined)).rejects.toMatchObject({ failure: { id: 'gpu-missing' } });
});

test('no memory for what is read is told apart from a lost device', async () => {
  const { gpu, refuse } = idleGpu();
  const { learn } = await learner(gpu);
  await learn.run();
  refuse('Out of memory: a buffer of 2 GB');
  await expect(learn.run()).rejects.toThrow('webgpu: Out of memory: a buffer of 2 GB');
  const silent = idleGpu();
  const other = await learner(silent.gpu);
  silent.refuse('');
  await expect(other.learn.run()).rejects.toMatchObject({ failure: { id: 'gpu-lost' } });
});

test('a shader binds five buffers and keeps within 16 KiB of workgroup memory', async () => {
  const { gpu, shaders } = idleGpu();
  const { learn } = await learner(gpu);
  await learn.run();
  expect(shaders).toHaveLength(learn.stats.kernels);
  for (const code of shaders) {
    expect(code.match(/var<storage/g)).toHaveLength(5);
    expect(4 * Number(/array<f32, (\d+)>/.exec(code)?.[1])).toBeLessThanOrEqual(16384);
  }
});

test('more work than a slow device does before it counts as hung goes out in several submits', async () => {
  const { gpu, offsets } = idleGpu();
  const device = await openDevice(gpu);
  const pipeline = { label: '' };
  const dispatches = (...shares: number[]) => shares.map((share) => ({ pipeline, x: 1, y: 1, work: share * MOST_WORK }));
  const of = { send: () => undefined };
  const bind = (pass: ComputePass): void => pass.setBindGroup(0, pipeline, [256]);
  device.record({ of, bind, dispatches: dispatches(0.3, 0.3, 0.3) });
  expect(device.counts.submits).toBe(0);
  device.record({ of, bind, dispatches: dispatches(0.5, 0.6, 2, 0.1) });
  // 0.9, 0.5, 0.6, 2, 0.1: no wait for a reading, and every pass is bound
  expect(device.counts).toEqual({ submits: 5, dispatches: 7 });
  expect(offsets).toHaveLength(6);
  device.flush();
  expect(device.counts.submits).toBe(5);
});

test('pipelines are made beside what else runs, and the first run waits for them', async () => {
  const { gpu, made } = idleGpu();
  const { learn } = await learner(gpu);
  expect(made).toEqual({ atOnce: 0, beside: learn.stats.kernels });
  await learn.run();
  await learn.run();
  expect(made).toEqual({ atOnce: 0, beside: learn.stats.kernels });
});

test('a pipeline that does not compile is reported by the first run', async () => {
  const { gpu, refusePipelines } = idleGpu();
  refusePipelines('too many registers');
  const { learn } = await learner(gpu);
  await expect(learn.run()).rejects.toThrow('webgpu: too many registers');
});

test('what does not fit into the memory of a device is refused before anything runs', async () => {
  const { gpu } = idleGpu();
  const engine = await createWebgpuEngine(gpu);
  const compile = (): unknown => engine.compile({ x: [2 ** 26] }, ({ x }) => ({ y: sum(x) }));
  expect(compile).toThrow(/256 MB in one block of graphics memory; this device takes 128 MB/);
  expect(compile).toThrow(expect.objectContaining({ failure: expect.objectContaining({ id: 'incompatible', field: 'run.executor' }) }));
  expect(engine.counts.submits).toBe(0);
});
