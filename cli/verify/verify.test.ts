/**
 * Nothing that verify says is the same was changed: each leaf of a run, a sweep, a bundle (folder and zip) and a paper in turn. Copies are
 * verified by one command each, which trains equal runs once. The honest ones of every kind are not accused.
 */
import { execFile } from 'node:child_process';
import { linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { indexedRun, indexText, runTexts, SEED_FILES, seedFolderName } from '#contract/files/container.ts';
import type { CurveColumn, RunFile } from '#contract/files/files.ts';
import { encodePoints } from '#contract/files/points-file.ts';
import { encodePolicies } from '#contract/files/policies-file.ts';
import { crc32 } from '#contract/kit/bytes.ts';
import { canonicalJson, utf8 } from '#contract/kit/canonical.ts';
import type { Json } from '#contract/kit/json.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { configHash } from '#contract/run/config-hash.ts';
import type { EditOf, PolicySnapshot, Saved, SeedResult } from '#contract/run/events.ts';
import { decodeSaved, encodeSaved } from '#contract/run/saved.ts';
import { completeRun, createSession } from '#core/run/loaded.ts';
import { bundleReadme, citeRun } from '#report/bundle-texts.ts';
import { stepOf } from '../kit/seed-folder.ts';

const RL = resolve('tools/rl.mjs');
const home = mkdtempSync(join(tmpdir(), 'rl-verify-test-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

function rl(...args: readonly string[]): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  return new Promise((done) => {
    const env = { ...process.env, INIT_CWD: home };
    execFile(process.execPath, ['--', RL, ...args], { env, cwd: home, maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
      const { code } = (error ?? {}) as { code?: number | string };
      done({ code: error ? (typeof code === 'number' ? code : -1) : 0, stdout, stderr });
    });
  });
}

/** Files by their names, as they stand in a folder or a zip. */
type Files = ReadonlyMap<string, Uint8Array>;

function filesOf(folder: string, below = ''): Files {
  const all = readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry): [string, Uint8Array][] => {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    return entry.isDirectory() ? [...filesOf(folder, path)] : [[path, new Uint8Array(readFileSync(join(folder, path)))]];
  });
  return new Map(all);
}

/** A copy with some files replaced, or removed (null). */
interface Change {
  readonly what: string;
  readonly files: { readonly [file: string]: Uint8Array | string | null };
}

const bytesOf = (data: Uint8Array | string): Uint8Array => (typeof data === 'string' ? utf8(data) : data);

/** Writes the changed copies and answers how each was judged, by what was changed: 'same', 'differs', 'unverified' or 'broken'. */
async function judged(base: Files, changes: readonly Change[], zipped: boolean): Promise<ReadonlyMap<string, string>> {
  const at = mkdtempSync(join(home, 'copies-'));
  const whole = join(at, 'whole');
  for (const [name, data] of base) {
    mkdirSync(dirname(join(whole, name)), { recursive: true });
    writeFileSync(join(whole, name), data);
  }
  const words = changes.map(({ files }, i) => {
    const copy = join(at, String(i));
    const kept = [...base].filter(([name]) => !(name in files));
    const put = Object.entries(files).flatMap(([name, data]) => (data === null ? [] : [[name, bytesOf(data)] as const]));
    if (zipped) {
      writeFileSync(`${copy}.zip`, zipSync(Object.fromEntries([...kept, ...put]), { level: 0 }));
      return `${copy}.zip`;
    }
    if (base.size === 1) {
      writeFileSync(`${copy}.json`, put[0]?.[1] ?? '');
      return `${copy}.json`;
    }
    for (const [name] of kept) {
      mkdirSync(dirname(join(copy, name)), { recursive: true });
      linkSync(join(whole, name), join(copy, name));
    }
    for (const [name, data] of put) {
      mkdirSync(dirname(join(copy, name)), { recursive: true });
      writeFileSync(join(copy, name), data);
    }
    return copy;
  });
  const outcomes = new Map<string, string>();
  for (let from = 0; from < words.length; from += 400) {
    const some = words.slice(from, from + 400);
    const { stdout, stderr } = await rl('verify', '--json', ...some);
    for (const line of stdout.split('\n').filter((text) => text.startsWith('{"type":"summary"'))) {
      const { of, outcome } = JSON.parse(line) as { of: string; outcome: string };
      outcomes.set(changes[words.indexOf(of)]?.what ?? '', outcome);
    }
    const lost = some.find((word) => !outcomes.has(changes[words.indexOf(word)]?.what ?? ''));
    if (lost !== undefined) throw new Error(`${changes[words.indexOf(lost)]?.what} was not judged: ${stderr.slice(-2000)}`);
  }
  rmSync(at, { recursive: true });
  return outcomes;
}

