// @vitest-environment happy-dom
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import type { RunFile } from '#contract/files/files.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { memoryDriver } from '#storage/driver.ts';
import { Library } from '#storage/library.ts';
import { curves, curvesStore } from '#stores/curves.ts';
import { changeGroup, findGroup, newSeed, runsStore } from '#stores/runs.ts';
import type { RunGroup, SeedRun } from '#stores/types.ts';
import { atNextUpdate } from '#stores/update-clock.ts';
import { newestPolicy } from './policies.ts';
import { RunPersistence, toRunFile } from './run-persistence.ts';

const group = (id: string, more: Partial<RunGroup> = {}): RunGroup => ({
  id,
  name: id,
  config: runConfigSchema.parse({ env: { id: 'e' }, algo: { id: 'a' } }),
  hash: 'h',
  colour: 3,
  dash: 1,
  createdAt: 1,
  visible: true,
  note: 'n',
  parent: null,
  executorReason: 'exact',
  seeds: [newSeed(1), newSeed(2)],
  ...more,
});

beforeEach(() => {
  sessionStorage.clear();
  runsStore.setState({ groups: [], activeId: null });
});

/** Those that write what changes. */
const following: RunPersistence[] = [];
const follow = (persistence: RunPersistence): void => {
  following.push(persistence);
  persistence.follow();
};
afterAll(() => Promise.all(following.map((persistence) => persistence.flush())));

async function stored(): Promise<Library> {
  const library = new Library(memoryDriver());
  const persistence = new RunPersistence(library, '/', () => {});
  runsStore.setState({
    groups: [
      group('r', {
        seeds: [
          { ...newSeed(1), state: 'running', step: 50 },
          { ...newSeed(2), state: 'done', step: 90, result: { ...result, finalReturn: Number.NaN } },
        ],
      }),
    ],
  });
  await persistence.flush();
  await library.saveCheckpoint('r', 1, {
    saved: { meta: {}, arrays: {} },
    step: 40,
    sealedNames: [],
    curves: [{ from: 0, columns: ['a'], rows: Float64Array.of(20, 1, 40, 2) }],
    policies: [{ snapshot: { seed: 1, step: 40, saved: { meta: {}, arrays: {} } } as unknown as PolicySnapshot, keep: true }],
    now: 0,
  });
  return library;
}

const result = {
  seed: 2,
  finalReturn: 1,
  evalReturn: 2,
  evalLoops: 0,
  perAgent: [],
  steps: 90,
  seconds: 1,
  stepsPerSecond: 90,
  parameterHash: 'x',
};

test('after a reload kept runs are back with colour, curves and policies; what was going on is interrupted at its checkpoint', async () => {
  const library = await stored();
  curves.drop('r');
  sessionStorage.clear();
  runsStore.setState({ groups: [] });
  const again = new RunPersistence(library, '/', () => {});
  await again.restore();
  expect(curves.series('r', 1, 'a')).toBeNull(); // records first
  await again.readAll();
  await again.readRun('r');
  const [back, ...more] = runsStore.getState().groups;
  expect(more).toEqual([]);
  expect(back).toMatchObject({ id: 'r', colour: 3, dash: 1, note: 'n' });
  expect(back?.seeds[0]).toMatchObject({ state: 'interrupted', step: 40, checkpointStep: 40 });
  expect(back?.seeds[1]).toMatchObject({ state: 'done', step: 90, result: { evalReturn: 2, finalReturn: Number.NaN } });
  expect(Array.from(curves.series('r', 1, 'a')?.values ?? [])).toEqual([1, 2]);
  expect(newestPolicy('r', 1)?.step).toBe(40);
});

test('only changed runs are written, and a failing disk is told', async () => {
  const writes: string[] = [];
  const driver = memoryDriver();
  const library = new Library({ ...driver, put: async (_table, key) => void writes.push(key) });
  const persistence = new RunPersistence(library, '/', () => {});
  runsStore.setState({ groups: [group('a'), group('b')] });
  await persistence.flush();
  await persistence.flush();
  changeGroup('b', (old) => ({ ...old, note: 'new' }));
  await persistence.flush();
  expect(writes).toEqual(['a', 'b', 'b']);
  const news: unknown[] = [];
  let full: Error | null = new Error('full');
  const put = async (): Promise<void> => {
    if (full !== null) throw full;
  };
  const broken = new RunPersistence(new Library({ ...driver, put }), '/', (error) => news.push(error));
  expect(await broken.flush()).toBe(false);
  expect(news).toEqual([full]);
  full = null;
  expect(await broken.flush()).toBe(true);
  expect(news.slice(1)).toEqual([null, null]);
});

