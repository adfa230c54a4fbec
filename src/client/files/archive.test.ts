// @vitest-environment happy-dom
import { zipSync } from 'fflate';
import { beforeEach, expect, test, vi } from 'vitest';
import { addPolicy, newestPolicy } from '#client/runs/policies.ts';
import { RunPersistence } from '#client/runs/run-persistence.ts';
import { encodePolicyFile } from '#contract/files/files.ts';
import { utf8 } from '#contract/kit/canonical.ts';
import { fail } from '#contract/kit/errors.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import type { PageApi } from '#contract/session/opened.ts';
import { memoryDriver } from '#storage/driver.ts';
import { Library } from '#storage/library.ts';
import { openFile, openFolder } from '#storage/opening.ts';
import { curves } from '#stores/curves.ts';
import { draftStore, isComing } from '#stores/draft.ts';
import { layoutStore } from '#stores/layout.ts';
import { findGroup, newSeed, runsStore } from '#stores/runs.ts';
import type { RunGroup } from '#stores/types.ts';
import { Archive } from './archive.ts';
import { Removal } from './removal.ts';

const config = runConfigSchema.parse({ env: { id: 'e' }, algo: { id: 'a', config: { lr: 0.1 } } });
const group = (id: string): RunGroup => ({
  id,
  name: id,
  config,
  hash: 'h',
  colour: 0,
  dash: 0,
  createdAt: 1,
  visible: true,
  note: '',
  parent: null,
  executorReason: '',
  seeds: [{ ...newSeed(1), state: 'running', step: 20, checkpointStep: 20 }],
});
const policy: PolicySnapshot = {
  kind: 'policy',
  version: 1,
  env: { id: 'e', version: 1, config: {} },
  algo: { id: 'a', version: 1, config: { lr: 0.1 } },
  seed: 1,
  step: 20,
  executor: 'wasm',
  saved: { meta: {}, arrays: { w: Float32Array.of(1, 2) } },
};

async function rig(held: Promise<unknown> = Promise.resolve()) {
  const library = new Library(memoryDriver());
  const persistence = new RunPersistence(library, '/', () => {});
  const killed: string[] = [];
  const shown: PolicySnapshot[] = [];
  const parts = { persistence: Promise.resolve(persistence), kill: (id: string) => void killed.push(id) };
  const archive = new Archive({
    ...parts,
    watch: () =>
      ({
        openFile,
        openFolder,
        complete: async (json: unknown) => {
          await held;
          const parsed = runConfigSchema.parse(json);
          if (parsed.algo.config.forgetting !== undefined && parsed.env.config.contexts === undefined)
            throw fail('config-invalid', 'there is no sequence of tasks', '', 'algo.forgetting.every');
          if (parsed.algo.id === 'imported') throw fail('unknown-id', 'no such algorithm', '');
          return parsed;
        },
        checkPolicy: async ({ saved }: PolicySnapshot) => {
          if (saved.arrays.w === undefined) throw fail('file-invalid', 'w is missing', '');
        },
      }) as unknown as PageApi,
    library: Promise.resolve(library),
    nameOf: () => 'a run',
    openRun: (id) => runsStore.getState().setActive(id),
    showPolicy: async (snapshot) => void shown.push(snapshot),
  });
  runsStore.setState({ groups: [group('r'), group('other')], activeId: 'r' });
  curves.append('r', 1, ['a'], Float64Array.of(10, 0.1, 20, 1 / 3));
  addPolicy('r', policy, true);
  await persistence.flush();
  await library.saveCheckpoint('r', 1, {
    saved: { meta: {}, arrays: { w: Float32Array.of(3) } },
    step: 20,
    sealedNames: [],
    curves: [],
    policies: [{ snapshot: policy, keep: true }],
    now: 0,
  });
  return { archive, removal: new Removal(parts), library, killed, shown };
}

beforeEach(() => {
  curves.drop('r');
  layoutStore.setState({ linkFailure: null, dialog: 'none' });
});