type Path = readonly (string | number)[];

function leavesOf(value: Json, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return inner.flatMap(([name, member]) => leavesOf(member as Json, [...path, name]));
}

/** Another value of the same kind; of a date another date. */
function other(value: Json): Json {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value !== 'string') return 1;
  return /^\d{4}-\d\d-\d\dT/.test(value) ? new Date(Date.parse(value) + 1).toISOString() : `${value}1`;
}

function withLeaf(value: Json, [name, ...rest]: Path): Json {
  if (name === undefined) return other(value);
  if (Array.isArray(value)) return value.with(Number(name), withLeaf(value[Number(name)] as Json, rest)) as Json;
  return { ...(value as object), [name]: withLeaf((value as { readonly [key: string]: Json })[name] as Json, rest) } as Json;
}

const jsonOf = (base: Files, file: string): Json => JSON.parse(new TextDecoder().decode(base.get(file))) as Json;

/** Every leaf of JSON changed. */
const leafChanges = (base: Files, file: string): readonly Change[] =>
  leavesOf(jsonOf(base, file)).map((path) => ({
    what: `${file}: ${path.join('.')}`,
    files: { [file]: `${JSON.stringify(withLeaf(jsonOf(base, file), path), null, 2)}\n` },
  }));

/** Every leaf of a policy file changed, under a checksum that is right. */
const policyChanges = (base: Files, file: string): readonly Change[] =>
  leavesOf(jsonOf(base, file))
    .filter(([name]) => name !== 'checksum')
    .map((path) => {
      const plain = jsonOf(base, file) as { readonly [key: string]: Json };
      const last = path.at(-1);
      const arrays = (plain.saved as { arrays: { [name: string]: { data: string } } }).arrays;
      // A base64 text of other bytes, of the same length.
      const data = last === 'data' ? arrays[String(path.at(-2))]?.data : undefined;
      const flipped = data === undefined ? null : `${data.startsWith('AACA') ? 'AAAA' : 'AACA'}${data.slice(4)}`;
      const { checksum: _, ...rest } = (flipped === null ? withLeaf(plain, path) : put(plain, path, flipped)) as {
        readonly [key: string]: Json;
      };
      const checksum = crc32(utf8(canonicalJson(rest)))
        .toString(16)
        .padStart(8, '0');
      return { what: `${file}: ${path.join('.')}`, files: { [file]: canonicalJson({ ...rest, checksum }) } };
    });

function put(value: Json, [name, ...rest]: Path, leaf: Json): Json {
  if (name === undefined) return leaf;
  return { ...(value as object), [name]: put((value as { readonly [key: string]: Json })[name] as Json, rest, leaf) } as Json;
}

/** Every cell of a table changed; of its columns the first is who the rows are of. */
function cellChanges(base: Files, file: string): readonly Change[] {
  const lines = new TextDecoder().decode(base.get(file)).split('\n');
  return lines.flatMap((line, row) =>
    line === ''
      ? []
      : line.split(',').map((cell, column): Change => {
          const changed = line.split(',').with(column, cell === '' || Number.isNaN(Number(cell)) ? `${cell}1` : String(Number(cell) + 1));
          const metric = lines[row]?.split(',')[3] ?? '';
          return {
            what: `${file}: ${metric === 'seconds' && column === 4 ? 'seconds' : `line ${row + 1}`}.${column}`,
            files: { [file]: lines.with(row, changed.join(',')).join('\n') },
          };
        }),
  );
}

