import { beforeEach, expect, test, vi } from 'vitest';
import { LabError } from '#contract/kit/errors.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import type { SeedResult } from '#contract/run/events.ts';
import type { EventBatch } from '#contract/session/session.ts';
import { runsStore } from '#stores/runs.ts';
import type { RunGroup, SeedRun } from '#stores/types.ts';
import { verifyStore } from '#stores/verify.ts';

const RESULT: SeedResult = {
  seed: 1, finalReturn: 20, evalReturn: 30, evalLoops: 0, perAgent: [30], steps: 300, seconds: 1, stepsPerSecond: 300, parameterHash: 'aa',
}; // biome-ignore format: one record

const asked: unknown[] = [];
let failure: LabError | null = null;
vi.mock('#client/runs/service.ts', () => ({ runs: { read: () => Promise.resolve() } }));
vi.mock('#client/workers/service.ts', () => ({
  workers: {
    parallel: () => 1,
    spawnSession: () => ({
      simulate: (_config: unknown, _seed: number, hear: (batch: EventBatch) => void, edits: unknown) => {
        asked.push(edits);
        if (failure !== null) return Promise.reject(failure);
        hear({ events: [{ kind: 'result', result: RESULT }] });
        return Promise.resolve(RESULT);
      },
      terminate: () => {},
    }),
  },
}));
const { verification } = await import('./verify.ts');

const config = runConfigSchema.parse({ env: { id: 'e' }, algo: { id: 'a' }, run: { seeds: 3 } });

/** What the dialog says of a run with one seed. */
async function check(seed: Partial<SeedRun>, group: Partial<RunGroup> = {}) {
  const run = { seed: 1, state: 'done', result: RESULT, marks: [], ...seed };
  runsStore.setState({ groups: [{ id: 'r', name: 'My run', config, parent: null, seeds: [run], ...group } as unknown as RunGroup] });
  await verification.start('r');
  return verifyStore.getState().checks[0];
}

beforeEach(() => {
  asked.length = 0;
  failure = null;
});

const forged = { ...RESULT, evalReturn: 500 };

test('a live edit is made again, and excuses nothing', async () => {
  const marks = [{ kind: 'mark', type: 'edit', step: 100, text: '', path: 'algo.lr', value: 0.1, by: 'user' }] as const;
  expect(await check({ marks })).toMatchObject({ state: 'same' });
  expect(asked).toEqual([[{ step: 100, path: 'algo.lr', value: 0.1 }]]);
  expect(await check({ marks, result: forged })).toMatchObject({ state: 'differs', differences: [{ name: 'evalReturn' }] });
});

test('a mark that no run has is named; the seeds that are missing are known', async () => {
  const marks = [{ kind: 'mark', type: 'stop', step: 100, text: '', by: 'system' }] as const;
  expect(await check({ marks, result: forged })).toMatchObject({ state: 'differs' });
  expect(verifyStore.getState()).toMatchObject({ wanted: 3, going: false });
});

test('what cannot be run here is not verified; a run that fails by itself gives no result', async () => {
  expect(await check({}, { parent: { id: 'other', step: 10 } })).toMatchObject({
    state: 'unverified',
    note: expect.stringContaining('another run'),
  });
  failure = new LabError({ id: 'gpu-missing', message: 'No device.', fix: '' });
  expect(await check({})).toMatchObject({ state: 'unverified', note: expect.stringContaining('No device.') });
  failure = new LabError({ id: 'nan-loss', message: 'NaN.', fix: '' });
  expect(await check({})).toMatchObject({ state: 'differs' });
});

test('an executor with other roundings is held to a tolerance', async () => {
  const loose = { ...config, run: { ...config.run, executor: 'webgpu' as const } };
  expect(await check({ result: { ...RESULT, evalReturn: 30.1 } }, { config: loose })).toMatchObject({ state: 'close' });
  expect(await check({ result: forged }, { config: loose })).toMatchObject({ state: 'unverified' });
  expect(await check({ result: { ...RESULT, steps: 299 } }, { config: loose })).toMatchObject({ state: 'differs' });
});
