import { beforeEach, expect, test } from 'vitest';
import type { SessionWorker } from '#client/workers/workers.ts';
import { fail } from '#contract/kit/errors.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import type { EditOf, SessionEvent } from '#contract/run/events.ts';
import { partsOf } from '#stores/alike.ts';
import { changeSeed, findGroup, findSeed, runsStore } from '#stores/runs.ts';
import { Inbox } from './inbox.ts';
import { LiveEdits, startOf } from './live-edits.ts';
import { type Job, Pool } from './pool.ts';
import { toGroup, toRunFile } from './run-persistence.ts';
import { Trainer } from './trainer.ts';

const config = runConfigSchema.parse({ env: { id: 'cartpole' }, algo: { id: 'ppo' }, run: { seeds: 4, seedStart: 1, steps: 1000 } });
const settle = async (): Promise<void> => {
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
};
const GRAVITY = 'env.gravity';

interface Started {
  readonly request: Parameters<SessionWorker['start']>[0];
  /** What it was released with. */
  readonly released: { readonly edits: readonly EditOf[]; readonly keep: boolean }[];
  /** Where it stands when it is held; null: its run is over. */
  at: number | null;
  refuses: boolean;
  saved: number;
  /** Asked, it says nothing any more. */
  silent: boolean;
  say(...events: SessionEvent[]): void;
  die(): void;
}

