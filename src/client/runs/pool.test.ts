import { expect, test } from 'vitest';
import type { SessionWorker } from '#client/workers/workers.ts';
import { fail } from '#contract/kit/errors.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import type { SessionEvent, SessionState } from '#contract/run/events.ts';
import type { EventBatch } from '#contract/session/session.ts';
import { type Job, Pool } from './pool.ts';

const config = runConfigSchema.parse({ env: { id: 'e' }, algo: { id: 'a' } });
const job = (seed: number, runId = 'r'): Job => ({ runId, seed, config, resume: false, edits: [] });
const state = (name: SessionState): SessionEvent => ({ kind: 'state', state: name, step: 0 });
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A worker that does nothing but what the test says. */
class FakeWorker implements SessionWorker {
  readonly simulate = () => Promise.reject(new Error('a pool simulates nothing'));
  readonly commands: string[] = [];
  terminated = false;
  say: (batch: EventBatch) => void = () => {};
  started: number[] = [];
  refuse: Error | null = null;
  readonly die: (message: string) => void;

  constructor(die: (message: string) => void) {
    this.die = die;
  }

  private note = (name: string) => async (): Promise<void> => void this.commands.push(name);
  readonly api = {
    pause: this.note('pause'),
    resume: this.note('resume'),
    stepOnce: this.note('stepOnce'),
    stop: this.note('stop'),
    stopAt: this.note('stopAt'),
    save: this.note('save'),
    hold: async () => null,
    release: this.note('release'),
  };

  start({ seed }: Parameters<SessionWorker['start']>[0], onBatch: (batch: EventBatch) => void): Promise<void> {
    this.started.push(seed);
    this.say = onBatch;
    return this.refuse === null ? Promise.resolve() : Promise.reject(this.refuse);
  }

  terminate(): void {
    this.terminated = true;
  }

  tell(...events: SessionEvent[]): void {
    this.say({ events });
  }
}

function rig(limit: number) {
  const workers: FakeWorker[] = [];
  const log: string[] = [];
  const free = new Map<number, () => void>();
  const pool = new Pool({
    spawn: (die) => {
      const worker = new FakeWorker(die);
      workers.push(worker);
      return worker;
    },
    limit: () => limit,
    watchLock: ({ seed }, onFree) => {
      free.set(seed, onFree);
      return () => free.delete(seed);
    },
    events: {
      started: ({ seed }) => log.push(`started ${seed}`),
      batch: ({ seed }, { events }) =>
        log.push(`${seed}: ${events.map((event) => (event.kind === 'state' ? event.state : event.kind)).join(' ')}`),
      lost: ({ seed }, why, device) => log.push(`lost ${seed}: ${why}, device ${device ?? 'kept'}`),
      refused: ({ seed }, failure) => log.push(`refused ${seed}: ${failure.id}`),
    },
  });
  return { pool, workers, log, free, setLimit: (next: number) => (limit = next) };
}

test('seeds queue over the workers in order, and a finished worker takes the next', async () => {
  const { pool, workers, log } = rig(2);
  pool.add([1, 2, 3].map((seed) => job(seed)));
  await settle();
  expect(workers.map(({ started }) => started)).toEqual([[1], [2]]);
  expect(pool.isQueued('r', 3)).toBe(true);
  workers[0]?.tell(state('done'));
  await settle();
  expect(workers.map(({ started }) => started)).toEqual([[1, 3], [2]]);
  expect(log).toEqual(['started 1', 'started 2', '1: done', 'started 3']);
});

test('news of a last save after the end still counts; news of a run taken away does not', async () => {
  const { pool, workers, log } = rig(1);
  pool.add([job(1)]);
  await settle();
  const say = workers[0]?.say;
  workers[0]?.tell(state('done'));
  say?.({ events: [{ kind: 'checkpoint', step: 1, bytes: 1, seconds: 0 }] });
  expect(log.at(-1)).toBe('1: checkpoint');
  pool.add([job(2)]);
  await settle();
  const late = workers[0]?.say;
  pool.kill('r');
  late?.({ events: [state('running')] });
  expect(log.at(-1)).toBe('started 2');
  expect(workers[0]?.terminated).toBe(true);
});

