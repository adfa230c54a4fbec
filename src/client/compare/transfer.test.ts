import { beforeEach, expect, test, vi } from 'vitest';
import type { SessionEvent } from '#contract/run/events.ts';
import { runsStore } from '#stores/runs.ts';
import { transferStore } from '#stores/transfer.ts';
import { transfer } from './transfer.ts';

const { commands, say } = vi.hoisted(() => ({
  commands: [] as string[],
  say: [] as ((...events: SessionEvent[]) => void)[],
}));
vi.mock('#client/files/service.ts', () => ({ files: {} }));
vi.mock('#client/workers/workers.ts', () => ({ namespaceHere: () => '/' }));
vi.mock('#client/workers/service.ts', async () => {
  const { runConfigSchema } = await import('#contract/run/config.ts');
  const complete = async (json: unknown) => runConfigSchema.parse(json);
  return { workers: { parallel: () => 2, spawnPlayer: () => ({ api: {}, terminate: () => {} }), complete } };
});
vi.mock('#client/runs/service.ts', async () => {
  const { Inbox } = await import('#client/runs/inbox.ts');
  const { Pool } = await import('#client/runs/pool.ts');
  const { Trainer } = await import('#client/runs/trainer.ts');
  const inbox = new Inbox({ onPolicy: () => {}, onVisits: () => {}, onSaved: () => {} });
  const pool = new Pool({
    spawn: () => {
      const row = say.length;
      const note = (name: string) => async () => void commands.push(`${name} ${row}`);
      say.push(() => {});
      return {
        api: { pause: note('pause'), resume: note('resume') } as never,
        simulate: () => Promise.reject(new Error('not asked')),
        start: async (_, onBatch) => void (say[row] = (...events) => onBatch({ events })),
        terminate: () => {},
      };
    },
    limit: () => 2,
    events: { started: () => {}, batch: ({ runId, seed }, batch) => inbox.receive(runId, seed, batch), lost: () => {}, refused: () => {} },
  });
  const trainer = new Trainer({
    pool: () => pool,
    inbox,
    envTitle: (id) => id,
    algoTitle: (id) => id,
    now: () => 0,
    random: Math.random,
  });
  const runs = {
    restored: async () => {},
    trainQuietly: async (config: Parameters<typeof trainer.train>[0]) => trainer.train(config, '', { quiet: true }),
    resume: (id: string) => trainer.resume(id),
    pause: (id: string) => trainer.pause(id),
  };
  return { runs };
});

const grid = (test: number[]) => ({
  kind: 'transfer',
  version: 1,
  config: { env: { id: 'e', config: { size: 1 } }, algo: { id: 'a' }, run: { seeds: 1 } },
  field: 'env.size',
  train: [1, 2],
  test,
});
const settle = () => new Promise((done) => setTimeout(done, 5));

/** Both rows train; their workers have said so. */
beforeEach(async () => {
  transfer.stop();
  for (const tell of say) tell({ kind: 'state', state: 'stopped', step: 0 });
  runsStore.setState({ groups: [] });
  await transfer.start(grid([1, 2]));
  await settle();
  for (const tell of say) tell({ kind: 'state', state: 'running', step: 0 });
  commands.length = 0;
});

test.each([
  [
    'that is stopped and goes on',
    async () => {
      transfer.stop();
      transfer.resume();
    },
  ],
  ['that takes the place of another', () => transfer.start(grid([1, 2, 3]))],
])('a grid %s before its runs say that they are paused lets them go on', async (_, again) => {
  await again();
  await settle();
  expect(transferStore.getState().state).toBe('running');
  expect(commands).toEqual(['pause 0', 'pause 1', 'resume 0', 'resume 1']);
});

test('a grid that is stopped pauses its runs; one that was paused by a person stays so while the grid goes on', async () => {
  say[0]?.({ kind: 'state', state: 'paused', step: 100 });
  await settle();
  expect(commands).toEqual([]);
  transfer.stop();
  expect(commands).toEqual(['pause 0', 'pause 1']);
});
