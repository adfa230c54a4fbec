/**
 * Nothing that verify says is the same was changed: each leaf of a run, a sweep, a bundle (folder and zip) and a paper in turn. The honest ones
 * of every kind are not accused.
 */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { SEED_FILES } from '#contract/files/container.ts';
import type { RunFile } from '#contract/files/files.ts';
import { utf8 } from '#contract/kit/canonical.ts';
import type { Json } from '#contract/kit/json.ts';
import { configHash } from '#contract/run/config-hash.ts';
import { NIGHT } from '../../tools/nightly.ts';
import {
  AS_IT_IS,
  atHome,
  type Change,
  cellChanges,
  type Files,
  filesOf,
  home,
  jsonOf,
  judged,
  leafChanges,
  missed,
  policyChanges,
  rl,
  savedChanges,
  swapped,
  without,
  wordChanges,
} from '../../tools/verify-copies.ts';
import { bundleOf, pageRun } from '../../tools/verify-page-runs.ts';

const SMALL = { env: { id: 'cliff-walking' }, algo: { id: 'q-learning' }, run: { steps: 300, seeds: 2, evalEpisodes: 2 } };
const EDITED = { ...SMALL, run: { ...SMALL.run, steps: 300 } };

/** Nothing changed; what is a single file stands as one. */
const asItIs = (base: Files, zipped = false): Change => ({
  what: `${AS_IT_IS}${zipped ? ', zipped' : ''}`,
  files: base.size === 1 ? Object.fromEntries(base) : {},
  zipped,
});

/**
 * What is changed and taken for the same, by name, of a folder and of a zip that holds it; nothing changed is the same. At night every change is
 * tried; by day every fortieth leaf of a file, with all changes of whole files, and of a zip, which is read into the same files as its folder, ten
 * changes. One command judges them all: most of its time goes by before the first.
 */
async function expectMissed(
  base: Files,
  changes: readonly Change[],
  expected: readonly string[],
  ofZip: readonly Change[] = changes,
): Promise<void> {
  const ofLeaf = ({ what }: Change): boolean => what.includes(': ');
  const folders = changes.filter((change, i) => NIGHT || !ofLeaf(change) || i % 40 === 0);
  const every = Math.ceil(ofZip.length / 10);
  const zips = ofZip.filter((_, i) => NIGHT || i % every === 0);
  expect(Math.min(folders.length, zips.length)).toBeGreaterThan(5);
  const outcomes = await judged(base, [
    asItIs(base),
    ...folders,
    asItIs(base, true),
    ...zips.map(({ what, files }) => ({ what: `zip, ${what}`, files, zipped: true })),
  ]);
  for (const honest of [asItIs(base).what, asItIs(base, true).what]) expect([honest, outcomes.get(honest)]).toEqual([honest, 'same']);
  for (const zip of [false, true]) {
    const found = missed(new Map([...outcomes].filter(([what]) => what.startsWith('zip, ') === zip && !what.startsWith(AS_IT_IS))));
    expect(found).toEqual(NIGHT ? expected : expected.filter((name) => found.includes(name)));
  }
}

atHome();
beforeAll(async () => {
  await rl('list', 'envs'); // bundles once
}, 300_000);

