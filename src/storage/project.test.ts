import { readFileSync } from 'node:fs';
import { unzipSync, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { type FileTree, unzipContainer } from '#contract/files/container.ts';
import { type CurveColumn, encodePolicyFile, type RunFile } from '#contract/files/files.ts';
import { fail, toFailure } from '#contract/kit/errors.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import { configHash } from '#contract/run/config-hash.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { encodeSaved } from '#contract/run/saved.ts';
import { type Driver, memoryDriver } from './driver.ts';
import { Library } from './library.ts';
import { type AddOptions, addProject, decodeProject, writeProject } from './project.ts';

const run: RunFile = {
  kind: 'run',
  version: 1,
  id: 'r1',
  name: 'My run',
  config: runConfigSchema.parse({ env: { id: 'e', config: { map: ['SG'] } }, algo: { id: 'a', config: { lr: 0.1 } } }),
  hash: 'abcdefabcdef',
  colour: 3,
  dash: 1,
  createdAt: 5,
  visible: true,
  note: 'a "note", with commas',
  parent: null,
  executorReason: 'exact',
  seeds: [
    {
      seed: 7,
      state: 'paused',
      step: 30,
      seconds: 1,
      stepsPerSecond: 30,
      checkpointStep: 30,
      result: null,
      failure: null,
      marks: [{ kind: 'mark', step: 3, type: 'edit', text: 't', path: 'algo.lr', value: 0.2, by: 'user' }],
    },
  ],
};
const curves: CurveColumn[] = [
  { seed: 7, metric: 'a', steps: Float64Array.of(10, 20, 30), values: Float64Array.of(0.1, 1 / 3, -1e-300) },
  { seed: 7, metric: 'rare', steps: Float64Array.of(30), values: Float64Array.of(Number.POSITIVE_INFINITY) },
];

const policies: PolicySnapshot[] = [
  {
    kind: 'policy',
    version: 1,
    env: { id: 'e', version: 1, config: {} },
    algo: { id: 'a', version: 1, config: {} },
    seed: 7,
    step: 30,
    executor: 'wasm',
    saved: { meta: {}, arrays: { w: Float32Array.of(1, 2) } },
  },
];

async function filled(): Promise<Library> {
  const library = new Library(memoryDriver());
  await library.putRun(run);
  await library.saveCheckpoint('r1', 7, {
    saved: { meta: { kind: 'checkpoint' }, arrays: { w: Float32Array.of(1, 2), 'r#0': Uint8Array.of(9) } },
    step: 30,
    sealedNames: ['r#0'],
    curves: [],
    policies: policies.map((snapshot) => ({ keep: true, snapshot })),
    now: 0,
  });
  return library;
}

const readFiles = async (library: Library, tree: FileTree, options: AddOptions) => addProject(library, decodeProject(tree), options);
const readProject = async (library: Library, bytes: Uint8Array, options: AddOptions) => readFiles(library, unzipContainer(bytes), options);
const runsOf = async (...read: Parameters<typeof readProject>) => (await readProject(...read)).runs;

test('export, delete all, import: everything is as it was, bit for bit', async () => {
  const library = await filled();
  const bytes = await writeProject(library, [{ run, curves, policies }], '2026-01-02T03:04:05Z');
  const checkpoint = await library.loadCheckpoint('r1', 7);
  const kept = await library.policies('r1', 7);
  await library.removeAll();
  const imported = await readProject(library, bytes, { newId: () => 'other' });
  expect(imported).toMatchObject({ runs: [{ run, curves }], layout: undefined });
  expect(await library.runs()).toEqual([run]);
  expect(await library.loadCheckpoint('r1', 7)).toEqual(checkpoint);
  expect(await library.policies('r1', 7)).toEqual(kept);
  expect((await library.curves('r1', 7)).map((chunk) => [chunk.columns[0], Array.from(chunk.rows)])).toEqual([
    ['a', [10, 0.1, 20, 1 / 3, 30, -1e-300]],
    ['rare', [30, Number.POSITIVE_INFINITY]],
  ]);
  const again = await writeProject(
    library,
    [{ ...imported.runs[0]!, policies: kept.map(({ snapshot }) => snapshot) }],
    '2026-01-02T03:04:05Z',
  );
  expect(unzipSync(again)).toEqual(unzipSync(bytes)); // but for the time of writing in the archive
});

test('importing beside the original makes a copy of another name', async () => {
  const library = await filled();
  const bytes = await writeProject(library, [{ run, curves, policies }], '2026-01-02T03:04:05Z');
  await readProject(library, bytes, { newId: () => 'copy' });
  expect((await library.runs()).map(({ id }) => id).sort()).toEqual(['copy', 'r1']);
  expect((await library.loadCheckpoint('copy', 7))?.step).toBe(30);
});

test('a broken file changes nothing', async () => {
  const library = await filled();
  const bytes = await writeProject(library, [{ run, curves, policies }], '2026-01-02T03:04:05Z');
  const empty = new Library(memoryDriver());
  for (const length of [0, 10, bytes.length >> 1, bytes.length - 1]) {
    await expect(readProject(empty, bytes.subarray(0, length), { newId: () => 'x' })).rejects.toMatchObject({
      failure: { id: 'file-invalid' },
    });
  }
  expect(await empty.runs()).toEqual([]);
  expect(await empty.orphans()).toEqual([]);
});

test('no bit of the content can change unnoticed', async () => {
  const library = await filled();
  const bytes = await writeProject(library, [{ run, curves, policies }], '2026-01-02T03:04:05Z');
  const project = zipSync(unzipSync(bytes), { level: 0 }); // stored, so that a flipped bit is a changed value
  const curve = Buffer.from(project).indexOf('0.3333');
  expect(curve).toBeGreaterThan(0);
  const policy = Buffer.from(project).indexOf('"step":30', curve);
  for (const at of [curve + 2, curve + 5, policy + 8]) {
    const flipped = project.slice();
    flipped[at]! ^= 1;
    const empty = new Library(memoryDriver());
    await expect(readProject(empty, flipped, { newId: () => 'x' })).rejects.toMatchObject({ failure: { id: 'file-invalid' } });
    expect(await empty.runs()).toEqual([]);
  }
});

test('no byte of the directory or of a local header can change what is opened', async () => {
  const project = await writeProject(await filled(), [{ run, curves, policies }], '2026-01-02T03:04:05Z');
  const opened = async (bytes: Uint8Array): Promise<unknown> => {
    const library = new Library(memoryDriver());
    const found = await readProject(library, bytes, { newId: () => 'x' });
    return [found, await library.loadCheckpoint('r1', 7), await library.policies('r1', 7)];
  };
  const whole = await opened(project);
  for (const [i, at] of headersOf(project).entries()) {
    const flipped = project.slice();
    flipped[at]! ^= 1 << (i & 7);
    const found = await opened(flipped).catch((error: unknown) => {
      expect(toFailure(error).id, `byte ${at}`).toBe('file-invalid');
      return whole;
    });
    expect(found, `byte ${at}`).toEqual(whole);
  }
});

/** Places of all bytes that are no content: local headers, the directory and its end. */
function headersOf(zip: Uint8Array): number[] {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength);
  const directory = view.getUint32(zip.length - 6, true);
  const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);
  const local: number[] = [];
  for (let at = 0; at < directory; ) {
    const name = view.getUint16(at + 26, true);
    local.push(...range(at, at + 30 + name));
    at += 30 + name + view.getUint16(at + 28, true) + view.getUint32(at + 18, true);
  }
  return [...local, ...range(directory, zip.length)];
}

