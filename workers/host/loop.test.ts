import { expect, test, vi } from 'vitest';
import { fail } from '#contract/kit/errors.ts';
import type { Saved, SessionEvent, SessionState } from '#contract/run/events.ts';
import type { Session } from '#core/run/session.ts';
import { memoryDriver } from '#storage/driver.ts';
import { Library } from '#storage/library.ts';
import { CheckpointWriter } from './checkpoint-writer.ts';
import { Loop } from './loop.ts';
import { EventPort } from './port.ts';

/** A session that yields a row and a progress event per iteration; its clock is moved by the test. */
class FakeSession implements Session {
  state: SessionState = 'starting';
  step = 0;
  paused = false;
  stopped = false;
  private readonly steps: number;
  private readonly onIteration: () => void;
  private wake = (): void => {};
  private waiting: ((saved: Saved) => void)[] = [];

  constructor(steps: number, onIteration: () => void) {
    this.steps = steps;
    this.onIteration = onIteration;
  }

  pause(): void {
    this.paused = true;
  }
  resume(): void {
    this.paused = false;
    this.wake();
  }
  stepOnce(): void {}
  stopAt(): void {}
  stop(): void {
    this.stopped = true;
    this.wake();
  }
  edit(): void {}
  hold = async (): Promise<null> => null;
  release(): void {}
  save(): Promise<Saved> {
    if (this.state === 'done') return Promise.resolve(this.saved());
    const promise = new Promise<Saved>((resolve) => this.waiting.push(resolve));
    this.wake();
    return promise;
  }
  private saved(): Saved {
    return { meta: { session: { step: this.step } }, arrays: { w: Float32Array.of(this.step) } };
  }
  private answer(): void {
    for (const resolve of this.waiting.splice(0)) resolve(this.saved());
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SessionEvent, void, void> {
    const say = (state: SessionState): SessionEvent => {
      this.state = state;
      return { kind: 'state', state, step: this.step };
    };
    yield say('running');
    while (this.step < this.steps && !this.stopped) {
      this.step++;
      this.onIteration();
      this.answer();
      yield { kind: 'metrics', columns: ['a'], rows: Float64Array.of(this.step, this.step * 2) };
      yield { kind: 'progress', step: this.step, seconds: 0, stepsPerSecond: 0 };
      if (!this.paused) continue;
      yield say('paused');
      while (this.paused && !this.stopped) {
        this.answer();
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
      }
      yield say('running');
    }
    yield say('done');
  }
}

function rig(steps: number, msPerIteration: number, library = new Library(memoryDriver())) {
  let clock = 0;
  const told: SessionEvent[] = [];
  const session = new FakeSession(steps, () => {
    clock += msPerIteration;
  });
  let sleep = 0;
  const port = new EventPort({ postMessage: ({ events }) => void told.push(...events) }, () => clock);
  const checkpoints = new CheckpointWriter(library, 'r', 1, 0, () => clock);
  const hop = async (): Promise<void> => {
    clock += sleep;
    sleep = 0;
    await new Promise((resolve) => setImmediate(resolve));
  };
  const loop = new Loop(session, port, checkpoints, { now: () => clock, wall: () => clock }, hop);
  return {
    loop,
    session,
    library,
    told,
    sleepFor: (ms: number): void => {
      sleep = ms;
    },
  };
}

const rowsOf = async (library: Library): Promise<number[]> =>
  (await library.curves('r', 1)).flatMap(({ rows }) => Array.from(rows).filter((_, i) => i % 2 === 0));

test('a run ends with its last state and every row on disk', async () => {
  const { loop, library, told } = rig(50, 10);
  await loop.run();
  expect((await library.loadCheckpoint('r', 1))?.step).toBe(50);
  expect(await rowsOf(library)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
  expect(told.filter(({ kind }) => kind === 'checkpoint')).toHaveLength(1);
});

test('checkpoints come every few seconds, with exactly the rows measured up to them', async () => {
  const { loop, library, told } = rig(100, 100); // ten seconds
  const saves: [number, number][] = [];
  const save = library.saveCheckpoint.bind(library);
  library.saveCheckpoint = async (runId, seed, input) => {
    const bytes = await save(runId, seed, input);
    saves.push([input.step, (await rowsOf(library)).length]);
    return bytes;
  };
  await loop.run();
  expect(saves.length).toBeGreaterThanOrEqual(3);
  expect(saves.length).toBeLessThanOrEqual(5);
  for (const [step, rows] of saves) expect(rows).toBe(step);
  expect(told.filter(({ kind }) => kind === 'checkpoint')).toHaveLength(saves.length);
});

test('training goes on while a state is written, and what it measures meanwhile is in the next save', async () => {
  const driver = memoryDriver();
  let went = 0;
  const writeFile: typeof driver.writeFile = async (path, ...parts) => {
    const begun = session.step;
    for (let i = 0; i < 40; i++) await new Promise((resolve) => setImmediate(resolve));
    went = Math.max(went, session.step - begun);
    await driver.writeFile(path, ...parts);
  };
  const { loop, session, library, told } = rig(200, 100, new Library({ ...driver, writeFile }));
  await loop.run();
  expect(went).toBeGreaterThan(10);
  const saves = told.filter((event) => event.kind === 'checkpoint').map(({ step }) => step);
  expect(saves).toEqual([...saves].sort((a, b) => a - b));
  expect(saves.at(-1)).toBe(200);
  expect(await rowsOf(library)).toEqual(Array.from({ length: 200 }, (_, i) => i + 1));
});

test('a pause saves at once, and saving on demand answers when it is on disk', async () => {
  const { loop, session, library } = rig(1000, 1);
  const over = loop.run();
  session.pause();
  while (session.state !== 'paused') await new Promise((resolve) => setImmediate(resolve));
  await loop.save();
  const step = session.step;
  expect((await library.loadCheckpoint('r', 1))?.step).toBe(step);
  expect((await rowsOf(library)).length).toBe(step);
  session.resume();
  session.stop();
  await over;
});

test('where the browser froze the page there is a mark, and only there', async () => {
  const { loop, told, sleepFor } = rig(20, 10);
  sleepFor(90_000);
  await loop.run();
  const gaps = told.filter((event) => event.kind === 'mark' && event.type === 'gap');
  expect(gaps).toHaveLength(1);
  expect(gaps[0]).toMatchObject({ text: expect.stringContaining('90 s') });
});

test('a full disk is reported once and training goes on', async () => {
  const driver = { ...memoryDriver(), writeFile: () => Promise.reject(fail('storage-full', 'No room.', 'Delete runs.')) };
  const { loop, told, session } = rig(1000, 100, new Library(driver));
  await loop.run();
  expect(session.step).toBe(1000);
  const warnings = told.filter((event) => event.kind === 'mark');
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toMatchObject({ type: 'warning', text: 'No room. Delete runs.' });
  expect(told.filter((event) => event.kind === 'unsaved')).toMatchObject([{ failure: { id: 'storage-full' } }]);
});

test('a disk that takes checkpoints again is reported too', async () => {
  const driver = memoryDriver();
  let tries = 0;
  const writeFile: typeof driver.writeFile = (path, ...parts) =>
    ++tries === 1 ? Promise.reject(fail('storage-full', 'No room.', 'Delete runs.')) : driver.writeFile(path, ...parts);
  const { loop, told } = rig(1000, 100, new Library({ ...driver, writeFile }));
  await loop.run();
  expect(told.filter((event) => event.kind === 'unsaved').map(({ failure }) => failure?.id ?? null)).toEqual(['storage-full', null]);
  expect(told.flatMap((event) => (event.kind === 'mark' ? [event.type] : []))).toEqual(['warning', 'recovered']);
});

test('where the share of points is used up, the run is saved all the same, and that fewer are kept is said once', async () => {
  const driver = { ...memoryDriver(), quota: async () => 1 };
  const { loop, library, told } = rig(1000, 100, new Library(driver));
  await loop.run();
  expect((await library.loadCheckpoint('r', 1))?.step).toBe(1000);
  expect((await library.checkpoint('r', 1))?.points).toBeUndefined();
  const warnings = told.filter((event) => event.kind === 'mark');
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toMatchObject({ type: 'warning', text: expect.stringMatching(/20 % of what the browser gives.*Delete or export/) });
});

test('points wait in memory for the next save; the last state is one of them', async () => {
  const library = new Library(memoryDriver());
  const writer = new CheckpointWriter(library, 'r', 1, 0, () => 0);
  const at = (step: number): Saved => ({ meta: { session: { step } }, arrays: { w: Float32Array.of(step) } });
  for (const step of [1, 2, 3]) writer.hold(at(step));
  expect(await library.checkpoint('r', 1)).toBeNull();
  const [first] = await writer.save(at(2));
  expect(first).toMatchObject({ kind: 'checkpoint', step: 2, points: [1, 2] });
  const [second] = await writer.save(at(9), true);
  expect(second).toMatchObject({ points: [1, 2, 3, 9] });
  expect((await library.loadCheckpoint('r', 1, 3))?.saved).toEqual(at(3));
});

test('that a run is done is reported once its last state and rows are on disk', async () => {
  const { loop, library, told } = rig(50, 10);
  const order: string[] = [];
  const save = library.saveCheckpoint.bind(library);
  library.saveCheckpoint = async (...input) => {
    for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
    order.push(told.some((event) => event.kind === 'state' && event.state === 'done') ? 'shown' : 'not shown');
    return save(...input);
  };
  await loop.run();
  expect(order).toEqual(['not shown']);
  expect(told.at(-1)).toMatchObject({ kind: 'state', state: 'done', step: 50 });
});

test('a disk that does not answer keeps the end of a run back for five seconds, no longer', async () => {
  const library = new Library(memoryDriver());
  let answer = (): void => {};
  const save = library.saveCheckpoint.bind(library);
  library.saveCheckpoint = async (...input) => {
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    return save(...input);
  };
  const { loop, told } = rig(5, 1, library);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const over = loop.run();
  for (let i = 0; i < 200; i++) await new Promise((resolve) => setImmediate(resolve));
  const isDone = (): boolean => told.some((event) => event.kind === 'state' && event.state === 'done');
  await vi.advanceTimersByTimeAsync(4900);
  expect(isDone()).toBe(false);
  await vi.advanceTimersByTimeAsync(200);
  expect(isDone()).toBe(true);
  vi.useRealTimers();
  answer();
  await over;
  expect((await library.loadCheckpoint('r', 1))?.step).toBe(5);
});
