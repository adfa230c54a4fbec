import { expect, test, vi } from 'vitest';
import { runConfigSchema } from '#contract/run/config.ts';
import { sweeps } from './sweeps.ts';

const { trainQuietly } = vi.hoisted(() => ({ trainQuietly: vi.fn() }));
vi.mock('#client/runs/service.ts', () => ({ runs: { restored: async () => {}, trainQuietly, stop: () => {}, pause: () => {} } }));
vi.mock('#client/workers/workers.ts', () => ({ namespaceHere: () => '/' }));
vi.mock('#client/workers/service.ts', () => ({
  workers: { parallel: () => 2, complete: async (json: unknown) => runConfigSchema.parse(json) },
}));

const file = {
  kind: 'sweep',
  version: 1,
  config: { env: { id: 'e', config: { size: 1 } }, algo: { id: 'a' }, run: { steps: 1000 } },
  fields: { 'env.size': [1, 2] },
  search: { by: 'grid' },
  seeds: { tuning: 1 },
};

test.each(['pause', 'remove'] as const)('%s while a run of a sweep is being started: no further one is', async (command) => {
  let letGo = (): void => {};
  trainQuietly.mockReset().mockReturnValue(new Promise<void>((done) => (letGo = done)));
  const id = sweeps.add(file);
  await vi.waitFor(() => expect(trainQuietly).toHaveBeenCalledTimes(1));
  sweeps[command](id);
  letGo();
  await new Promise((done) => setTimeout(done));
  expect(trainQuietly).toHaveBeenCalledTimes(1);
});