/** Every word and number of a text changed. */
function wordChanges(base: Files, file: string): readonly Change[] {
  const text = new TextDecoder().decode(base.get(file));
  return [...text.matchAll(/[\w.-]+/g)].map(({ index, 0: word }) => ({
    what: `${file}: ${word} at ${index}`,
    files: {
      [file]: `${text.slice(0, index)}${/\d$/.test(word) ? `${word.slice(0, -1)}${(Number(word.at(-1)) + 1) % 10}` : `${word}x`}${text.slice(index + word.length)}`,
    },
  }));
}

/** Every leaf of the list of a state or of policies changed, and one number of each array, under a checksum that is right. */
function savedChanges(base: Files, file: string): readonly Change[] {
  const saved = decodeSaved(base.get(file) as Uint8Array);
  const meta = leavesOf(saved.meta).map((path) => ({
    what: `${file}: ${path.join('.')}`,
    files: { [file]: encodeSaved({ ...saved, meta: withLeaf(saved.meta, path) as Saved['meta'] }) },
  }));
  const arrays = Object.entries(saved.arrays).flatMap(([name, array]): Change[] => {
    if (array.length === 0) return [];
    const copy = array.slice();
    copy[0] = copy[0] === 0 ? 1 : 0;
    return [{ what: `${file}: ${name}`, files: { [file]: encodeSaved({ ...saved, arrays: { ...saved.arrays, [name]: copy } }) } }];
  });
  return [...meta, ...arrays];
}

/** What was changed and not found, by name: the last part of a path that is no number. */
function missed(outcomes: ReadonlyMap<string, string>): readonly string[] {
  const names = [...outcomes].filter(([, outcome]) => outcome === 'same').map(([what]) => what.split(': ')[1] ?? what);
  return [...new Set(names.map((path) => path.split('.').findLast((part) => !/^\d+$/.test(part)) ?? path))].sort();
}

const swapped = (base: Files, a: string, b: string): Change => ({
  what: `${a} and ${b} swapped`,
  files: { [a]: base.get(b) ?? null, [b]: base.get(a) ?? null },
});
const without = (base: Files, start: string): Change => ({
  what: `without ${start}`,
  files: Object.fromEntries([...base.keys()].filter((name) => name.startsWith(start)).map((name) => [name, null])),
});

/** A run as the page keeps it, from sessions as its workers run them. */
interface PageRun {
  readonly file: RunFile;
  readonly curves: readonly CurveColumn[];
  readonly beside: ReadonlyMap<string, Uint8Array>;
}

async function pageSeed(config: RunConfig, seed: number, edits: readonly EditOf[], stopAt: number | null) {
  const marks: RunFile['seeds'][number]['marks'] = [];
  const curves = new Map<string, { steps: number[]; values: number[] }>();
  const policies: PolicySnapshot[] = [];
  const points: Saved[] = [];
  let result: SeedResult | null = null;
  let clock = 0;
  const now = (): number => (clock += 0.37);
  let resume: Saved | null = null;
  for (const until of [...(stopAt === null ? [] : [stopAt]), null]) {
    const session = createSession({
      config: completeRun(config),
      seed,
      now,
      sliceMs: 0,
      edits,
      onRung: (saved) => void points.push(saved),
      ...(resume !== null && { resume }),
    });
    for await (const event of session) {
      if (event.kind === 'mark') marks.push(JSON.parse(JSON.stringify(event)));
      if (event.kind === 'policy' && event.keep === true) policies.push(event.snapshot);
      if (event.kind === 'result') result = event.result;
      if (event.kind === 'progress' && until !== null && event.step >= until) session.stop();
      if (event.kind !== 'metrics') continue;
      const width = event.columns.length + 1;
      event.columns.forEach((metric, i) => {
        for (let at = 0; at < event.rows.length; at += width) {
          const value = event.rows[at + 1 + i] as number;
          if (Number.isNaN(value)) continue;
          const column = curves.get(metric) ?? { steps: [], values: [] };
          curves.set(metric, column);
          column.steps.push(event.rows[at] as number);
          column.values.push(value);
        }
      });
    }
    resume = await session.save();
  }
  const columns = [...curves].map(
    ([metric, { steps, values }]): CurveColumn => ({ seed, metric, steps: Float64Array.from(steps), values: Float64Array.from(values) }),
  );
  const state = resume as Saved;
  const before = points.filter((point) => stepOf(point) < stepOf(state));
  return { marks, columns, policies, state, points: before, result: result as SeedResult | null };
}