test('a run never takes the id of another, nor one that is no id', async () => {
  const library = await filled();
  const bytes = await writeProject(library, [{ run, curves, policies }], '2026-01-02T03:04:05Z');
  const entries = unzipSync(bytes);
  const text = (value: object): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
  for (const [folder, id] of [
    ['innocent', 'r1'],
    ['..', '..'],
    ['=HYPERLINK(1)', '=HYPERLINK(1)'],
    ['x'.repeat(5000), 'x'.repeat(5000)],
  ] as const) {
    const files: Record<string, Uint8Array> = {
      'project.json': text({
        kind: 'project',
        version: 2,
        savedAt: '2026-01-02T03:04:05Z',
        runs: [{ folder, name: '', hash: '', seeds: [] }],
      }),
    };
    for (const [name, data] of Object.entries(entries)) if (name.startsWith('r1/')) files[name.replace('r1', folder)] = data;
    files[`${folder}/run.json`] = text({ ...run, id });
    const [imported] = await runsOf(library, zipSync(files), { newId: () => 'given' });
    expect(imported?.run.id, folder.slice(0, 20)).toMatch(/^given(-\d)?$/);
  }
  expect((await library.curves('r1', 7)).length).toBe(0); // as it was stored
});

test('entries that no project has are not unpacked', async () => {
  const bytes = await writeProject(await filled(), [{ run, curves, policies }], '2026-01-02T03:04:05Z');
  const bomb = zipSync({ ...unzipSync(bytes), 'other/bomb.bin': new Uint8Array(16_000_000) }, { level: 1 });
  // its checksum is wrong, which only unpacking can tell
  const entry = Buffer.from(bomb).lastIndexOf('other/bomb.bin') - 46; // in the zip's directory
  bomb[entry + 16]! ^= 1;
  const [imported] = await runsOf(new Library(memoryDriver()), bomb, { newId: () => 'x' });
  expect(imported).toMatchObject({ run, curves });
});

