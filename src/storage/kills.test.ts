/** A process killed at any write of its checkpoints: the run goes on from a whole one, and ends as if nothing had been. */
import { expect, test } from 'vitest';
import type { RunFile } from '#contract/files/files.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import type { PolicySnapshot, Saved } from '#contract/run/events.ts';
import { type Driver, memoryDriver } from './driver.ts';
import { killable, MOMENTS } from './faults.ts';
import { type CheckpointInput, Library } from './library.ts';

const RUN = 'r';
const SEED = 7;
const SAVES = 8;
const EVERY = 10; // steps between saves
const KEPT_EVERY = 30; // steps: a policy that stays

const config = runConfigSchema.parse({ env: { id: 'e' }, algo: { id: 'a' } });
const runFile: RunFile = {
  kind: 'run',
  version: 1,
  id: RUN,
  name: 'run',
  config,
  hash: 'h',
  colour: 0,
  dash: 0,
  createdAt: 1,
  visible: true,
  note: '',
  parent: null,
  executorReason: '',
  seeds: [],
};

/** The whole of a run's state at a step: every array depends on it; a full replay chunk per save, of which the newest three are kept. */
function stateAt(step: number): { readonly saved: Saved; readonly sealedNames: readonly string[] } {
  const full = Math.floor(step / EVERY);
  const sealedNames = [full - 3, full - 2, full - 1].filter((n) => n >= 0).map((n) => `replay#${n}`);
  const arrays: Record<string, Saved['arrays'][string]> = {
    weights: Float64Array.of(step, Math.sqrt(step)),
    [`replay#${full}`]: Float32Array.of(full, step),
  };
  for (const name of sealedNames) arrays[name] = Float32Array.from({ length: 8 }, (_, i) => Number(name.slice(7)) * 100 + i);
  return { saved: { meta: { session: { step } }, arrays }, sealedNames };
}

const policyAt = (step: number): PolicySnapshot => ({
  kind: 'policy',
  version: 1,
  env: { id: 'e', version: 1, config: {} },
  algo: { id: 'a', version: 1, config: {} },
  seed: SEED,
  step,
  executor: 'wasm',
  saved: { meta: {}, arrays: { w: Float32Array.of(step) } },
});

/** What a run that stood at `from` saves at `step`. */
function input(from: number, step: number): CheckpointInput {
  const rows = Array.from({ length: step - from }, (_, i) => [from + i + 1, Math.sin(from + i + 1)]);
  return {
    ...stateAt(step),
    step,
    curves: [{ from, columns: ['a'], rows: Float64Array.from(rows.flat()) }],
    policies: [{ snapshot: policyAt(step), keep: step % KEPT_EVERY === 0 }],
    now: 0,
    points: [{ ...stateAt(step - EVERY / 2), step: step - EVERY / 2 }],
    point: step % KEPT_EVERY === 0,
  };
}

/** Steps of the points that a run that stands there has. */
const pointsUpTo = (step: number): number[] =>
  Array.from({ length: (2 * step) / EVERY }, (_, i) => ((i + 1) * EVERY) / 2).filter((at) => at % EVERY !== 0 || at % KEPT_EVERY === 0);

/** Trains on from the newest checkpoint to the end, as a worker does. Rejects where the process is killed. */
async function trainOn(driver: Driver): Promise<void> {
  const library = new Library(driver);
  await library.putRun(runFile);
  let step = (await library.loadCheckpoint(RUN, SEED))?.step ?? 0;
  while (step < SAVES * EVERY) {
    await library.saveCheckpoint(RUN, SEED, input(step, step + EVERY));
    step += EVERY;
  }
}

/** What the disk holds of the run must be whole: the state of the checkpoint's step, every row up to it and every kept policy. */
async function checkWhole(disk: Driver, atLeast: number): Promise<number> {
  const library = new Library(disk);
  const loaded = await library.loadCheckpoint(RUN, SEED);
  const step = loaded?.step ?? 0;
  expect(step).toBeGreaterThanOrEqual(atLeast);
  if (loaded !== null) expect(loaded.saved).toEqual(stateAt(step).saved);
  const points = (await library.checkpoint(RUN, SEED))?.points ?? [];
  expect(points.map((point) => point.step)).toEqual(pointsUpTo(step));
  for (const point of points) expect((await library.loadCheckpoint(RUN, SEED, point.step))?.saved).toEqual(stateAt(point.step).saved);
  const rows = new Map<number, number>();
  for (const chunk of await library.curves(RUN, SEED))
    for (let i = 0; i < chunk.rows.length; i += 2) rows.set(chunk.rows[i]!, chunk.rows[i + 1]!);
  const steps = Array.from({ length: step }, (_, i) => i + 1);
  expect(steps.filter((at) => rows.get(at) !== Math.sin(at))).toEqual([]);
  const policies = (await library.policies(RUN, SEED)).map(({ snapshot }) => snapshot.step);
  for (let at = KEPT_EVERY; at <= step; at += KEPT_EVERY) expect(policies, `checkpoint of ${step}`).toContain(at);
  if (step > 0) expect(policies, `the newest policy, checkpoint of ${step}`).toContain(step);
  return step;
}