async function pageRun(id: string, asked: unknown, edits: readonly EditOf[] = [], stopAt: number | null = null): Promise<PageRun> {
  const config = completeRun(asked);
  const beside = new Map<string, Uint8Array>();
  const curves: CurveColumn[] = [];
  const seeds: RunFile['seeds'] = [];
  for (let seed = config.run.seedStart; seed < config.run.seedStart + config.run.seeds; seed++) {
    const done = await pageSeed(config, seed, edits, stopAt);
    curves.push(...done.columns);
    const at = (name: string): string => `${id}/${seedFolderName(seed)}/${name}`;
    beside.set(at(SEED_FILES.checkpoint), encodeSaved(done.state));
    beside.set(at(SEED_FILES.policies), encodePolicies(done.policies));
    const points = done.points.slice(0, 2).map((saved) => ({ saved, step: stepOf(saved), sealedNames: [] }));
    const packed = encodePoints({ newest: { saved: done.state, step: stepOf(done.state), sealedNames: [] }, point: false, points });
    if (packed !== null) beside.set(at(SEED_FILES.points), packed);
    const { result, marks } = done;
    if (result === null) throw new Error('the run has no result');
    seeds.push({
      seed,
      state: 'done',
      step: result.steps,
      seconds: result.seconds,
      stepsPerSecond: 5,
      checkpointStep: stepOf(done.state),
      result,
      failure: null,
      marks,
    });
  }
  const file: RunFile = {
    kind: 'run', version: 1, id, name: 'My run', config, hash: configHash(config), colour: 2, dash: 1, createdAt: 1_790_000_000_000,
    visible: true, note: 'a note', parent: null, executorReason: 'exact, the default', origin: { kind: 'own', title: '' }, seeds,
  }; // biome-ignore format: one record
  return { file, curves, beside };
}

/** What the page saves as a bundle. */
function bundleOf(runs: readonly PageRun[]): Files {
  const files = new Map<string, Uint8Array>();
  const index = runs.map(({ file }) => indexedRun({ folder: file.id, file }));
  files.set('project.json', utf8(indexText(index, '2026-11-20T10:00:00.000Z')));
  for (const { file, curves, beside } of runs) {
    for (const [name, text] of runTexts(file, curves)) files.set(`${file.id}/${name}`, utf8(text));
    for (const [name, data] of beside) files.set(name, data);
  }
  const bundled = runs.map(({ file }) => ({
    name: file.name,
    config: file.config,
    hash: file.hash,
    folder: file.id,
    results: file.seeds.flatMap(({ result }) => result ?? []),
    link: null,
  }));
  files.set('README.md', utf8(bundleReadme(bundled, 'bundle.zip', '0.2.0 (abc)')));
  files.set('CITATION.bib', utf8(bundled.map((run) => citeRun(run, '0.2.0 (abc)', 2026)).join('\n')));
  const rows = runs.flatMap(({ file, curves }) =>
    file.seeds.flatMap(({ seed, marks }) => [
      ...curves
        .filter((column) => column.seed === seed)
        .flatMap(({ metric, steps, values }) => Array.from(steps, (step, i) => `${file.name},${seed},${step},${metric},${values[i]}`)),
      ...marks.map(
        (mark) =>
          `${file.name},${seed},${mark.step},event:${mark.type},${/[",]/.test(mark.text) ? `"${mark.text.replaceAll('"', '""')}"` : mark.text}`,
      ),
    ]),
  );
  files.set('figure.csv', utf8(`run,seed,step,metric,value\n${rows.join('\n')}\n`));
  files.set('figure.svg', utf8('<svg></svg>'));
  return files;
}

