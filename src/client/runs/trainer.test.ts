import { beforeEach, expect, test } from 'vitest';
import { NOT_LOADED } from '#client/workers/downloads.ts';
import type { SessionWorker } from '#client/workers/workers.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import type { SessionEvent } from '#contract/run/events.ts';
import { curves } from '#stores/curves.ts';
import { findSeed, runsStore } from '#stores/runs.ts';
import { Inbox } from './inbox.ts';
import { type Job, Pool } from './pool.ts';
import { toRunFile } from './run-persistence.ts';
import { Trainer } from './trainer.ts';

const config = runConfigSchema.parse({ env: { id: 'cartpole' }, algo: { id: 'ppo' }, run: { seeds: 3, seedStart: 5 } });
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Started {
  readonly request: Parameters<SessionWorker['start']>[0];
  readonly commands: string[];
  say(...events: SessionEvent[]): void;
  die(why?: string): void;
}

function rig(limit: number) {
  const clock = { now: 1_700_000_000_000 };
  const started: Started[] = [];
  const inbox = new Inbox({ onPolicy: () => {}, onVisits: () => {}, onSaved: () => {} });
  const pool = new Pool({
    spawn: (die) => {
      let commands: string[] = [];
      const note = (name: string) => async (): Promise<void> => void commands.push(name);
      const command = { pause: note('pause'), resume: note('resume'), stepOnce: note('stepOnce'), stop: note('stop'), save: note('save') };
      return {
        api: {
          ...command,
          hold: async () => null,
          release: note('release'),
          stopAt: async (rules) => void commands.push(`stopAt ${JSON.stringify(rules)}`),
        },
        simulate: () => Promise.reject(new Error('not asked')),
        start: async (request, onBatch) => {
          commands = [];
          started.push({ request, commands, say: (...events) => onBatch({ events }), die: (why = 'killed') => die(why) });
        },
        terminate: () => {},
      };
    },
    limit: () => limit,
    events: {
      started: () => {},
      batch: (job: Job, batch) => inbox.receive(job.runId, job.seed, batch),
      lost: (job, why, device) => trainer.lost(job, why, device),
      refused: (job, failure) => trainer.refused(job, failure),
    },
  });
  const trainer = new Trainer({
    pool: () => pool,
    inbox,
    envTitle: () => 'CartPole',
    algoTitle: () => 'PPO',
    now: () => clock.now,
    random: () => 0.5,
  });
  return { trainer, started, inbox, clock };
}

const running = (step: number): SessionEvent[] => [
  { kind: 'state', state: 'running', step },
  { kind: 'metrics', columns: ['episodicReturn'], rows: Float64Array.of(step, step) },
  { kind: 'progress', step, seconds: 1, stepsPerSecond: step },
];

beforeEach(() => runsStore.setState({ groups: [], activeId: null }));

test('training makes an active group with all its seeds, the first ones at work', async () => {
  const { trainer, started } = rig(2);
  const id = trainer.train(config, 'exact, the default');
  await settle();
  const { groups, activeId } = runsStore.getState();
  expect(activeId).toBe(id);
  expect(groups[0]).toMatchObject({ name: 'PPO on CartPole', colour: 0, executorReason: 'exact, the default' });
  expect(groups[0]?.seeds.map(({ seed, state }) => [seed, state])).toEqual([
    [5, 'queued'],
    [6, 'queued'],
    [7, 'queued'],
  ]);
  expect(started.map(({ request }) => request.seed)).toEqual([5, 6]);
  trainer.train(config, '');
  expect(runsStore.getState().groups[0]).toMatchObject({ name: 'PPO on CartPole 2', colour: 1 });
});

test('a lost worker is reported, forgets what will be done again, and the seed goes on from its checkpoint before the others', async () => {
  const { trainer, started } = rig(1);
  const id = trainer.train(config, '');
  await settle();
  started[0]?.say(...running(100), { kind: 'checkpoint', step: 100, bytes: 1, seconds: 0 }, ...running(200));
  started[0]?.die();
  await settle();
  expect(started[1]?.request).toMatchObject({ runId: id, seed: 5, resume: true });
  expect(Array.from(curves.series(id, 5, 'episodicReturn')?.steps ?? [])).toEqual([100]);
  expect(findSeed(id, 5)?.step).toBe(100);
  expect(findSeed(id, 5)?.marks).toMatchObject([{ type: 'warning', step: 100, text: expect.stringContaining('goes on from step 100') }]);
});