test('entries that unpack to far more than we write are refused before they are unpacked', async () => {
  const bytes = await writeProject(await filled(), [{ run, curves, policies }], '2026-01-02T03:04:05Z');
  const zeros = new Uint8Array(16_000_000);
  for (const [name, why] of [
    ['r1/seed-7/curve.csv', /too large/],
    ['r1/seed-7/result.json', /too large/],
    ['r1/seed-7/checkpoint.rlwb', /is no checkpoint/],
    ['r1/seed-7/policies.rlwb', /is no checkpoint/],
  ] as const) {
    const bomb = zipSync({ ...unzipSync(bytes), [name]: zeros }, { level: 1 });
    expect(bomb.length).toBeLessThan(200_000);
    const before = process.memoryUsage().arrayBuffers;
    await expect(readProject(new Library(memoryDriver()), bomb, { newId: () => 'x' })).rejects.toThrow(why);
    expect(process.memoryUsage().arrayBuffers - before, name).toBeLessThan(8_000_000);
  }
  const many = Object.fromEntries(Array.from({ length: 20_001 }, (_, i) => [`r1/${i}/policy-${i}.json`, new Uint8Array(0)]));
  await expect(readProject(new Library(memoryDriver()), zipSync(many, { level: 0 }), { newId: () => 'x' })).rejects.toThrow(
    /at most 20000 are read/,
  );
});

test('entries that share their bytes are refused before they are unpacked', async () => {
  const whole = zipSync({ 'r1/seed-7/checkpoint.rlwb': encodeSaved({ meta: {}, arrays: { w: new Float32Array(1_000_000) } }) });
  const view = new DataView(whole.buffer, whole.byteOffset);
  const [end, from] = [whole.length - 22, view.getUint32(whole.length - 6, true)];
  const entry = whole.subarray(from, end);
  const times = 60;
  const bomb = new Uint8Array(end + entry.length * (times - 1) + 22);
  bomb.set(whole.subarray(0, end));
  for (let i = 1; i < times; i++) bomb.set(entry, end + (i - 1) * entry.length);
  bomb.set(whole.subarray(end), bomb.length - 22);
  const tail = new DataView(bomb.buffer, bomb.length - 22);
  tail.setUint16(8, times, true);
  tail.setUint16(10, times, true);
  tail.setUint32(12, entry.length * times, true);
  await expect(readProject(new Library(memoryDriver()), bomb, { newId: () => 'x' })).rejects.toThrow('take more bytes than it has');
});