test('a removed run comes back whole within its time, interrupted where it was going on', async () => {
  vi.useFakeTimers();
  try {
    const { removal, library, killed } = await rig();
    const undo = removal.remove('r');
    expect(killed).toEqual(['r']);
    expect(runsStore.getState().activeId).toBe('other');
    undo();
    expect(findGroup('r')?.seeds[0]?.state).toBe('interrupted');
    expect(runsStore.getState().activeId).toBe('r');
    removal.remove('r');
    await vi.advanceTimersByTimeAsync(16_000);
    expect((await library.runs()).map(({ id }) => id)).toEqual(['other']);
    expect(curves.series('r', 1, 'a')).toBeNull();
    undo();
    expect(findGroup('r')).toBeNull();
  } finally {
    vi.useRealTimers();
  }
});

test('what was removed is gone when the page closes', async () => {
  const { removal, library } = await rig();
  removal.remove('r');
  removal.forgetRemoved();
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(await library.loadCheckpoint('r', 1)).toBeNull();
});

test('export, delete all, import: the run is back with its curves, checkpoint and policy', async () => {
  const { archive, library } = await rig();
  const project = await archive.export('r', 'project');
  await archive.deleteAll();
  expect(await library.runs()).toEqual([]);
  expect(runsStore.getState().groups).toEqual([]);
  await archive.import(project);
  expect(layoutStore.getState().linkFailure).toBeNull();
  expect(runsStore.getState().activeId).toBe('r');
  expect(findGroup('r')).toMatchObject({ hash: 'h', seeds: [{ state: 'interrupted', step: 20, checkpointStep: 20 }] });
  expect(Array.from(curves.series('r', 1, 'a')?.values ?? [])).toEqual([0.1, 1 / 3]);
  expect(newestPolicy('r', 1)?.saved.arrays.w).toEqual(Float32Array.of(1, 2));
  expect((await library.loadCheckpoint('r', 1))?.saved.arrays.w).toEqual(Float32Array.of(3));
});

test('a policy file plays, a config opens as the draft, a CSV has every row', async () => {
  const { archive, shown } = await rig();
  await archive.import(await archive.export('r', 'policy'));
  expect(shown).toMatchObject([{ step: 20, saved: { arrays: { w: Float32Array.of(1, 2) } } }]);
  await archive.import(new Blob([JSON.stringify({ ...config, run: { ...config.run, steps: 77 } })]));
  expect(draftStore.getState().config.run.steps).toBe(77);
  await archive.import(await archive.export('r', 'json'));
  expect(draftStore.getState().config).toEqual(config);
  expect(await (await archive.export('r', 'csv')).text()).toBe(`run,seed,step,metric,value\nr,1,10,a,0.1\nr,1,20,a,${1 / 3}\n`);
});

test('a policy trained against forgetting plays where no task follows another, though it could not learn there', async () => {
  const { archive, shown } = await rig();
  const algo = { ...policy.algo, config: { forgetting: { kind: 'EWC', every: 0 } } };
  await archive.openPolicy({ ...policy, algo, seed: 7 });
  expect(shown).toMatchObject([{ algo, seed: 7 }]);
  expect(draftStore.getState().config).toMatchObject({ env: { id: 'e' }, algo: { id: 'a', config: algo.config }, run: { seedStart: 7 } });
});

test('what was changed while a set-up or a policy was on its way stays, also where that fails in the end', async () => {
  let answer = (): void => {};
  const { archive, shown } = await rig(
    new Promise<void>((resolve) => {
      answer = resolve;
    }),
  );
  draftStore.getState().open(config);
  const unknown = { ...config, algo: { ...config.algo, id: 'imported' } };
  const both = [config, unknown].map(({ algo }) => ({ ...policy, algo, seed: 9 }));
  const opened = [
    ...both.map((one) => archive.openPolicy(one)),
    ...[config, unknown].map((one) => archive.import(new Blob([JSON.stringify({ ...one, run: { ...one.run, steps: 99 } })]))),
  ];
  await vi.waitFor(() => expect(isComing(draftStore.getState())).toBe(true));
  await new Promise((resolve) => setTimeout(resolve, 20)); // the files are read
  draftStore.getState().set('algo.lr', 0.3);
  const { config: chosen } = draftStore.getState();
  answer();
  await Promise.all(opened);
  expect(draftStore.getState()).toMatchObject({ config: chosen, phase: { kind: 'open' } });
  expect(runsStore.getState().activeId).toBe('r');
  expect(shown).toEqual([]);
  expect(layoutStore.getState()).toMatchObject({ linkFailure: null, dialog: 'none' });
});