test('a worker lost again and again at one point fails with a way out; getting further starts the count anew', async () => {
  const { trainer, started } = rig(1);
  const id = trainer.train(config, '');
  await settle();
  started[0]?.die();
  await settle();
  started[1]?.say(...running(10), { kind: 'checkpoint', step: 10, bytes: 1, seconds: 0 });
  for (const n of [1, 2, 3]) {
    started[n]?.die();
    await settle();
  }
  expect(findSeed(id, 5)).toMatchObject({ state: 'failed', failure: { id: 'worker-lost' } });
  expect(started[4]?.request.seed).toBe(6);
});

test('where the code could not be loaded again and again, the run names the network', async () => {
  const { trainer, started } = rig(1);
  const id = trainer.train(config, '');
  for (const n of [0, 1, 2]) {
    await settle();
    started[n]?.die(NOT_LOADED);
  }
  await settle();
  expect(findSeed(id, 5)?.failure).toMatchObject({
    message: expect.stringContaining('the network did not answer 3 times'),
    fix: expect.stringContaining('Connect to the network'),
  });
});

test('runs that train beside each other begin at once with a seed each, and their other seeds follow in turn', async () => {
  const { trainer, started } = rig(2);
  const before = trainer.train(config, '');
  await settle();
  const [one, two, three] = [0, 1, 2].map(() => trainer.train(config, '', { paused: true }));
  trainer.pause(before);
  trainer.trainBeside([one!, two!, three!]);
  await settle();
  const seedsOf = (from: number): readonly (readonly [string, number])[] =>
    started.slice(from).map(({ request }) => [request.runId, request.seed]);
  expect(seedsOf(2)).toEqual([one, two, three].map((id) => [id, 5]));
  expect(started.slice(2).every(({ request }) => !request.resume)).toBe(true);
  expect([5, 6, 7].map((seed) => findSeed(two!, seed)?.state)).toEqual(['queued', 'queued', 'queued']);
  // the two of the first run pause: three train where two may, so nothing more begins until there is room
  for (const held of started.slice(0, 2)) held.say({ kind: 'state', state: 'paused', step: 1 });
  await settle();
  expect(started).toHaveLength(5);
  for (const racer of started.slice(2, 5)) racer.say({ kind: 'state', state: 'done', step: 10 });
  await settle();
  expect(seedsOf(5)).toEqual([one, two].map((id) => [id, 6]));
});

test('pause holds workers and the queue; resume wakes the one and fills the other', async () => {
  const { trainer, started } = rig(1);
  const id = trainer.train(config, '');
  await settle();
  started[0]?.say(...running(10));
  trainer.pause(id);
  expect(started[0]?.commands).toEqual(['pause']);
  expect([6, 7].map((seed) => findSeed(id, seed)?.state)).toEqual(['paused', 'paused']);
  started[0]?.say({ kind: 'state', state: 'paused', step: 10 });
  await settle();
  expect(started).toHaveLength(1);
  trainer.resume(id);
  expect(started[0]?.commands).toEqual(['pause', 'resume']);
  expect([6, 7].map((seed) => findSeed(id, seed)?.state)).toEqual(['queued', 'queued']);
});

test('a run that is resumed before its pause is reported goes on', async () => {
  const { trainer, started } = rig(1);
  const id = trainer.train(config, '');
  await settle();
  started[0]?.say(...running(100));
  trainer.pause(id);
  trainer.resume(id);
  expect(started[0]?.commands).toEqual(['pause', 'resume']);
});

test('an interrupted run resumes every seed that is not done, from its checkpoint', async () => {
  const { trainer, started } = rig(3);
  const id = trainer.train(config, '');
  await settle();
  runsStore.setState(({ groups }) => ({
    groups: groups.map((group) => ({
      ...group,
      id: 'stored',
      seeds: group.seeds.map((run, i) => ({ ...run, state: i === 0 ? 'done' : 'interrupted' })),
    })),
  }));
  expect(id).not.toBe('stored');
  trainer.resume('stored');
  await settle();
  const resumed = started.filter(({ request }) => request.runId === 'stored');
  // The three workers of the other run are still busy, so the two seeds wait their turn.
  expect(resumed).toHaveLength(0);
  for (const one of started.slice(0, 3)) one.say({ kind: 'state', state: 'done', step: 1 });
  await settle();
  expect(started.filter(({ request }) => request.runId === 'stored').map(({ request }) => [request.seed, request.resume])).toEqual([
    [6, true],
    [7, true],
  ]);
});

test('single steps go to the first unfinished seed, and the others pause', async () => {
  const { trainer, started } = rig(2);
  const id = trainer.train(config, '');
  await settle();
  for (const one of started) one.say(...running(10));
  trainer.stepOnce(id);
  expect(started[0]?.commands).toEqual(['stepOnce']);
  expect(started[1]?.commands).toEqual(['pause']);
});