describe('each leaf', () => {
  test('of a run of train --out', async () => {
    writeFileSync(join(home, 'small.json'), JSON.stringify(SMALL));
    expect((await rl('train', '--config', 'small.json', '--out', 'run')).code).toBe(0);
    const base = filesOf(join(home, 'run'));
    const seedFiles = [1, 2].flatMap((seed) => ['result.json', 'curve.csv', 'policy.json'].map((name) => `seed-${seed}/${name}`));
    const changes = [
      ...['project.json', 'run.json', 'summary.json', 'seed-1/result.json'].flatMap((file) => leafChanges(base, file)),
      ...policyChanges(base, 'seed-1/policy.json'),
      ...cellChanges(base, 'seed-1/curve.csv'),
      ...seedFiles.slice(0, 3).map((name) => swapped(base, name, name.replace('seed-1', 'seed-2'))),
      without(base, 'seed-1/'),
      without(base, 'seed-2/'),
    ];
    const expected = ['coreSeconds', 'savedAt', 'seconds'];
    await expectMissed(
      base,
      changes,
      expected,
      changes.filter(({ what }) => !what.includes('line ')),
    );
    const alone = new Map([['summary.json', base.get('summary.json') as Uint8Array]]);
    // A run without evaluations gives the same numbers whatever their interval, and no hash stands beside it.
    const idle = ['evalEvery', 'seconds', 'stepsPerSecond'];
    const outcomes = new Map(await judged(alone, [asItIs(alone), ...leafChanges(alone, 'summary.json')]));
    expect(outcomes.get(AS_IT_IS)).toBe('same');
    outcomes.delete(AS_IT_IS);
    expect(missed(outcomes)).toEqual(idle);
  }, 600_000);

  test('of a sweep, and set-ups that were removed', async () => {
    const asked = {
      kind: 'sweep',
      version: 1,
      config: SMALL,
      fields: { 'algo.alpha': [0.1, 0.5], 'algo.epsilon': [0.1, 0.3] },
      search: { by: 'grid' },
      seeds: { tuning: 1, reporting: 2 },
    };
    writeFileSync(join(home, 'asked.json'), JSON.stringify(asked));
    expect((await rl('sweep', 'asked.json', '--out', 'sweep')).code).toBe(0);
    const base = filesOf(join(home, 'sweep'));
    const runs = [...new Set([...base.keys()].flatMap((name) => /^runs\/[^/]+\//.exec(name)?.[0] ?? []))];
    const sweep = jsonOf(base, 'sweep.json') as { readonly setups: Json[] };
    const fewer = JSON.stringify({ ...sweep, setups: sweep.setups.slice(0, 3) });
    const changes = [
      ...leafChanges(base, 'sweep.json'),
      ...cellChanges(base, 'sweep.csv'),
      ...leafChanges(base, 'project.json'),
      ...runs.map((run) => without(base, run)),
      { what: 'a set-up removed everywhere', files: { 'sweep.json': fewer, ...without(base, runs[0] ?? '').files } },
    ];
    const expected = ['commit', 'cores', 'cpu', 'date', 'os', 'runtime', 'savedAt'];
    await expectMissed(base, changes, expected);
  }, 600_000);

  test('of a bundle, as a folder and as a zip; marks that were added; a run that was edited live', async () => {
    const base = bundleOf([await pageRun('r1', EDITED, [{ step: 100, path: 'algo.alpha', value: 0.9 }])]);
    const record = jsonOf(base, 'r1/run.json') as { readonly seeds: readonly { readonly marks: readonly Json[] }[] };
    const marked = (mark: object): string =>
      JSON.stringify({
        ...record,
        seeds: record.seeds.map((seed) => ({
          ...seed,
          marks: [...seed.marks, { kind: 'mark', step: 200, text: 'a mark', by: 'user', ...mark }],
        })),
      });
    const forged = ['result.json'].map((name) => {
      const result = jsonOf(base, `r1/seed-1/${name}`) as object;
      return { [`r1/seed-1/${name}`]: JSON.stringify({ ...result, evalReturn: 500, parameterHash: 'deadbeefdeadbeef' }) };
    });
    const added = [
      { type: 'edit' },
      { type: 'edit', path: 'algo.alpha', value: 0.9 },
      { type: 'stop' },
      { type: 'executor', path: 'run.executor', value: 'tfjs-cpu' },
    ];
    const changes = [
      ...leafChanges(base, 'project.json'),
      ...leafChanges(base, 'r1/run.json'),
      ...leafChanges(base, 'r1/seed-1/result.json'),
      ...cellChanges(base, 'r1/seed-1/curve.csv').filter((_, i) => i % 7 === 0),
      ...cellChanges(base, 'figure.csv').filter((_, i) => i % 23 === 0),
      ...wordChanges(base, 'README.md'),
      ...wordChanges(base, 'CITATION.bib'),
      ...[SEED_FILES.checkpoint, SEED_FILES.policies, SEED_FILES.points].flatMap((name) => savedChanges(base, `r1/seed-1/${name}`)),
      ...Object.values(SEED_FILES).flatMap((name) =>
        base.has(`r1/seed-1/${name}`) ? [swapped(base, `r1/seed-1/${name}`, `r1/seed-2/${name}`)] : [],
      ),
      without(base, 'r1/seed-1/'),
      ...added.flatMap((mark, i) => [
        { what: `mark ${i} added`, files: { 'r1/run.json': marked(mark) } },
        { what: `mark ${i} added to forged numbers`, files: { 'r1/run.json': marked(mark), ...forged[0] } },
      ]),
    ];
    const expected = ['colour', 'createdAt', 'dash', 'note', 'point', 'savedAt', 'seconds', 'stepsPerSecond', 'title', 'visible'];
    await expectMissed(base, changes, expected);
  }, 900_000);

  test('@night of a paper, and arms and seeds that were left out', async () => {
    const published = readFileSync('public/results/papers/q-learning-cliff.json', 'utf8');
    const base: Files = new Map([['paper.json', utf8(published)]]);
    expect((await judged(base, [asItIs(base)])).get(AS_IT_IS)).toBe('same');
    const paper = JSON.parse(published) as {
      readonly seeds: number[];
      readonly arms: { readonly scores: number[]; readonly parameterHashes: string[] }[];
    };
    const fewer = (count: number): Change => ({
      what: `${count} seeds`,
      files: {
        'paper.json': JSON.stringify({
          ...paper,
          seeds: paper.seeds.slice(0, count),
          arms: paper.arms.map((arm) => ({
            ...arm,
            scores: arm.scores.slice(0, count),
            parameterHashes: arm.parameterHashes.slice(0, count),
          })),
        }),
      },
    });
    const changed = (what: string, part: object): Change => ({ what, files: { 'paper.json': JSON.stringify({ ...paper, ...part }) } });
    const changes = [
      ...leafChanges(base, 'paper.json'),
      fewer(2),
      fewer(5),
      changed('no log', { log: [] }),
      changed('no pilot', { pilot: null }),
      changed('another arm', { arms: paper.arms.map((arm) => ({ ...arm, id: 'other', scores: arm.scores.map(() => 9999) })) }),
    ];
    expect(missed(await judged(base, changes))).toEqual([]);
  }, 900_000);
});

interface Line {
  readonly type: string;
  readonly outcome: string;
  readonly why?: string;
  readonly text?: string;
}

/** Of one verify --json over several things: its exit code, and the lines of each, which end with its summary. */
async function saidOf(bases: readonly Files[], ...more: readonly string[]) {
  const folders = bases.map((base) => {
    const at = mkdtempSync(join(home, 'honest-'));
    for (const [name, data] of base) {
      mkdirSync(dirname(join(at, name)), { recursive: true });
      writeFileSync(join(at, name), data);
    }
    return at;
  });
  const { code, stdout } = await rl('verify', '--json', ...folders, ...more);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  const ends = lines.flatMap(({ type }, i) => (type === 'summary' ? [i + 1] : []));
  const each = ends.map((end, i) => {
    const own = lines.slice(ends[i - 1] ?? 0, end);
    return { lines: own, runs: own.filter(({ type }) => type === 'verified').map(({ outcome }) => outcome) };
  });
  return { code, each };
}

async function said(base: Files, ...more: readonly string[]) {
  const { code, each } = await saidOf([base], ...more);
  return { code, runs: each[0]?.runs ?? [], lines: each[0]?.lines ?? [] };
}

describe('honest results are not accused', () => {
  const PPO = { env: { id: 'cartpole' }, algo: { id: 'ppo' }, run: { steps: 6000, seeds: 1, evalEpisodes: 2 } };
  const DQN = {
    env: { id: 'cartpole' },
    algo: { id: 'dqn', config: { learningStarts: 200 } },
    run: { steps: 1200, seeds: 1, evalEpisodes: 2 },
  };

  test('resumed, edited while it ran, both; of methods with tables and with networks', async () => {
    const edit = { step: 2500, path: 'algo.lr', value: 0.0001 };
    const runs = [
      await pageRun('r1', SMALL, [], 150),
      await pageRun('r1', SMALL, [{ step: 100, path: 'algo.alpha', value: 0.9 }], 200),
      await pageRun('r1', PPO, [edit], 4000),
      await pageRun('r1', DQN, [], 600),
    ];
    const { code, each } = await saidOf(runs.map((run) => bundleOf([run])));
    expect(code, JSON.stringify(each).slice(0, 2000)).toBe(0);
    expect(each.map(({ runs: outcomes }) => [...new Set(outcomes)])).toEqual(runs.map(() => ['same']));
  }, 300_000);

  test('what is not there or cannot be run here is not verified, and an outcome of its own', async () => {
    const run = await pageRun('r1', SMALL);
    const part = { ...run, file: { ...run.file, seeds: run.file.seeds.slice(0, 1) }, curves: run.curves.filter(({ seed }) => seed === 1) };
    const files = new Map([...bundleOf([part])].filter(([name]) => !name.includes('seed-2')));
    const net = await pageRun('r1', PPO);
    const changed = (
      [
        ['goes on from the state of another run', run, { parent: { id: 'r0', step: 100 } }],
        ['runs in Python', run, { config: { ...run.file.config, env: { ...run.file.config.env, id: 'gym-cartpole-v1-6e94f8' } } }],
        ['cannot be run here', net, { config: { ...net.file.config, run: { ...net.file.config.run, executor: 'webgpu' } } }],
      ] as const
    ).map(([how, { file: made, ...rest }, change]) => {
      const other = { ...made, name: 'x', ...change } as RunFile;
      const file = { ...other, hash: configHash(other.config), executorReason: '' };
      return { how, base: new Map([...bundleOf([{ ...rest, file }])].filter(([name]) => name.startsWith('r1/'))) };
    });
    const { code, each } = await saidOf([files, ...changed.map(({ base }) => base)]);
    expect([code, each[0]?.runs]).toEqual([3, ['same']]);
    expect(each[0]?.lines.map(({ text = '' }) => text).join()).toContain('1 of the 2 seeds of this config are here; missing: 2.');
    for (const [i, { how }] of changed.entries()) {
      const { lines = [], runs = [] } = each[i + 1] ?? {};
      expect([how, ...new Set(runs)], JSON.stringify(lines).slice(0, 2000)).toEqual([how, 'unverified']);
      expect(lines.find(({ type }) => type === 'verified')?.why).toContain(how);
    }
  }, 300_000);

  test("an executor with other roundings, where it can be run; code of one's own, where it was given", async () => {
    writeFileSync(join(home, 'tfjs.json'), JSON.stringify({ ...PPO, run: { ...PPO.run, steps: 512, executor: 'tfjs-cpu' } }));
    await rl('train', '--config', 'tfjs.json', '--out', 'tfjs');
    const { code, runs } = await said(filesOf(join(home, 'tfjs')));
    expect([code, runs.every((outcome) => outcome === 'same' || outcome === 'close')]).toEqual([0, true]);
    process.env.XDG_STATE_HOME = join(home, 'here');
    await rl('new', 'world', 'own.js');
    await rl('train', '--env-file', 'own.js', '--algo', 'ppo', '--steps', '600', '--seeds', '1', '--out', 'own');
    const own = filesOf(join(home, 'own'));
    expect(await said(own)).toMatchObject({ code: 0, runs: ['same'] });
    process.env.XDG_STATE_HOME = join(home, 'elsewhere');
    expect(await said(own)).toMatchObject({ code: 3, runs: ['unverified'] });
    expect(await said(own, '--env-file', 'own.js')).toMatchObject({ code: 0, runs: ['same'] });
  }, 300_000);
});