test('a policy of a method that is not known here does not play', async () => {
  const { archive, shown } = await rig();
  await expect(archive.openPolicy({ ...policy, algo: { ...policy.algo, id: 'imported' } })).rejects.toThrow('no such algorithm');
  expect(shown).toEqual([]);
});

test('curves of another program become a finished run that says so, and survive an export', async () => {
  const { archive, library } = await rig();
  draftStore.getState().open(config);
  await archive.import(new File(['step,charts/episodic_return\n10,1\n20,2\n'], 'theirs.csv'));
  expect(layoutStore.getState().linkFailure).toBeNull();
  const [found] = runsStore.getState().groups;
  expect(found).toMatchObject({
    name: 'theirs (imported)',
    imported: { source: 'CSV', file: 'theirs.csv' },
    seeds: [{ state: 'done', step: 20 }],
  });
  expect(found?.config.env).toEqual(config.env);
  const id = found?.id ?? '';
  expect([...(curves.series(id, 1, 'episodicReturn')?.values ?? [])]).toEqual([1, 2]);
  expect(runsStore.getState().activeId).toBe('r');
  const project = await archive.export(id, 'project');
  await archive.deleteAll();
  await archive.import(project);
  expect(findGroup(id)?.imported).toEqual({ source: 'CSV', file: 'theirs.csv' });
  expect([...(curves.series(id, 1, 'episodicReturn')?.values ?? [])]).toEqual([1, 2]);
  expect((await library.runs()).map((run) => run.imported?.source)).toEqual(['CSV']);
});

test('a policy that cannot act says so and leaves the page as it was', async () => {
  const { archive, shown } = await rig();
  const { config: before } = draftStore.getState();
  await archive.import(new Blob([encodePolicyFile({ ...policy, saved: { meta: {}, arrays: {} } })]));
  expect(layoutStore.getState()).toMatchObject({ dialog: 'link-problem', linkFailure: { message: 'w is missing' } });
  expect(shown).toEqual([]);
  expect(draftStore.getState().config).toBe(before);
});

test('a file that is none of ours explains itself and changes nothing', async () => {
  const { archive } = await rig();
  const { config: before } = draftStore.getState();
  for (const content of ['hello', '{"a":1}', 'PK\u0003\u0004 not a zip', '{"kind":"policy"}']) {
    layoutStore.setState({ dialog: 'none' });
    await archive.import(new Blob([content]));
    expect(layoutStore.getState()).toMatchObject({ dialog: 'link-problem', linkFailure: { id: 'file-invalid' } });
  }
  expect(draftStore.getState().config).toBe(before);
  expect(runsStore.getState().groups).toHaveLength(2);
});

test('a folder of logs becomes runs of one name with their seeds; what was left out is said and stands in their notes', async () => {
  const { archive } = await rig();
  const log = (seed: number, more = '') => ({
    name: `CartPole-v1__ppo__${seed}__1700000000/progress.csv`,
    file: new Blob([`step,charts/episodic_return\n10,${seed}\n20,${seed}\n${more}`]),
  });
  const said = await archive.importFolder('runs', [log(1), log(2, '30,'), { name: 'notes.md', file: new Blob(['x']) }]);
  expect(said).toEqual([
    '2 runs opened: "CartPole-v1__ppo, seed 1" and "CartPole-v1__ppo, seed 2".',
    '1 line left out, the last one, which has no line end and may be cut off: line 4.',
  ]);
  const added = runsStore.getState().groups.filter(({ imported }) => imported !== undefined);
  expect(added.map(({ config: { run, algo: method } }) => [run.seedStart, method.config.name])).toEqual(
    expect.arrayContaining([
      [1, 'CartPole-v1__ppo'],
      [2, 'CartPole-v1__ppo'],
    ]),
  );
  expect(added.map(({ note }) => note).join()).toContain('imported from CSV. 1 line left out, the last one');
});