function rig(limit: number, shown = 1) {
  const started: Started[] = [];
  const inbox = new Inbox({ onPolicy: () => {}, onVisits: () => {}, onSaved: () => {} });
  const pool = new Pool({
    spawn: (die) => {
      let mine: Started | undefined;
      const nothing = async (): Promise<void> => {};
      return {
        api: {
          pause: nothing,
          resume: nothing,
          stepOnce: nothing,
          stop: nothing,
          stopAt: nothing,
          save: async () => {
            if (mine !== undefined) mine.saved++;
          },
          hold: (edit) => {
            if (mine?.silent === true) return new Promise(() => {});
            if (mine?.refuses === true) return Promise.reject(fail('config-invalid', 'It cannot change.', 'These can: none.'));
            return Promise.resolve(mine === undefined || mine.at === null ? null : { step: mine.at, edit });
          },
          release: async (edits, keep = false) => void mine?.released.push({ edits, keep }),
        },
        simulate: () => Promise.reject(new Error('not asked')),
        start: async (request, onBatch) => {
          mine = {
            request,
            released: [],
            at: 0,
            refuses: false,
            saved: 0,
            silent: false,
            say: (...events) => onBatch({ events }),
            die: () => die('killed'),
          };
          started.push(mine);
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
    now: () => 1_700_000_000_000 + started.length,
    random: () => (runsStore.getState().groups.length + 1) / 10,
  });
  const looks: [string, number][] = [];
  const edits = new LiveEdits({
    pool,
    inbox,
    trainer,
    readPoints: async (runId) => new Map(findGroup(runId)?.seeds.map(({ seed, checkpointStep }) => [seed, checkpointStep])),
    shownSeed: () => shown,
    showSeed: (...look) => looks.push(look),
    changed: () => {},
    wait: async () => new Promise((resolve) => setImmediate(resolve)),
  });
  return { trainer, started, edits, looks };
}

const running = (step: number, stepsPerSecond = 10): SessionEvent[] => [
  { kind: 'state', state: 'running', step },
  { kind: 'progress', step, seconds: 1, stepsPerSecond },
];
const made = (step: number, value: number): SessionEvent => ({
  kind: 'mark',
  step,
  type: 'edit',
  text: '',
  path: GRAVITY,
  value,
  by: 'user',
});
const end = (step: number): SessionEvent => ({ kind: 'state', state: 'done', step });

beforeEach(() => runsStore.setState({ groups: [], activeId: null }));

test('one step for all: the seed on the stage makes it where it stands, one a little ahead is waited for, the others get it scheduled', async () => {
  const { trainer, started, edits } = rig(2);
  const id = trainer.train(config, '');
  await settle();
  const [first, second] = started as [Started, Started];
  first.say(...running(100));
  second.say(...running(110));
  [first.at, second.at] = [100, 110];
  edits.edit(id, GRAVITY, 19.6);
  await settle();
  const schedule = [{ step: 110, path: GRAVITY, value: 19.6 }];
  expect(findGroup(id)?.edits).toEqual(schedule);
  expect([first.released, second.released]).toEqual([[{ edits: schedule, keep: false }], [{ edits: schedule, keep: false }]]);
  expect(findGroup(id)?.config).toEqual(config); // an edit marks a run and is no part of its config
  first.say(made(110, 19.6), end(1000));
  second.say(made(110, 19.6), end(1000));
  await settle();
  expect(started.slice(2).map(({ request }) => [request.seed, request.edits])).toEqual([
    [3, schedule],
    [4, schedule],
  ]);
  // It is stored, and all seeds are alike.
  const group = toGroup(toRunFile(findGroup(id)!));
  expect(group.edits).toEqual(schedule);
  expect(partsOf(group)).toHaveLength(1);
  expect(runsStore.getState().groups).toHaveLength(1);
});

test('where a seed is past it, another run takes the edit from kept states, before all that wait; this one goes on without', async () => {
  const { trainer, started, edits, looks } = rig(2, 3);
  const id = trainer.train(config, '');
  await settle();
  changeSeed(id, 1, (run) => ({ ...run, points: [200, 400, 800] }));
  started[0]?.say(...running(1000), end(1000));
  started[1]?.say(...running(600));
  await settle();
  const [, two, three] = started as [Started, Started, Started];
  three.say({ kind: 'checkpoint', step: 480, bytes: 1, seconds: 0, points: [300, 500] }, ...running(500));
  two.say({ kind: 'checkpoint', step: 600, bytes: 1, seconds: 0, points: [450, 550] }, ...running(600));
  [two.at, three.at] = [600, 500];
  edits.edit(id, GRAVITY, 19.6);
  edits.edit(id, GRAVITY, 20); // the next of a slider that is dragged
  await settle();
  const [branch, before] = runsStore.getState().groups;
  expect(before?.edits).toBeUndefined();
  expect(two.released).toEqual([{ edits: [], keep: true }]);
  expect([two.saved, three.saved]).toEqual([1, 1]);
  expect(branch).toMatchObject({
    name: 'PPO on CartPole, edited',
    config,
    parent: {
      id,
      step: 500,
      same: true,
      seeds: [
        { seed: 1, step: 400 },
        { seed: 2, step: 450 },
        { seed: 3, step: 500 },
      ],
    },
  });
  expect(branch?.hash).not.toBe(before?.hash);
  expect(runsStore.getState().activeId).toBe(branch?.id);
  expect(looks).toEqual([[branch?.id, 3]]);
  // The later value went to the run that has the edit; its seeds train first, each from its state or from the start.
  expect(branch?.edits?.at(-1)).toEqual({ step: 500, path: GRAVITY, value: 20 });
  const branches = started.filter(({ request }) => request.runId === branch?.id);
  expect(branches.map(({ request }) => [request.seed, request.from])).toEqual([
    [1, { runId: id, step: 400, same: true }],
    [2, { runId: id, step: 450, same: true }],
  ]);
  // The seeds that trained gave their workers up and wait behind.
  expect([2, 3, 4].map((seed) => findSeed(id, seed)?.state)).toEqual(['queued', 'queued', 'queued']);
  for (let i = 3; i < started.length; i++) {
    started[i]?.say(...running(1000), end(1000));
    await settle();
  }
  expect(started.slice(3).map(({ request }) => [request.runId === id, request.seed, request.from === undefined, request.resume])).toEqual([
    [false, 1, false, false],
    [false, 2, false, false],
    [false, 3, false, false],
    [false, 4, true, false],
    [true, 2, true, true],
    [true, 3, true, true],
    [true, 4, true, false],
  ]);
  expect(started.at(-1)?.request.edits).toEqual([]);
});

test('a seed that stands still makes the edit when it goes on, also after it failed again', async () => {
  const { trainer, started, edits } = rig(1);
  const id = trainer.train({ ...config, run: { ...config.run, seeds: 1 } }, '');
  await settle();
  const error = { id: 'nan-loss', message: 'broke', fix: 'lower it' } as const;
  started[0]?.say(
    ...running(10),
    { kind: 'checkpoint', step: 10, bytes: 1, seconds: 0 },
    { kind: 'state', state: 'failed', step: 20, error },
  );
  edits.edit(id, 'algo.lr', 0.1);
  await settle();
  trainer.resume(id);
  await settle();
  expect(started[1]?.request).toMatchObject({ resume: true, edits: [{ step: 10, path: 'algo.lr', value: 0.1 }] });
  started[1]?.say(...running(20), { kind: 'state', state: 'failed', step: 30, error });
  trainer.resume(id);
  await settle();
  expect(started[2]?.request.edits).toEqual([{ step: 10, path: 'algo.lr', value: 0.1 }]);
});

test('an edit before the first step is made at step 0 by every seed; of several values the last', async () => {
  const { trainer, started, edits } = rig(2);
  const id = trainer.train(config, '', { paused: true });
  edits.edit(id, GRAVITY, 1);
  edits.edit(id, GRAVITY, 2);
  edits.edit(id, GRAVITY, 3);
  await settle();
  trainer.resume(id);
  await settle();
  expect(started.map(({ request }) => request.edits?.at(-1))).toEqual(Array(2).fill({ step: 0, path: GRAVITY, value: 3 }));
});

test('a field that is not live is refused in words, and no seed is held', async () => {
  const { trainer, started, edits } = rig(2);
  const id = trainer.train(config, '');
  await settle();
  for (const one of started) one.say(...running(100));
  started[1]!.refuses = true;
  edits.edit(id, 'algo.hidden', 1);
  await settle();
  expect(findSeed(id, 2)?.marks).toMatchObject([{ type: 'warning', text: 'It cannot change. These can: none.' }]);
  expect(started[0]?.released).toEqual([{ edits: [], keep: false }]);
  expect(findGroup(id)?.edits).toBeUndefined();
});

test('a worker that dies while it is asked does not hold the others up', async () => {
  const { trainer, started, edits } = rig(2);
  const id = trainer.train({ ...config, run: { ...config.run, seeds: 2 } }, '');
  await settle();
  for (const one of started) one.say(...running(100));
  const [first, second] = started as [Started, Started];
  first.at = 100;
  second.silent = true;
  edits.edit(id, GRAVITY, 2);
  await settle();
  expect(first.released).toEqual([]);
  second.die();
  await settle();
  const schedule = [{ step: 100, path: GRAVITY, value: 2 }];
  expect(first.released).toEqual([{ edits: schedule, keep: false }]);
  expect(findGroup(id)?.edits).toEqual(schedule);
});

test('a seed goes on from the last state that the same edits lead to', () => {
  const run = { ...seedOf([100, 200, 300, 400]), marks: [markAt(150, 1), markAt(250, 2)] };
  const edit = (step: number, value: number): EditOf => ({ step, path: GRAVITY, value });
  expect(startOf(run, [edit(150, 1), edit(250, 2), edit(350, 3)])).toMatchObject({ step: 300, marks: [{ step: 150 }, { step: 250 }] });
  expect(startOf(run, [edit(150, 1), edit(350, 3)])).toMatchObject({ step: 200, marks: [{ step: 150 }] });
  expect(startOf(run, [edit(350, 3)])).toMatchObject({ step: 100, marks: [] });
  expect(startOf(run, [edit(50, 3)])).toBeNull();
  // At the step of an edit there may be a state of before it and one of after it.
  expect(startOf({ ...run, points: [100, 150] }, [edit(150, 1), edit(350, 3)])).toMatchObject({ step: 100 });
});

const markAt = (step: number, value: number) => ({ kind: 'mark', step, type: 'edit', text: '', path: GRAVITY, value, by: 'user' }) as const;
const seedOf = (points: readonly number[]) =>
  ({
    seed: 1,
    state: 'done',
    step: 1000,
    seconds: 1,
    stepsPerSecond: 1,
    checkpointStep: -1,
    points,
    result: null,
    failure: null,
    marks: [],
  }) as const;