test('what the page holds is written again when the storage was cleared; a seed that trains follows with its next checkpoint', async () => {
  const library = await stored();
  curves.drop('r');
  runsStore.setState({ groups: [] });
  const persistence = new RunPersistence(library, '/', () => {});
  await persistence.restore();
  await persistence.readAll();
  curves.append('r', 1, ['a'], Float64Array.of(60, 3));
  curves.append('r', 2, ['a'], Float64Array.of(90, 9));
  await library.removeAll();
  const trains = (_runId: string, seed: number): boolean => seed === 1;
  expect(await persistence.rewriteAll(trains)).toBe(true);
  expect((await library.runs()).map(({ id }) => id)).toEqual(['r']);
  const rows = async (seed: number): Promise<number[]> => (await library.curves('r', seed)).flatMap((chunk) => Array.from(chunk.rows));
  expect(await rows(1)).toEqual([]);
  expect(await rows(2)).toEqual([90, 9]);
  // Its worker has saved at 40 and measured up to 60 since then.
  const checkpoint = { saved: { meta: {}, arrays: {} }, step: 60, sealedNames: [], policies: [], now: 0 };
  await library.saveCheckpoint('r', 1, { ...checkpoint, curves: [{ from: 40, columns: ['a'], rows: Float64Array.of(60, 3) }] });
  await persistence.rewriteSeed('r', 1, true);
  expect(await rows(1)).toEqual([20, 1, 40, 2, 60, 3]);
  expect((await library.policies('r', 1)).map(({ snapshot }) => snapshot.step)).toEqual([40]);
  expect(findGroup('r')?.seeds[1]?.checkpointStep).toBe(-1); // it rested: its state was on the disk only
});

test('what has no record is swept, unless this page holds it', async () => {
  const library = await stored();
  const chunk = { from: 0, columns: ['a'], rows: Float64Array.of(1, 1) };
  await library.putCurves('new', 1, [chunk]);
  await library.putCurves('left-behind', 1, [chunk]);
  runsStore.setState(({ groups }) => ({ groups: [...groups, group('new')] }));
  await new RunPersistence(library, '/', () => {}).sweep();
  expect(await library.orphans()).toEqual(['new']);
  expect((await library.runs()).map(({ id }) => id)).toEqual(['r']);
});

test('a run that another tab has trained further is read again before it goes on here', async () => {
  const library = await stored();
  curves.drop('r');
  runsStore.setState({ groups: [] });
  const persistence = new RunPersistence(library, '/', () => {});
  await persistence.restore();
  await library.saveCheckpoint('r', 1, {
    saved: { meta: {}, arrays: {} },
    step: 80,
    sealedNames: [],
    curves: [{ from: 40, columns: ['a'], rows: Float64Array.of(60, 3, 80, 4) }],
    policies: [],
    now: 0,
  });
  await persistence.catchUp('r');
  expect(Array.from(curves.series('r', 1, 'a')?.values ?? [])).toEqual([1, 2, 3, 4]);
  expect(findGroup('r')?.seeds[0]).toMatchObject({ state: 'interrupted', step: 80, checkpointStep: 80 });
});

/** A library whose records arrive when the test says so. */
function slowLibrary(): { readonly library: Library; readonly arrive: () => void } {
  const library = new Library(memoryDriver());
  const put = library.putRun.bind(library);
  let arrive = (): void => {};
  const allowed = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  library.putRun = (file) => allowed.then(() => put(file));
  return { library, arrive };
}

test('a run that was just begun is not lost when the page goes before its record is written', async () => {
  const { library, arrive } = slowLibrary();
  runsStore.setState({ groups: [group('r')] });
  const flushed = new RunPersistence(library, '/', () => {}).flush();

  runsStore.setState({ groups: [] }); // the page is loaded again meanwhile
  await new RunPersistence(library, '/', () => {}).restore();
  expect(runsStore.getState().groups.map(({ id }) => id)).toEqual(['r']);

  arrive();
  await flushed;
  expect((await library.runs()).map(({ id }) => id)).toEqual(['r']);
});