test('a checkpoint that hardly compresses, or that is one long line of zeros, is opened', async () => {
  const noise = Float32Array.from({ length: 50_000 }, (_, i) => Math.sin(i * i));
  for (const w of [noise, new Float32Array(300_000)]) {
    const library = await filled();
    await library.saveCheckpoint('r1', 7, {
      saved: { meta: {}, arrays: { w } },
      step: 31,
      sealedNames: [],
      curves: [],
      policies: [],
      now: 0,
    });
    const bytes = await writeProject(library, [{ run, curves, policies }], '2026-01-02T03:04:05Z');
    const other = new Library(memoryDriver());
    await readProject(other, bytes, { newId: () => 'x' });
    const back = (await other.loadCheckpoint('r1', 7))?.saved.arrays.w ?? new Uint8Array(0);
    expect(Buffer.from(back.buffer).equals(Buffer.from(w.buffer))).toBe(true);
  }
});

test('a config that cannot be opened is named, with its run and field, and nothing is written', async () => {
  const bytes = await writeProject(await filled(), [{ run, curves, policies }], '2026-01-02T03:04:05Z');
  const empty = new Library(memoryDriver());
  const check = async (): Promise<void> => {
    throw fail('config-invalid', '"algo.lr" must be at most 1.', 'Lower it.', 'algo.lr');
  };
  await expect(readProject(empty, bytes, { newId: () => 'x', check })).rejects.toMatchObject({
    failure: { id: 'file-invalid', field: 'algo.lr', message: expect.stringMatching(/"My run".*"algo.lr" must be at most 1/) },
  });
  expect(await empty.driver.keys('runs')).toEqual([]);
});

test('a new id is asked for until it is free', async () => {
  const library = await filled();
  const bytes = await writeProject(library, [{ run, curves, policies }], '2026-01-02T03:04:05Z');
  const [imported] = await runsOf(library, bytes, { newId: () => 'r1', taken: ['r1-2'] });
  expect(imported?.run.id).toBe('r1-3');
});

test('a project is written without its checkpoints where the disk has gone', async () => {
  const gone: Driver['get'] = () => Promise.reject(fail('storage-missing', 'Gone.', ''));
  const bytes = await writeProject(new Library({ ...memoryDriver(), get: gone }), [{ run, curves, policies }], '2026-01-02T03:04:05Z');
  const [imported] = await runsOf(new Library(memoryDriver()), bytes, { newId: () => 'x' });
  expect(imported).toMatchObject({ run, curves });
});