/** Everything a reader can see of the finished run. */
async function outcome(disk: Driver): Promise<object> {
  const library = new Library(disk);
  const policies = await library.policies(RUN, SEED);
  return {
    runs: await library.runs(),
    checkpoint: await library.loadCheckpoint(RUN, SEED),
    points: (await library.checkpoint(RUN, SEED))?.points?.map(({ step }) => step),
    curves: await library.curves(RUN, SEED),
    // A kill in the very last write may leave the policy before the newest.
    policies: policies.filter(({ keep }, i) => keep || i === policies.length - 1),
  };
}

async function undisturbed(): Promise<{ readonly writes: number; readonly end: object; readonly stepAt: readonly number[] }> {
  const disk = memoryDriver();
  const stepAt: number[] = [];
  const counted = killable(disk);
  const noting: Driver = {
    ...counted.driver,
    put: async (table, key, value) => {
      await counted.driver.put(table, key, value);
      if (table === 'checkpoints') stepAt[counted.writes()] = (value as { readonly step: number }).step;
    },
  };
  await trainOn(noting);
  const writes = counted.writes();
  for (let n = 1, step = 0; n <= writes; n++) stepAt[n] = step = stepAt[n] ?? step;
  return { writes, end: await outcome(disk), stepAt };
}

test('no run is lost by a kill at any write of any checkpoint, before, amid and after it', async () => {
  const { writes, end, stepAt } = await undisturbed();
  let kills = 0;
  for (let nth = 1; nth <= writes; nth++) {
    for (const moment of MOMENTS) {
      const disk = memoryDriver();
      const process = killable(disk, nth, moment);
      await expect(trainOn(process.driver)).rejects.toThrow('killed');
      kills++;
      // Never older than the last checkpoint that was complete before this write.
      await checkWhole(disk, stepAt[nth - 1] ?? 0);
      await trainOn(disk);
      expect(await outcome(disk)).toEqual(end);
    }
  }
  expect(kills).toBeGreaterThanOrEqual(100);
});

test('nor by a second kill while it catches up', async () => {
  const { writes, end } = await undisturbed();
  let kills = 0;
  for (let nth = 1; nth <= writes; nth += 2) {
    const disk = memoryDriver();
    await expect(trainOn(killable(disk, nth, MOMENTS[nth % 3]).driver)).rejects.toThrow('killed');
    const before = await checkWhole(disk, 0);
    const again = killable(disk, 1 + ((nth * 7) % 11), MOMENTS[(nth + 1) % 3]);
    await trainOn(again.driver).then(
      () => {},
      () => kills++,
    );
    await checkWhole(disk, before);
    await trainOn(disk);
    expect(await outcome(disk)).toEqual(end);
  }
  expect(kills).toBeGreaterThan(writes / 4);
});

test('a removal that is cut short leaves no run that is half there', async () => {
  const full = memoryDriver();
  await trainOn(full);
  const counted = killable(full);
  await new Library(counted.driver).removeRun(RUN);
  for (let nth = 1; nth <= counted.writes(); nth++) {
    for (const moment of MOMENTS) {
      const disk = memoryDriver();
      await trainOn(disk);
      await expect(new Library(killable(disk, nth, moment).driver).removeRun(RUN)).rejects.toThrow('killed');
      const library = new Library(disk);
      if ((await library.runs()).length > 0) {
        await checkWhole(disk, SAVES * EVERY);
        continue;
      }
      // What is left is found at the next start and removed (client/run-persistence.ts).
      for (const id of await library.orphans()) await library.removeRun(id);
      expect(await outcome(disk)).toEqual({ runs: [], checkpoint: null, points: undefined, curves: [], policies: [] });
    }
  }
});