test('a seed that has just ended is not interrupted when the page goes before its record is written', async () => {
  const before = group('r', {
    seeds: [
      { ...newSeed(1), state: 'running', step: 50 },
      { ...newSeed(2), state: 'running', step: 50 },
    ],
  });
  const { library, arrive } = slowLibrary();
  await library.driver.put('runs', 'r', JSON.parse(JSON.stringify(toRunFile(before))));
  runsStore.setState({ groups: [before] });
  const leaving = new RunPersistence(library, '/', () => {});
  follow(leaving);
  changeGroup('r', (old) => ({
    ...old,
    seeds: [{ ...newSeed(1), state: 'done', step: 90, result: { ...result, seed: 1 } }, old.seeds[1]!],
  }));

  runsStore.setState({ groups: [] }); // the page is loaded again at once
  const back = new RunPersistence(library, '/', () => {});
  const restoring = back.restore(); // reads what was stored before the end
  arrive();
  await restoring;
  expect(findGroup('r')?.seeds.map(({ state, step }) => [state, step])).toEqual([
    ['done', 90],
    ['interrupted', 0],
  ]);
  expect(findGroup('r')?.seeds[0]?.result?.evalReturn).toBe(2);
  expect((await library.runs())[0]?.seeds[0]?.state).toBe('done');
});

test('an end is stored before it is shown, and nothing older is written over it meanwhile', async () => {
  const driver = memoryDriver();
  const library = new Library(driver);
  const before = group('r', { seeds: [{ ...newSeed(1), state: 'running', step: 50 }] });
  runsStore.setState({ groups: [before] });
  const persistence = new RunPersistence(library, '/', () => {});
  await persistence.flush();
  follow(persistence);
  const end: RunGroup = { ...before, seeds: [{ ...newSeed(1), state: 'done', step: 90 }] };
  const writes: unknown[] = [];
  const put = library.putRun.bind(library);
  library.putRun = (file) => {
    writes.push(file.seeds[0]?.state);
    return put(file);
  };
  const storing = persistence.storeEnd(end);
  changeGroup('r', (old) => ({ ...old, note: 'while it is stored' }));
  await persistence.flush();
  await storing;
  expect(findGroup('r')?.seeds[0]?.state).toBe('running');
  expect((await library.runs())[0]?.seeds[0]?.state).toBe('done');
  expect(writes).toEqual(['done', 'done']);
  changeGroup('r', (old) => ({ ...old, seeds: end.seeds }));
  expect(writes).toHaveLength(2); // it is there already: what else changed follows in its time
  await persistence.flush();
  expect((await library.runs())[0]).toMatchObject({ note: 'while it is stored', seeds: [{ state: 'done' }] });
});

test('an end that could not be stored is tried again at once when it is shown', async () => {
  const before = group('r', { seeds: [{ ...newSeed(1), state: 'running', step: 50 }] });
  runsStore.setState({ groups: [before] });
  const library = new Library(memoryDriver());
  const news: unknown[] = [];
  const persistence = new RunPersistence(library, '/', (error) => news.push(error));
  await persistence.flush();
  follow(persistence);
  const put = library.putRun.bind(library);
  const full = new Error('full');
  library.putRun = () => Promise.reject(full);
  const end: RunGroup = { ...before, seeds: [{ ...newSeed(1), state: 'done', step: 90 }] };
  await persistence.storeEnd(end);
  expect(news).toEqual([null, full]);
  const writes: string[] = [];
  library.putRun = (file) => {
    writes.push(String(file.seeds[0]?.state));
    return put(file);
  };
  changeGroup('r', (old) => ({ ...old, seeds: end.seeds }));
  expect(writes).toEqual(['done']);
});

test('what this tab saw end and could not store is stored when the page is back, before it is shown', async () => {
  const file = (seed: Partial<SeedRun>): RunFile => toRunFile(group('r', { seeds: [{ ...newSeed(1), ...seed }] }));
  const library = new Library(memoryDriver());
  await library.putRun(file({ state: 'running', step: 80 }));
  sessionStorage.setItem('rl-workbench:tab:/', JSON.stringify([file({ state: 'stopped', step: 90 })]));
  const shown: (string | undefined)[] = [];
  const stop = runsStore.subscribe(() => void library.runs().then(([stored]) => shown.push(stored?.seeds[0]?.state)));
  await new RunPersistence(library, '/', () => {}).restore();
  stop();
  await Promise.resolve();
  expect((await library.runs())[0]?.seeds[0]?.state).toBe('stopped');
  expect(shown[0]).toBe('stopped');
});