const SMALL = { env: { id: 'cliff-walking' }, algo: { id: 'q-learning' }, run: { steps: 300, seeds: 2, evalEpisodes: 2 } };
const EDITED = { ...SMALL, run: { ...SMALL.run, steps: 300 } };

/** How one honest thing is judged. */
const outcomeOf = async (base: Files, zipped = false): Promise<string | undefined> =>
  (await judged(base, [{ what: 'as it is', files: base.size === 1 ? Object.fromEntries(base) : {} }], zipped)).get('as it is');

beforeAll(async () => {
  await rl('list', 'envs'); // bundles once
}, 300_000);

describe('each leaf', () => {
  test('of a run of train --out', async () => {
    writeFileSync(join(home, 'small.json'), JSON.stringify(SMALL));
    expect((await rl('train', '--config', 'small.json', '--out', 'run')).code).toBe(0);
    const base = filesOf(join(home, 'run'));
    expect(await outcomeOf(base)).toBe('same');
    const seedFiles = [1, 2].flatMap((seed) => ['result.json', 'curve.csv', 'policy.json'].map((name) => `seed-${seed}/${name}`));
    const changes = [
      ...['project.json', 'run.json', 'summary.json', 'seed-1/result.json'].flatMap((file) => leafChanges(base, file)),
      ...policyChanges(base, 'seed-1/policy.json'),
      ...cellChanges(base, 'seed-1/curve.csv'),
      ...seedFiles.slice(0, 3).map((name) => swapped(base, name, name.replace('seed-1', 'seed-2'))),
      without(base, 'seed-1/'),
      without(base, 'seed-2/'),
    ];
    const found = await judged(base, changes, false);
    expect(missed(found)).toEqual(['coreSeconds', 'savedAt', 'seconds']);
    const zipped = await judged(base, [{ what: 'as it is', files: {} }, ...changes.filter(({ what }) => !what.includes('line '))], true);
    expect(zipped.get('as it is')).toBe('same');
    expect(missed(new Map([...zipped].filter(([what]) => what !== 'as it is')))).toEqual(['coreSeconds', 'savedAt', 'seconds']);
    const alone = new Map([['summary.json', base.get('summary.json') as Uint8Array]]);
    expect(await outcomeOf(alone)).toBe('same');
    // A run without evaluations gives the same numbers whatever their interval, and no hash stands beside it.
    const idle = ['evalEvery', 'seconds', 'stepsPerSecond'];
    expect(missed(await judged(alone, leafChanges(alone, 'summary.json'), false))).toEqual(idle);
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
    expect(await outcomeOf(base)).toBe('same');
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
    expect(missed(await judged(base, changes, false))).toEqual(expected);
    expect(missed(await judged(base, changes, true))).toEqual(expected);
  }, 600_000);

  test('of a bundle, as a folder and as a zip; marks that were added; a run that was edited live', async () => {
    const base = bundleOf([await pageRun('r1', EDITED, [{ step: 100, path: 'algo.alpha', value: 0.9 }])]);
    expect(await outcomeOf(base)).toBe('same');
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
    expect(missed(await judged(base, changes, false))).toEqual(expected);
    expect(missed(await judged(base, changes, true))).toEqual(expected);
  }, 900_000);

  test('@night of a paper, and arms and seeds that were left out', async () => {
    const published = readFileSync('public/results/papers/q-learning-cliff.json', 'utf8');
    const base: Files = new Map([['paper.json', utf8(published)]]);
    expect(await outcomeOf(base)).toBe('same');
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
    expect(missed(await judged(base, changes, false))).toEqual([]);
  }, 900_000);
});