test('all kept states come back with what they share, and the layout with the new id of the run that was looked at', async () => {
  const library = new Library(memoryDriver());
  await library.putRun(run);
  // As a learner with a replay buffer saves: chunk 0 is sealed from the first point on, chunk 1 from the third, chunk 0 is dropped at the end.
  const state = (step: number, sealed: readonly number[]) => ({
    saved: {
      meta: { session: { step } },
      arrays: {
        weights: Float32Array.of(step, Number.NaN),
        ...Object.fromEntries(sealed.map((n) => [`replay.${n}.obs`, Uint8Array.of(n, 7)])),
      },
    },
    step,
    sealedNames: sealed.map((n) => `replay.${n}.obs`),
  });
  const points = [state(10, [0]), state(20, [0, 1])];
  await library.saveCheckpoint('r1', 7, { ...state(30, [1]), points, point: true, curves: [], policies: [], now: 0 });
  const steps = [10, 20, 30];
  const wanted = await Promise.all(steps.map((step) => library.loadCheckpoint('r1', 7, step)));
  const record = await library.checkpoint('r1', 7);
  expect(record?.points?.map(({ step }) => step)).toEqual(steps);
  const layout = {
    depth: 'research' as const,
    leftOpen: false,
    rightOpen: true,
    runsOpen: true,
    active: 'r1',
    filter: 'lr',
    sort: { column: 'name', down: false },
    metric: 'a',
    xAxis: 'seconds' as const,
    smoothing: 0.5,
    rawSeeds: true,
  };
  const bytes = await writeProject(library, [{ run, curves, policies: [] }], '2026-01-02T03:04:05Z', { everything: true, layout });
  const other = new Library(memoryDriver());
  const back = await readProject(other, bytes, { newId: () => 'x' });
  expect(back.layout).toEqual(layout);
  expect(await Promise.all(steps.map((step) => other.loadCheckpoint('r1', 7, step)))).toEqual(wanted);
  const again = await other.checkpoint('r1', 7);
  expect(again?.points?.map(({ step, chunks }) => [step, chunks?.length])).toEqual(
    record?.points?.map(({ step, chunks }) => [step, chunks?.length]),
  );
  expect(again?.sealed).toEqual(record?.sealed); // files named by what they hold
  // Exported once more it is the same file, and beside a run of this id all of it has another.
  const twice = await writeProject(other, [{ run, curves, policies: [] }], '2026-01-02T03:04:05Z', { everything: true, layout });
  expect(unzipSync(twice)).toEqual(unzipSync(bytes)); // the zip itself holds the time
  expect((await readProject(other, bytes, { newId: () => 'copy' })).layout?.active).toBe('copy');

  // States that do not belong together are refused, and nothing is written.
  const files = unzipSync(bytes);
  files['r1/seed-7/checkpoint.rlwb'] = encodeSaved({ meta: {}, arrays: { weights: Float32Array.of(1) } }).slice();
  const empty = new Library(memoryDriver());
  await expect(readProject(empty, zipSync(files), { newId: () => 'x' })).rejects.toThrow('do not fit together');
  expect(await empty.runs()).toEqual([]);
});

test('a project file of version 1 opens as it did', async () => {
  const bytes = new Uint8Array(readFileSync('src/storage/golden/project-1.lab'));
  const library = new Library(memoryDriver());
  const [imported] = await runsOf(library, bytes, { newId: () => 'x' });
  expect(imported?.run).toMatchObject({ id: 'r1', name: 'My run', colour: 3, hash: 'abcdefabcdef' });
  expect(imported?.run.seeds).toMatchObject([{ seed: 7, state: 'done', result: { finalReturn: 21.5, parameterHash: '89abcdef' } }]);
  expect(imported?.run.seeds[0]?.marks).toHaveLength(1);
  expect(imported?.curves).toEqual([
    { seed: 7, metric: 'episodicReturn', steps: Float64Array.of(10, 20, 30), values: Float64Array.of(0.1, 1 / 3, -1e-300) },
    { seed: 7, metric: 'loss', steps: Float64Array.of(30), values: Float64Array.of(Number.POSITIVE_INFINITY) },
  ]);
  const kept = await library.policies('r1', 7);
  expect(kept.map(({ snapshot }) => [snapshot.step, snapshot.saved.meta.note, ...(snapshot.saved.arrays.w ?? [])])).toEqual([
    [9, 'x', 1, 9],
    [20, 'x', 1, 20],
    [30, 'x', 1, 30],
  ]);
  for (const step of [10, 20, 30])
    expect(Array.from((await library.loadCheckpoint('r1', 7, step))?.saved.arrays.weights ?? [])).toEqual([step, Number.NaN]);
});

