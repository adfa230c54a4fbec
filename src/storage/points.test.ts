/** Points of a run: kept beside its newest state, sharing what never changes, within their share of the room. */
import { expect, test } from 'vitest';
import { MOST_POINTS } from '#contract/files/points-file.ts';
import type { Saved } from '#contract/run/events.ts';
import { type Driver, joined, memoryDriver } from './driver.ts';
import { type CheckpointInput, Library } from './library.ts';
import { POINTS_SHARE, type Point, pointBytes, thin } from './points.ts';

const CHUNK = 256; // numbers in a full replay chunk
const EVERY = 10;

/** A state with one more full replay chunk every ten steps, of which the newest `held` are kept. */
function stateAt(step: number, held: number): { readonly saved: Saved; readonly step: number; readonly sealedNames: readonly string[] } {
  const full = Math.floor(step / EVERY);
  const sealedNames = Array.from({ length: held }, (_, i) => full - held + i).flatMap((n) =>
    n < 0 ? [] : [`replay#${n}.obs`, `replay#${n}.reward`],
  );
  const arrays: Record<string, Saved['arrays'][string]> = {
    weights: Float32Array.of(step),
    [`replay#${full}.obs`]: Float32Array.of(full, step),
  };
  for (const name of sealedNames) arrays[name] = Float32Array.from({ length: CHUNK }, (_, i) => Number(name.replace(/\D/g, '')) + i);
  return { saved: { meta: { session: { step } }, arrays }, step, sealedNames };
}

const input = (step: number, held: number, more: Partial<CheckpointInput> = {}): CheckpointInput => ({
  ...stateAt(step, held),
  curves: [],
  policies: [],
  now: 0,
  point: true,
  ...more,
});

/** Bytes of all files. */
function counted(): { readonly driver: Driver; readonly files: Map<string, number> } {
  const inner = memoryDriver();
  const files = new Map<string, number>();
  const driver: Driver = {
    ...inner,
    writeFile: async (path, ...parts) => {
      files.set(path, joined(parts).length);
      await inner.writeFile(path, ...parts);
    },
    removeFile: async (path) => {
      files.delete(path);
      await inner.removeFile(path);
    },
  };
  return { driver, files };
}

test('a run of many saves keeps forty points, each whole, and stores every replay chunk once', async () => {
  const { driver, files } = counted();
  const library = new Library(driver);
  const saves = 60;
  for (let i = 1; i <= saves; i++) await library.saveCheckpoint('r', 1, input(i * EVERY, 8));
  const record = await library.checkpoint('r', 1);
  const points = record?.points ?? [];
  expect(points).toHaveLength(MOST_POINTS);
  for (const { step } of points) expect((await library.loadCheckpoint('r', 1, step))?.saved).toEqual(stateAt(step, 8).saved);
  // Spread over the whole run: no gap is longer than a tenth of it.
  const steps = [0, ...points.map(({ step }) => step)];
  expect(steps.at(-1)).toBe(saves * EVERY);
  expect(Math.max(...steps.slice(1).map((step, i) => step - steps[i]!))).toBeLessThanOrEqual(saves);
  // Forty buffers of eight chunks would be over five times as much as sixty chunks.
  const chunkBytes = 2 * 4 * CHUNK;
  const bytes = [...files.values()].reduce((a, b) => a + b, 0);
  expect(bytes).toBeLessThan(saves * chunkBytes * 1.5);
  expect(new Set([...files.keys()].filter((path) => path.includes('sealed'))).size).toBeLessThanOrEqual(saves);
});

test('points that wait in memory come without what is on the disk already, and are whole all the same', async () => {
  const library = new Library(memoryDriver());
  await library.saveCheckpoint('r', 1, input(20, 2));
  const { saved, ...rest } = stateAt(25, 2);
  const bare = {
    meta: saved.meta,
    arrays: Object.fromEntries(Object.entries(saved.arrays).filter(([name]) => !rest.sealedNames.includes(name))),
  };
  await library.saveCheckpoint('r', 1, input(40, 2, { points: [{ ...rest, saved: bare }], point: false }));
  expect((await library.checkpoint('r', 1))?.points?.map(({ step }) => step)).toEqual([20, 25]);
  expect((await library.loadCheckpoint('r', 1, 25))?.saved).toEqual(saved);
  expect(await library.loadCheckpoint('r', 1, 30)).toBeNull();
});

test('what all points may take is a share of what the browser gives, and who has taken it leaves less', async () => {
  const driver = { ...memoryDriver(), quota: async () => 1_000_000 };
  const library = new Library(driver);
  expect(await library.pointRoom('r', 1)).toBe(POINTS_SHARE * 1_000_000);
  for (let i = 1; i <= 3; i++) await library.saveCheckpoint('other', 1, input(i * EVERY, 1));
  const record = await library.checkpoint('other', 1);
  const taken = record === null ? 0 : pointBytes(record);
  expect(taken).toBeGreaterThan(2 * 2 * 4 * CHUNK); // two chunks that its newest state needs no more
  expect(await library.pointRoom('r', 1)).toBe(POINTS_SHARE * 1_000_000 - taken);
  expect(await library.pointRoom('other', 1)).toBe(POINTS_SHARE * 1_000_000);
});

test('without room the newest state is saved all the same, the points go, and it is said', async () => {
  const { driver, files } = counted();
  const library = new Library(driver);
  let answer = await library.saveCheckpoint('r', 1, input(10, 1));
  expect(answer).toMatchObject({ points: [10], full: false });
  answer = await library.saveCheckpoint('r', 1, input(20, 1, { room: 1 }));
  expect(answer).toMatchObject({ points: [], full: true });
  expect((await library.loadCheckpoint('r', 1))?.saved).toEqual(stateAt(20, 1).saved);
  expect(await library.loadCheckpoint('r', 1, 10)).toBeNull();
  expect([...files.keys()].filter((path) => path.includes('sealed'))).toHaveLength(1);
});

test('a record of an older page has no points and is read and replaced as before', async () => {
  const { driver, files } = counted();
  const old = new Library(driver);
  await old.saveCheckpoint('r', 1, input(10, 1, { point: false }));
  const { points: _, older: __, ...record } = (await old.checkpoint('r', 1)) ?? { points: [] };
  await driver.put('checkpoints', 'r/1', record);
  const library = new Library(driver);
  expect((await library.loadCheckpoint('r', 1))?.saved).toEqual(stateAt(10, 1).saved);
  await library.saveCheckpoint('r', 1, input(20, 1));
  expect((await library.loadCheckpoint('r', 1))?.saved).toEqual(stateAt(20, 1).saved);
  expect([...files.keys()].filter((path) => path.includes('sealed'))).toHaveLength(1);
});

test('thinning keeps the ends and drops what leaves the least gap', () => {
  const points = [1, 4, 9, 10, 25, 100].map((step, slot): Point => ({ step, slot, bytes: 10 }));
  const steps = (room: number, most: number): number[] => thin(points, new Map(), room, most).kept.map(({ step }) => step);
  expect(steps(1000, 5)).toEqual([1, 4, 10, 25, 100]);
  expect(steps(1000, 2)).toEqual([1, 100]);
  expect(steps(30, 9)).toEqual([1, 25, 100]);
  expect(steps(9, 9)).toEqual([]);
});