test('a paused run holds its worker but not a place', async () => {
  const { pool, workers } = rig(1);
  pool.add([job(1), job(2)]);
  await settle();
  workers[0]?.tell(state('paused'));
  await settle();
  expect(workers).toHaveLength(2);
  expect(workers[1]?.started).toEqual([2]);
  expect(pool.apiOf('r', 1)).toBe(workers[0]?.api);
});

test('a worker that dies, with or without a word, is reported once and its place filled', async () => {
  const { pool, workers, log, free } = rig(1);
  pool.add([job(1), job(2)]);
  await settle();
  free.get(1)?.();
  expect(log.filter((line) => line.startsWith('lost'))).toEqual(['lost 1: it ended without a word, device kept']);
  await settle();
  expect(workers[1]?.started).toEqual([2]);
  workers[1]?.die('out of memory');
  expect(log.at(-1)).toBe('lost 2: out of memory, device kept');
  expect(workers.every(({ terminated }) => terminated)).toBe(true);
});

test('nobody waits for the lock of a run that has ended', async () => {
  const { pool, workers, free } = rig(1);
  pool.add([job(1)]);
  await settle();
  expect(free.size).toBe(1);
  workers[0]?.tell(state('done'));
  expect(free.size).toBe(0);
});

test('a refused start is told and the next seed gets the place', async () => {
  const { pool, workers, log } = rig(1);
  pool.add([job(1)]);
  const worker = workers[0] as FakeWorker;
  worker.refuse = fail('storage-missing', 'another tab', 'close it');
  worker.tell(state('done'));
  pool.add([job(2)]);
  await settle();
  expect(log.at(-1)).toBe('refused 2: storage-missing');
  worker.refuse = null;
  pool.add([job(3)]);
  await settle();
  expect(worker.started).toEqual([1, 2, 3]);
});

test('a lost graphics device loses the worker, not the run', async () => {
  const { pool, workers, log } = rig(1);
  pool.add([job(1)]);
  await settle();
  const error = { id: 'gpu-lost', message: 'm', fix: 'f' } as const;
  workers[0]?.tell({ kind: 'checkpoint', step: 1, bytes: 1, seconds: 0 }, { kind: 'state', state: 'failed', step: 2, error });
  expect(log.slice(1)).toEqual(['1: checkpoint', 'lost 1: its graphics device was lost, device lost']);
  expect(workers[0]?.terminated).toBe(true);
});

test('a device that is missing at the first start is the run’s own failure, missing when a run comes back it was lost', async () => {
  const { pool, workers, log } = rig(1);
  const error = { id: 'gpu-missing', message: 'm', fix: 'f' } as const;
  for (const resume of [false, true]) {
    pool.add([{ ...job(1), resume }]);
    await settle();
    workers.at(-1)?.tell({ kind: 'state', state: 'failed', step: 0, error });
  }
  expect(log.filter((line) => !line.startsWith('started'))).toEqual([
    '1: failed',
    '1: ',
    'lost 1: there is no graphics device any more, device missing',
  ]);
});

test('a worker loads before its run is there, one at most, and none where all train that may', async () => {
  const { pool, workers } = rig(1);
  pool.warm();
  pool.warm();
  expect(workers).toHaveLength(1);
  expect(pool.busy).toBe(false);
  pool.add([job(1)]);
  await settle();
  expect(workers.map(({ started }) => started)).toEqual([[1]]);
  pool.warm();
  expect(workers).toHaveLength(1);
});

test('what waits starts when the limit is raised', async () => {
  const { pool, workers, setLimit } = rig(1);
  pool.add([1, 2].map((seed) => job(seed)));
  await settle();
  setLimit(2);
  pool.fill();
  await settle();
  expect(workers.map(({ started }) => started)).toEqual([[1], [2]]);
});