/** Lines of verify --json for one thing. */
async function said(base: Files, ...more: readonly string[]) {
  const at = mkdtempSync(join(home, 'honest-'));
  for (const [name, data] of base) {
    mkdirSync(dirname(join(at, name)), { recursive: true });
    writeFileSync(join(at, name), data);
  }
  const { code, stdout } = await rl('verify', '--json', at, ...more);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; outcome: string; why?: string; text?: string });
  return { code, runs: lines.filter(({ type }) => type === 'verified').map(({ outcome }) => outcome), lines };
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
    for (const run of [
      await pageRun('r1', SMALL, [], 150),
      await pageRun('r1', SMALL, [{ step: 100, path: 'algo.alpha', value: 0.9 }], 200),
      await pageRun('r1', PPO, [edit], 4000),
      await pageRun('r1', DQN, [], 600),
    ]) {
      const { code, runs, lines } = await said(bundleOf([run]));
      expect([run.file.config.algo.id, code, ...runs], JSON.stringify(lines).slice(0, 2000)).toEqual([
        run.file.config.algo.id,
        0,
        ...runs.map(() => 'same'),
      ]);
    }
  }, 300_000);

  test('what is not there or cannot be run here is not verified, and an outcome of its own', async () => {
    const run = await pageRun('r1', SMALL);
    const part = { ...run, file: { ...run.file, seeds: run.file.seeds.slice(0, 1) }, curves: run.curves.filter(({ seed }) => seed === 1) };
    const files = new Map([...bundleOf([part])].filter(([name]) => !name.includes('seed-2')));
    const missing = await said(files);
    expect([missing.code, missing.runs]).toEqual([3, ['same']]);
    expect(missing.lines.map(({ text = '' }) => text).join()).toContain('1 of the 2 seeds of this config are here; missing: 2.');
    const net = await pageRun('r1', PPO);
    for (const [how, { file: made, ...rest }, change] of [
      ['goes on from the state of another run', run, { parent: { id: 'r0', step: 100 } }],
      ['runs in Python', run, { config: { ...run.file.config, env: { ...run.file.config.env, id: 'gym-cartpole-v1-6e94f8' } } }],
      ['cannot be run here', net, { config: { ...net.file.config, run: { ...net.file.config.run, executor: 'webgpu' } } }],
    ] as const) {
      const changed = { ...made, name: 'x', ...change } as RunFile;
      const file = { ...changed, hash: configHash(changed.config), executorReason: '' };
      const base = new Map([...bundleOf([{ ...rest, file }])].filter(([name]) => name.startsWith('r1/')));
      const { code, lines, runs } = await said(base);
      expect([how, code, ...new Set(runs)], JSON.stringify(lines).slice(0, 2000)).toEqual([how, 3, 'unverified']);
      expect(lines.find(({ type }) => type === 'verified')?.why).toContain(how);
    }
  }, 300_000);

  test("an executor with other roundings, where it can be run; code of one's own, once it is allowed", async () => {
    writeFileSync(join(home, 'tfjs.json'), JSON.stringify({ ...PPO, run: { ...PPO.run, steps: 2048, executor: 'tfjs-cpu' } }));
    await rl('train', '--config', 'tfjs.json', '--out', 'tfjs');
    const { code, runs } = await said(filesOf(join(home, 'tfjs')));
    expect([code, runs.every((outcome) => outcome === 'same' || outcome === 'close')]).toEqual([0, true]);
    await rl('new', 'world', 'own.js');
    await rl('train', '--env-file', 'own.js', '--algo', 'ppo', '--steps', '600', '--seeds', '1', '--out', 'own');
    const own = filesOf(join(home, 'own'));
    expect(await said(own)).toMatchObject({ code: 3, runs: ['unverified'] });
    expect(await said(own, '--env-file', 'own.js')).toMatchObject({ code: 0, runs: ['same'] });
  }, 300_000);
});