test('an end that this tab remembers does not undo what another tab has trained since', async () => {
  const file = (seed: Partial<SeedRun>): RunFile => toRunFile(group('r', { seeds: [{ ...newSeed(1), ...seed }] }));
  const library = new Library(memoryDriver());
  sessionStorage.setItem('rl-workbench:tab:/', JSON.stringify([file({ state: 'stopped', step: 50 })]));
  await library.putRun(file({ state: 'running', step: 80 }));
  await new RunPersistence(library, '/', () => {}).restore();
  expect(findGroup('r')?.seeds[0]?.state).toBe('interrupted');
});

test('what another tab tells of a run is not added to from the disk', async () => {
  const library = await stored();
  curves.drop('r');
  runsStore.setState({ groups: [] });
  const persistence = new RunPersistence(library, '/', () => {});
  await persistence.restore();
  const reading = persistence.readRun('r');
  changeGroup('r', (one) => ({ ...one, elsewhere: true }));
  curves.append('r', 1, ['a'], Float64Array.of(20, 1, 40, 2, 60, 3));
  await reading;
  expect(Array.from(curves.series('r', 1, 'a')?.values ?? [])).toEqual([1, 2, 3]);
  changeGroup('r', (one) => ({ ...one, note: 'not ours to write' }));
  await persistence.flush();
  expect((await library.runs())[0]?.note).toBe('n');
});

test('the curves of many runs are read in one passage, each row once, and drawn together', async () => {
  const driver = memoryDriver();
  const parts: string[] = [];
  const library = new Library({
    ...driver,
    some: (table, after, count) => {
      parts.push(after);
      return driver.some(table, after, count);
    },
  });
  const ids = Array.from({ length: 300 }, (_, i) => `run-${String(i).padStart(3, '0')}`);
  const writer = new RunPersistence(library, '/', () => {});
  runsStore.setState({ groups: ids.map((id) => group(id)) });
  await writer.flush();
  for (const id of ids) {
    await library.putCurves(id, 1, [{ from: 0, columns: ['a'], rows: Float64Array.of(10, 1) }]);
    await library.putCurves(id, 1, [{ from: 10, columns: ['a'], rows: Float64Array.of(20, 2) }]);
  }
  runsStore.setState({ groups: [] });
  const persistence = new RunPersistence(library, '/', () => {});
  await persistence.restore();
  for (let i = 0; i < 2; i++) await new Promise<void>(atNextUpdate); // what the tests before changed has been drawn
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0); // however slow the machine is
  const drawn: number[] = []; // runs that each drawing shows
  const stop = curvesStore.subscribe(() => drawn.push(ids.filter((id) => curves.series(id, 1, 'a') !== null).length));
  const reading = persistence.readAll();
  await persistence.readRun('run-200'); // it is opened meanwhile
  await reading;
  for (const id of ids) expect(Array.from(curves.series(id, 1, 'a')?.values ?? []), id).toEqual([1, 2]);
  expect(parts.length).toBe(5); // 600 records
  expect(drawn[0]).toBe(ids.length);
  stop();
  clock.mockRestore();
  for (const id of ids) curves.drop(id);
});

test('where a run was started is kept; a run that does not say, or says it in an unknown form, opens all the same', async () => {
  const library = new Library(memoryDriver());
  const origin = { kind: 'paper', title: 'P058, one arm', address: '#/papers/p058' } as const;
  await library.putRun(toRunFile(group('known', { origin })));
  await library.putRun(toRunFile(group('old')));
  const strange: unknown = { ...toRunFile(group('strange')), origin: { kind: 'satellite', title: 1 } };
  await library.driver.put('runs', 'strange', strange);
  await new RunPersistence(library, '/', () => {}).restore();
  expect(findGroup('known')?.origin).toEqual(origin);
  expect(findGroup('old')?.origin).toBeUndefined();
  expect(findGroup('strange')).toMatchObject({ id: 'strange' });
  expect(findGroup('strange')?.origin).toBeUndefined();
});
