import { beforeEach, expect, test, vi } from 'vitest';
import type { AlgoCard, Catalog } from '#contract/catalog/catalog.ts';
import { type RunConfig, runConfigSchema } from '#contract/run/config.ts';
import { catalogStore } from '#stores/catalog.ts';
import { machineStore } from '#stores/machine.ts';
import { workerLimit } from './machine.ts';
import { fastestExecutor, Offers } from './race.ts';
import type { WatchWorker } from './workers.ts';

const config = (algo: string, executor: 'wasm' | 'auto' = 'wasm'): RunConfig =>
  runConfigSchema.parse({ env: { id: 'e' }, algo: { id: algo }, run: { executor } });

let terminated = 0;
let raced = 0;
const racer = (gpu: number | Error) => (): WatchWorker =>
  ({
    api: {
      race: async () => {
        raced++;
        if (gpu instanceof Error) throw gpu;
        return [
          { executor: 'wasm', updatesPerSecond: 100, note: 'exact' },
          { executor: 'webgpu', updatesPerSecond: gpu, note: 'within tolerance' },
        ];
      },
    },
    terminate: () => void terminated++,
  }) as unknown as WatchWorker;

beforeEach(() => {
  terminated = 0;
  raced = 0;
  const algos = [
    { id: 'ppo', learner: 'network' },
    { id: 'q', learner: 'table' },
  ] as unknown as AlgoCard[];
  catalogStore.setState({ catalog: { version: 1, envs: [], algos, experiments: [], explainers: [] } as Catalog });
  machineStore.setState({ gpu: 'present', offer: null });
});

test('the fastest wins, exact unless another is faster, and the racing worker is gone afterwards', async () => {
  expect(await fastestExecutor(config('ppo', 'auto'), racer(260))).toMatchObject({ executor: 'webgpu', speedup: 2.6 });
  expect(await fastestExecutor(config('ppo', 'auto'), racer(90))).toMatchObject({ executor: 'wasm', speedup: 1 });
  expect(await fastestExecutor(config('ppo', 'auto'), racer(new Error('no device')))).toMatchObject({ executor: 'wasm' });
  expect(terminated).toBe(3);
  expect(await fastestExecutor(config('q', 'auto'), racer(260))).toMatchObject({ executor: 'wasm' });
  expect(raced).toBe(3);
});

test('the GPU is offered once per network, only where it is worth it, and never while something trains', async () => {
  let idle = false;
  const offers = new Offers(racer(260), () => idle);
  await offers.consider(config('ppo'), 'h');
  expect(raced).toBe(0);
  idle = true;
  await offers.consider(config('ppo'), 'h');
  await offers.consider(config('ppo'), 'h');
  expect(raced).toBe(1);
  expect(machineStore.getState().offer).toEqual({ executor: 'webgpu', speedup: 2.6 });
  await offers.consider(config('q'), 'h');
  expect(machineStore.getState().offer).toBeNull();
  const slow = new Offers(racer(110), () => true);
  await slow.consider(config('ppo'), 'h');
  expect(machineStore.getState().offer).toBeNull();
  machineStore.setState({ gpu: 'none' });
  await new Offers(racer(260), () => true).consider(config('ppo'), 'h');
  expect(raced).toBe(2);
});

test('one core stays with the page where there are more than two, and phones train one seed at a time', () => {
  expect([1, 2, 3, 8].map((cores) => workerLimit(cores, false))).toEqual([1, 2, 2, 7]);
  expect(workerLimit(8, true)).toBe(1);
});

test('a GPU that the processor plays is not timed in the background', async () => {
  machineStore.setState({ gpuInSoftware: true });
  await new Offers(racer(260), () => true).consider(config('ppo'), 'h');
  machineStore.setState({ gpuInSoftware: false });
  expect(raced).toBe(0);
});

test('a GPU is asked for only where it may be offered, and once', async () => {
  let asked = 0;
  const requestAdapter = async (): Promise<object> => {
    asked++;
    return { info: { vendor: 'v', architecture: 'a' } };
  };
  vi.stubGlobal('navigator', { gpu: { requestAdapter } });
  machineStore.setState({ gpu: 'unknown', gpuReason: 'not asked yet' });
  const offers = (idle: boolean): Offers => new Offers(racer(260), () => idle);
  await offers(true).consider(config('q'), 'h');
  await offers(false).consider(config('ppo'), 'h');
  expect(asked).toBe(0);
  await offers(true).consider(config('ppo'), 'h');
  await offers(true).consider(config('ppo'), 'h2');
  vi.unstubAllGlobals();
  expect(asked).toBe(1);
  expect(machineStore.getState()).toMatchObject({ gpu: 'present', gpuReason: 'v a' });
});
