import { expect, test } from 'vitest';
import { runConfigSchema } from '#contract/config.ts';
import type { CurveColumn, RunFile } from '#contract/files.ts';
import { memoryDriver } from './driver.ts';
import { Library } from './library.ts';
import { readProject, writeProject } from './project.ts';

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

async function filled(): Promise<Library> {
  const library = new Library(memoryDriver());
  await library.putRun(run);
  await library.saveCheckpoint('r1', 7, {
    saved: { meta: { kind: 'checkpoint' }, arrays: { w: Float32Array.of(1, 2), 'r#0': Uint8Array.of(9) } },
    step: 30,
    sealedNames: ['r#0'],
    curves: [],
    policies: [
      {
        keep: true,
        snapshot: {
          kind: 'policy',
          version: 1,
          env: { id: 'e', version: 1, config: {} },
          algo: { id: 'a', version: 1, config: {} },
          seed: 7,
          step: 30,
          executor: 'wasm',
          saved: { meta: {}, arrays: { w: Float32Array.of(1, 2) } },
        },
      },
    ],
    now: 0,
  });
  return library;
}

test('export, delete all, import: everything is as it was, bit for bit', async () => {
  const library = await filled();
  const bytes = await writeProject(library, [{ run, curves }], '2026-01-02T03:04:05Z');
  const checkpoint = await library.loadCheckpoint('r1', 7);
  const policies = await library.policies('r1', 7);
  await library.removeAll();
  const imported = await readProject(library, bytes, () => 'other');
  expect(imported).toMatchObject([{ run, curves }]);
  expect(await library.runs()).toEqual([run]);
  expect(await library.loadCheckpoint('r1', 7)).toEqual(checkpoint);
  expect(await library.policies('r1', 7)).toEqual(policies);
  expect((await library.curves('r1', 7)).map((chunk) => [chunk.columns[0], Array.from(chunk.rows)])).toEqual([
    ['a', [10, 0.1, 20, 1 / 3, 30, -1e-300]],
    ['rare', [30, Number.POSITIVE_INFINITY]],
  ]);
});

test('importing beside the original makes a copy of another name', async () => {
  const library = await filled();
  const bytes = await writeProject(library, [{ run, curves }], '2026-01-02T03:04:05Z');
  await readProject(library, bytes, () => 'copy');
  expect((await library.runs()).map(({ id }) => id).sort()).toEqual(['copy', 'r1']);
  expect((await library.loadCheckpoint('copy', 7))?.step).toBe(30);
});

test('a broken file changes nothing', async () => {
  const library = await filled();
  const bytes = await writeProject(library, [{ run, curves }], '2026-01-02T03:04:05Z');
  const empty = new Library(memoryDriver());
  for (const length of [0, 10, bytes.length >> 1, bytes.length - 1]) {
    await expect(readProject(empty, bytes.subarray(0, length), () => 'x')).rejects.toMatchObject({ failure: { id: 'file-invalid' } });
  }
  expect(await empty.runs()).toEqual([]);
  expect(await empty.orphans()).toEqual([]);
});