test('a run that waits at step 0 begins with a single step of its first seed, and goes on with all of them', async () => {
  const { trainer, started } = rig(2);
  const id = trainer.train(config, '', { paused: true });
  await settle();
  expect(started).toEqual([]);
  trainer.stepOnce(id, 'episode');
  await settle();
  expect(started.map(({ request }) => [request.seed, request.step])).toEqual([[5, 'episode']]);
  started[0]?.say(...running(10), { kind: 'state', state: 'paused', step: 10 });
  trainer.stepOnce(id);
  expect(started[0]?.commands).toEqual(['stepOnce']);
  trainer.resume(id);
  await settle();
  expect(started.slice(1).map(({ request }) => [request.seed, request.step])).toEqual([
    [6, undefined],
    [7, undefined],
  ]);
});

test('stop ends workers and those that wait', async () => {
  const { trainer, started } = rig(1);
  const id = trainer.train(config, '');
  await settle();
  trainer.stop(id);
  expect(started[0]?.commands).toEqual(['stop']);
  expect([6, 7].map((seed) => findSeed(id, seed)?.state)).toEqual(['stopped', 'stopped']);
});

test('stop rules reach those that train and those that wait; one that ended the run holds no more when it goes on', async () => {
  const { trainer, started } = rig(1);
  const id = trainer.train({ ...config, run: { ...config.run, seeds: 2 } }, '', { stops: { seconds: 60 } });
  await settle();
  expect(started[0]?.request.stops).toEqual({ seconds: 60 });
  trainer.stopAt(id, { meanReturn: 100 });
  expect(started[0]?.commands).toEqual(['stopAt {"meanReturn":100}']);
  const mark = { kind: 'mark', step: 10, type: 'stop', text: 'Ended by a rule.', by: 'system' } as const;
  started[0]?.say(...running(10), mark, { kind: 'state', state: 'stopped', step: 10 });
  await settle();
  expect(started[1]?.request).toMatchObject({ seed: 6, stops: { meanReturn: 100 } });
  expect(toRunFile(runsStore.getState().groups[0]!).stops).toEqual({ meanReturn: 100 });
  started[1]?.say(...running(10), { kind: 'state', state: 'stopped', step: 10 });
  trainer.resume(id);
  await settle();
  expect(started[2]?.request).toMatchObject({ seed: 5, resume: true, stops: undefined });
});

test('a device that webgpu loses twice leaves the seed to wasm', async () => {
  const { trainer, started } = rig(1);
  trainer.train({ ...config, run: { ...config.run, seeds: 1, executor: 'webgpu' } }, '');
  await settle();
  started[0]?.say(...running(30), { kind: 'checkpoint', step: 30, bytes: 1, seconds: 0 });
  for (let i = 0; i < 2; i++) {
    started.at(-1)?.say({ kind: 'state', state: 'failed', step: 40, error: { id: 'gpu-lost', message: '', fix: '' } });
    await settle();
  }
  expect(started.map(({ request }) => request.config.run.executor)).toEqual(['webgpu', 'webgpu', 'wasm']);
});

test('a lost graphics device is tried once more, then the next executor takes over and the run says so', async () => {
  const { trainer, started, clock } = rig(1);
  const onGpu = { ...config, run: { ...config.run, seeds: 1, executor: 'tfjs-webgpu' as const } };
  const id = trainer.train(onGpu, '');
  const executors = (): unknown[] => started.map(({ request }) => request.config.run.executor);
  const lose = async (error: 'gpu-lost' | 'gpu-missing'): Promise<void> => {
    started.at(-1)?.say({ kind: 'state', state: 'failed', step: 40, error: { id: error, message: '', fix: '' } });
    await settle();
  };
  await settle();
  started[0]?.say(...running(30), { kind: 'checkpoint', step: 30, bytes: 1, seconds: 0 });
  await lose('gpu-lost');
  expect(executors()).toEqual(['tfjs-webgpu', 'tfjs-webgpu']);
  clock.now += 6 * 60_000; // long ago: counts no more
  await lose('gpu-lost');
  await lose('gpu-lost');
  expect(executors().slice(2)).toEqual(['tfjs-webgpu', 'tfjs-webgl']);
  const moved = { type: 'executor', step: 30, value: 'tfjs-webgl', by: 'system', text: expect.stringContaining('trains on tfjs-webgl') };
  expect(findSeed(id, 5)?.marks.at(-1)).toMatchObject(moved);
  expect(runsStore.getState().groups[0]?.config.run.executor).toBe('tfjs-webgpu'); // what was asked for stays in the config and its link
  await lose('gpu-missing');
  expect(executors().at(-1)).toBe('wasm');
  expect(started.at(-1)?.request).toMatchObject({ resume: true, seed: 5 });
  expect(findSeed(id, 5)?.failure).toBeNull();
});
