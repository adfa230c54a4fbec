import { expect, test } from 'vitest';
import type { RunFile } from '#contract/files/files.ts';
import { fail } from '#contract/kit/errors.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import type { PolicySnapshot, Saved } from '#contract/run/events.ts';
import { newRunId } from '#contract/run/run-names.ts';
import { type Driver, joined, memoryDriver } from './driver.ts';
import { type CheckpointInput, Library } from './library.ts';

const config = runConfigSchema.parse({ env: { id: 'cartpole' }, algo: { id: 'ppo' } });

function run(id: string, createdAt: number): RunFile {
  return {
    kind: 'run',
    version: 1,
    id,
    name: id,
    config,
    hash: 'h',
    colour: 0,
    dash: 0,
    createdAt,
    visible: true,
    note: '',
    parent: null,
    executorReason: '',
    seeds: [],
  };
}

const policy = (step: number): PolicySnapshot => ({
  kind: 'policy',
  version: 1,
  env: { id: 'e', version: 1, config: {} },
  algo: { id: 'a', version: 1, config: {} },
  seed: 1,
  step,
  executor: 'wasm',
  saved: { meta: {}, arrays: { w: Float32Array.of(step) } },
});

/** A state as a replay-buffer learner saves it: chunks 0..n-1 are full, the older ones dropped. */
function input(step: number, chunks: readonly number[], open: number): CheckpointInput {
  const arrays: Record<string, Saved['arrays'][string]> = {
    weights: Float32Array.of(step),
    [`replay#${open}`]: Float32Array.of(step, open),
  };
  for (const n of chunks) arrays[`replay#${n}`] = Float32Array.of(n, n * 2);
  return {
    saved: { meta: { step }, arrays },
    step,
    sealedNames: chunks.map((n) => `replay#${n}`),
    curves: [{ from: step - 10, columns: ['a'], rows: Float64Array.of(step, 1) }],
    policies: [{ snapshot: policy(step), keep: step % 20 === 0 }],
    now: 0,
  };
}

/** A driver that says how many bytes it wrote where, and can fail from one call on. */
function watched(): { driver: Driver; written: Map<string, number>; failAt: { file: number; error: Error | null } } {
  const inner = memoryDriver();
  const written = new Map<string, number>();
  const failAt = { file: Number.POSITIVE_INFINITY, error: null as Error | null };
  let writes = 0;
  const driver: Driver = {
    ...inner,
    writeFile: async (path, ...parts) => {
      if (++writes >= failAt.file) throw failAt.error ?? new Error('the tab was killed');
      written.set(path, joined(parts).length);
      await inner.writeFile(path, ...parts);
    },
  };
  return { driver, written, failAt };
}

test('a checkpoint comes back whole; sealed arrays are written once and dropped when the run drops them', async () => {
  const { driver, written } = watched();
  const library = new Library(driver);
  await library.saveCheckpoint('r', 1, input(10, [0], 1));
  await library.saveCheckpoint('r', 1, input(20, [0, 1], 2));
  written.clear();
  await library.saveCheckpoint('r', 1, input(30, [1, 2], 3));
  expect([...written.keys()].filter((path) => path.includes('sealed'))).toHaveLength(1);
  const loaded = await library.loadCheckpoint('r', 1);
  expect(loaded?.step).toBe(30);
  expect(loaded?.saved.meta).toEqual({ step: 30 });
  expect(Object.keys(loaded?.saved.arrays ?? {}).sort()).toEqual(['replay#1', 'replay#2', 'replay#3', 'weights']);
  expect(Array.from(loaded?.saved.arrays['replay#1'] ?? [])).toEqual([1, 2]);
  expect((await library.checkpoint('r', 1))?.sealed.flatMap(({ names }) => names)).toEqual(['replay#1', 'replay#2']);
});

test('killed in the middle of any write, the checkpoint before is whole', async () => {
  for (const nth of [1, 2]) {
    const { driver, failAt } = watched();
    const library = new Library(driver);
    await library.saveCheckpoint('r', 1, input(10, [0], 1));
    failAt.file = 2 + nth;
    await expect(library.saveCheckpoint('r', 1, input(20, [0, 1], 2))).rejects.toThrow();
    failAt.file = Number.POSITIVE_INFINITY;
    const loaded = await library.loadCheckpoint('r', 1);
    expect(loaded?.step).toBe(10);
    expect(Array.from(loaded?.saved.arrays.weights ?? [])).toEqual([10]);
    await library.saveCheckpoint('r', 1, input(20, [0, 1], 2));
    expect((await library.loadCheckpoint('r', 1))?.step).toBe(20);
  }
});

test('a full disk is recognised and loses nothing', async () => {
  const { driver, failAt } = watched();
  const library = new Library(driver);
  await library.saveCheckpoint('r', 1, input(10, [], 1));
  failAt.file = 1;
  failAt.error = fail('storage-full', 'full', 'delete');
  await expect(library.saveCheckpoint('r', 1, input(20, [], 1))).rejects.toMatchObject({ failure: { id: 'storage-full' } });
  expect((await library.loadCheckpoint('r', 1))?.step).toBe(10);
});

test('curves measured again after a resume replace the old ones', async () => {
  const library = new Library(memoryDriver());
  const chunk = (from: number, value: number): { from: number; columns: string[]; rows: Float64Array } => ({
    from,
    columns: ['a'],
    rows: Float64Array.of(from + 1, value),
  });
  for (const from of [0, 10, 20, 30]) await library.putCurves('r', 1, [chunk(from, 1)]);
  await library.putCurves('r', 1, [chunk(20, 2)]);
  expect((await library.curves('r', 1)).map(({ from, rows }) => [from, rows[1]])).toEqual([
    [0, 1],
    [10, 1],
    [20, 2],
  ]);
});

test('kept policies stay, of the others only the newest', async () => {
  const library = new Library(memoryDriver());
  for (const step of [10, 20, 30, 40, 50]) await library.saveCheckpoint('r', 1, input(step, [], 0));
  expect((await library.policies('r', 1)).map(({ snapshot }) => snapshot.step)).toEqual([20, 40, 50]);
});

test('runs are listed newest first, removed with all they have, and what was never kept is found', async () => {
  const library = new Library(memoryDriver());
  await library.putRun(run('old', 1));
  await library.putRun(run('new', 2));
  await library.driver.put('runs', 'broken', { kind: 'run', version: 99 });
  await library.saveCheckpoint('old', 1, input(10, [0], 1));
  await library.saveCheckpoint('visitor', 1, input(10, [0], 1));
  expect((await library.runs()).map(({ id }) => id)).toEqual(['new', 'old']);
  expect(await library.orphans()).toEqual(['visitor']);
  await library.removeRun('old');
  expect(await library.loadCheckpoint('old', 1)).toBeNull();
  expect(await library.curves('old', 1)).toEqual([]);
  await library.removeAll();
  expect(await library.runs()).toEqual([]);
  expect(await library.orphans()).toEqual([]);
});

test('run ids sort by time and are plain', () => {
  const first = newRunId(config, 1_700_000_000_000, 0.5);
  expect(first).toMatch(/^[a-z0-9]+-cartpole-ppo-[a-z0-9]{4}$/);
  expect(newRunId(config, 1_700_000_000_001, 0) > first).toBe(true);
});