test('a file for others has the newest state and six policies a seed: under 2 MB for five seeds of 9,155 parameters', async () => {
  const library = new Library(memoryDriver());
  // Numbers that hardly compress, as weights.
  const weights = (seed: number): Float32Array => Float32Array.from({ length: 9155 }, (_, i) => Math.sin(seed * 7919 + i * i));
  const [listed] = run.seeds;
  const seeds = [1, 2, 3, 4, 5].map((seed) => ({ ...listed!, seed }));
  const of = (seed: number, step: number): PolicySnapshot => ({
    ...policies[0]!,
    seed,
    step,
    saved: { meta: {}, arrays: { w: weights(seed + step) } },
  });
  const steps = Array.from({ length: 31 }, (_, i) => (i + 1) ** 2 * 20);
  const state = (seed: number, step: number) => ({
    saved: { meta: { session: { step } }, arrays: { w: weights(seed), m: weights(seed + 1), v: weights(seed + 2) } },
    step,
    sealedNames: [],
  });
  for (const seed of [1, 2, 3, 4, 5]) {
    const points = steps.slice(0, -1).map((step) => state(seed, step));
    await library.saveCheckpoint('r1', seed, { ...state(seed, 19_220), points, point: true, curves: [], policies: [], now: 0 });
  }
  const whole = [{ run: { ...run, seeds }, curves, policies: seeds.flatMap(({ seed }) => steps.map((step) => of(seed, step))) }];
  const few = await writeProject(library, whole, '2026-01-02T03:04:05Z', { everything: false });
  const all = await writeProject(library, whole, '2026-01-02T03:04:05Z', { everything: true });
  expect(few.length).toBeLessThan(2_000_000);
  expect(all.length).toBeGreaterThan(10 * few.length);
  const other = new Library(memoryDriver());
  await readProject(other, few, { newId: () => 'x' });
  const kept = (await other.policies('r1', 3)).map(({ snapshot }) => snapshot.step);
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([6, 20, 19_220]);
  expect((await other.loadCheckpoint('r1', 3))?.saved.arrays.v).toEqual(weights(5));
});

test('a folder of the command line opens as a run that can go on, with name and look of its own', async () => {
  const { config } = run;
  const result = { seed: 2, finalReturn: 3, evalReturn: null, evalLoops: 0, perAgent: [3], steps: 30, seconds: 1, stepsPerSecond: 30 };
  const text = (value: unknown): Uint8Array => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
  const tree = new Map([
    ['a/run.json', text({ kind: 'cli-run', version: 1, config })],
    ['a/seed-2/result.json', text({ ...result, parameterHash: '01234567', exactScore: 0.5 })],
    ['a/seed-2/curve.csv', text('run,seed,step,metric,value\ncli,2,10,a,0.5\n')],
    ['a/seed-2/policy.json', text(encodePolicyFile({ ...policies[0]!, seed: 2 }))],
    ['a/seed-10/checkpoint.rlwb', encodeSaved({ meta: { session: { step: 12 } }, arrays: { w: Float32Array.of(4) } })],
    ['a/seed-10/curve.csv', text('run,seed,step,metric,value\ncli,10,12,a,0.25\n')],
  ]);
  const library = new Library(memoryDriver());
  const complete = (one: RunFile): RunFile => ({ ...one, name: one.name || 'given', colour: 5 });
  const [found] = (await readFiles(library, tree, { newId: () => 'x', complete })).runs;
  expect(found?.run).toMatchObject({ id: 'x', name: 'given', colour: 5, hash: configHash(config) });
  expect(found?.run.seeds.map(({ seed, state, step }) => [seed, state, step])).toEqual([
    [2, 'done', 30],
    [10, 'interrupted', 12],
  ]);
  expect(found?.run.seeds[0]?.result).toMatchObject({ finalReturn: 3, parameterHash: '01234567' });
  expect((await library.loadCheckpoint('x', 10))?.step).toBe(12);
  expect((await library.policies('x', 2)).length).toBe(1);
  await expect(readFiles(library, new Map([['notes.txt', text('x')]]), { newId: () => 'y' })).rejects.toThrow('There is no run in it');
  for (const [name, content, why] of [
    ['a/seed-2/result.json', '{', 'not JSON'],
    ['a/seed-2/result.json', '{}', '"seed" is missing'],
    ['a/seed-2/curve.csv', 'x', 'unknown columns'],
    ['a/seed-2/policies.rlwb', 'x', 'too short'],
    ['a/run.json', '{"kind":"cli-run","version":1}', '"config'],
    ['project.json', '{"kind":"project","version":3}', '"version"'],
  ] as const)
    await expect(readFiles(library, new Map([...tree, [name, text(content)]]), { newId: () => 'y' }), name).rejects.toThrow(why);
  expect((await library.runs()).map(({ id }) => id)).toEqual(['x']);
});