test.each([
  ['policy.onnx', [8, 8, 0x12, 7, 0x70, 0x79, 0x74, 0x6f, 0x72, 0x63, 0x68], 'an ONNX model', 'policy.json'],
  ['MODEL.ONNX', [1, 2], 'an ONNX model', 'policy.json'],
  ['main_data.hdf5', [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a], 'an HDF5 file', 'rlw_minari.py'],
  ['weights', [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a], 'an HDF5 file', 'rlw_minari.py'],
  ['buffer.pkl', [0x80, 4, 0x95], 'a pickle of Python', 'never opened'],
  ['agent.pth', [0x80, 2, 0x8a], 'a pickle of Python', 'never opened'],
  ['obs.npy', [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59], 'an array of NumPy', 'CSV'],
  ['run-abc.wandb', [0x3a, 0x57, 0x26, 0x42], 'a log of Weights & Biases', 'history().to_csv()'],
  ['model.safetensors', [1, 0, 0, 0, 0, 0, 0, 0, 0x7b, 0x22], 'weights of safetensors', 'not read here'],
  ['study.db', [...'SQLite format 3\0'].map((letter) => letter.charCodeAt(0)), 'a database of SQLite', 'CSV'],
  ['env.py', [...'import gymnasium'].map((letter) => letter.charCodeAt(0)), 'code in Python', '--gym'],
  ['config.yaml', [...'lr: 1'].map((letter) => letter.charCodeAt(0)), 'settings in YAML', 'JSON'],
  ['picture.png', [0x89, 0x50, 0x4e, 0x47], 'a picture', 'curves'],
  ['notes.txt', [...'hello there'].map((letter) => letter.charCodeAt(0)), 'it begins "hello there"', 'curves'],
  ['thing.bin', [0, 1, 2, 3, 255], 'a binary file of a kind that is not known', 'curves'],
  ['result.json', [...'{"a": 1}\n{"a": 2}\n'].map((letter) => letter.charCodeAt(0)), 'a log in lines of JSON', 'CSV'],
  ['nothing.json', [], 'is empty', 'copy it again'],
])('%s is named for what it is, with what can be done', async (name, bytes, is, fix) => {
  const { archive } = await rig();
  await archive.import(new File([Uint8Array.from(bytes)], name));
  const { linkFailure } = layoutStore.getState();
  expect(linkFailure).toMatchObject({ id: 'file-invalid', message: expect.stringContaining(is), fix: expect.stringContaining(fix) });
  expect(linkFailure?.message).toContain(`"${name}"`);
});

test.each([
  ['agent.zip', { data: '{}', 'policy.pth': 'x', _stable_baselines3_version: '2' }, 'a model of Stable-Baselines3'],
  ['agent.pt', { 'archive/data.pkl': 'x' }, 'weights of PyTorch'],
  ['data.zip', { 'observations.npy': 'x' }, 'arrays of NumPy'],
  ['table.xlsx', { 'xl/workbook.xml': 'x' }, 'a workbook of Excel'],
  ['photos.zip', { 'a.jpg': 'x' }, 'a zip'],
])('%s, which is a zip, too', async (name, entries, is) => {
  const { archive } = await rig();
  await archive.import(new File([zipSync(Object.fromEntries(Object.entries(entries).map(([entry, text]) => [entry, utf8(text)])))], name));
  expect(layoutStore.getState().linkFailure?.message).toContain(is);
});

test('a folder of logs that was zipped opens as the folder does', async () => {
  const { archive } = await rig();
  const zip = zipSync({
    'runs\\CartPole-v1__ppo__4__1700000000\\progress.csv': utf8('step,a\n1,2\n'),
    '__MACOSX/runs/._progress.csv': utf8('x'),
  });
  expect(await archive.import(new File([zip], 'runs.zip'))).toEqual(['1 run opened: "CartPole-v1__ppo, seed 4".']);
});
