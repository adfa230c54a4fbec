/**
 * What a person would change who wants other results than the runs gave: numbers, policies, seeds and set-ups left out, marks that excuse, words of
 * papers. None is taken for the same.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { type Json, type JsonObject, objectOf } from '#contract/kit/json.ts';
import { configHash } from '#contract/run/config-hash.ts';
import { decodeSaved, encodeSaved } from '#contract/run/saved.ts';
import { completeRun } from '#core/run/loaded.ts';
import { NIGHT } from '../../tools/nightly.ts';
import { atHome, type Change, type Files, filesOf, home, jsonOf, judged, rl, swapped, without } from '../../tools/verify-copies.ts';
import { bundleOf, pageRun } from '../../tools/verify-page-runs.ts';

const RUN = { env: { id: 'cliff-walking' }, algo: { id: 'q-learning' }, run: { steps: 300, seeds: 3, evalEpisodes: 2 } };
const text = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** A file of JSON with another value at this path. */
function withValue(value: Json, [name, ...rest]: readonly string[], leaf: Json): Json {
  if (name === undefined) return leaf;
  if (Array.isArray(value)) return value.with(Number(name), withValue(value[Number(name)] as Json, rest, leaf)) as Json;
  return { ...objectOf(value), [name]: withValue(objectOf(value)[name] ?? null, rest, leaf) };
}
const put = (base: Files, file: string, path: string, leaf: Json): Change => ({
  what: `${file}: ${path} ${JSON.stringify(leaf)?.slice(0, 60)}`,
  files: { [file]: text(withValue(jsonOf(base, file), path.split('.'), leaf)) },
});
const textOf = (base: Files, file: string): string => new TextDecoder().decode(base.get(file));
const together = (what: string, ...changes: readonly Change[]): Change => ({
  what,
  files: Object.assign({}, ...changes.map(({ files }) => files)),
});
const line = (base: Files, file: string, at: number, change: (line: string) => string | null): Change => ({
  what: `${file}: line ${at} changed`,
  files: {
    [file]: textOf(base, file)
      .split('\n')
      .flatMap((one, i) => (i === at ? (change(one) ?? []) : [one]))
      .join('\n'),
  },
});

/** Counts of outcomes; `passed`: what was taken for the same. */
function tally(found: ReadonlyMap<string, string>) {
  const counts: { [outcome: string]: number } = {};
  for (const outcome of found.values()) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return { counts, passed: [...found].flatMap(([what, outcome]) => (outcome === 'same' ? [what] : [])) };
}

async function none(kind: string, base: Files, changes: readonly Change[], zipped = false): Promise<void> {
  expect(new Set(changes.map(({ what }) => what)).size, 'each forgery has a name').toBe(changes.length);
  const { counts, passed } = tally(
    await judged(
      base,
      changes.map((change) => ({ ...change, zipped })),
    ),
  );
  console.log(`${kind}: ${changes.length} forgeries, ${JSON.stringify(counts)}`);
  expect(passed).toEqual([]);
}

atHome();
beforeAll(async () => {
  await rl('list', 'envs'); // bundles once
}, 300_000);

const FORGED = { finalReturn: 500, evalReturn: 500, parameterHash: 'deadbeefdeadbeef' };

/** A seed of a record that the page wrote. */
const DONE = { state: 'done', step: 300, seconds: 1, stepsPerSecond: 300, checkpointStep: -1, result: null, failure: null };

/** One added mark for each seed, over returns and hashes that are made up. */
function excused(base: Files, folder: string, mark: object, more: object = {}): Change {
  const record = { ...objectOf(jsonOf(base, `${folder}run.json`)), ...more };
  const own = Array.isArray(record.seeds) ? (record.seeds as JsonObject[]) : [];
  const seeds = [1, 2, 3].flatMap((seed) => (base.has(`${folder}seed-${seed}/result.json`) ? [seed] : []));
  const marked = seeds.map((seed) => ({
    ...(own.find((one) => one.seed === seed) ?? { ...DONE, seed }),
    marks: [{ kind: 'mark', step: 100, text: 'a mark', by: 'user', ...mark }],
  }));
  return {
    what: `forged numbers under ${JSON.stringify(mark)}${'hash' in more ? ` and config ${String(more.hash)}` : ''}`,
    files: {
      [`${folder}run.json`]: text({ ...record, seeds: marked }),
      ...Object.fromEntries(
        seeds.map((seed) => [
          `${folder}seed-${seed}/result.json`,
          text({ ...objectOf(jsonOf(base, `${folder}seed-${seed}/result.json`)), ...FORGED }),
        ]),
      ),
    },
  };
}

function runForgeries(base: Files): readonly Change[] {
  const result = objectOf(jsonOf(base, 'seed-1/result.json'));
  const numbers = Object.entries(result).flatMap(([name, value]) =>
    typeof value === 'number' && !/seconds/i.test(name) && name !== 'stepsPerSecond' ? [name] : [],
  );
  const rows = textOf(base, 'seed-1/curve.csv').split('\n').length - 2;
  const policy = objectOf(jsonOf(base, 'seed-1/policy.json'));
  const config = objectOf(objectOf(jsonOf(base, 'run.json')).config);
  const other = (executor: string): object => {
    const changed = completeRun({ ...config, run: { ...objectOf(config.run), executor } });
    return { config: changed, hash: configHash(changed) };
  };
  const marks = [
    { type: 'edit' },
    { type: 'edit', path: 'algo.alpha', value: 0.9 },
    { type: 'stop' },
    { type: 'resume' },
    { type: 'executor', path: 'run.executor', value: 'tfjs-cpu' },
  ];
  return [
    ...numbers.map((name) => put(base, 'seed-1/result.json', name, Number(result[name]) + 1)),
    put(base, 'seed-1/result.json', 'parameterHash', 'deadbeefdeadbeef'),
    put(base, 'seed-2/result.json', 'evalReturn', 500),
    ...[1, Math.floor(rows / 2), rows].map((at) => line(base, 'seed-1/curve.csv', at, (row) => row.replace(/[^,]*$/, '500'))),
    { ...line(base, 'seed-1/curve.csv', rows, () => null), what: 'the last row of a curve left out' },
    { ...line(base, 'seed-1/curve.csv', 1, (row) => `${row}\n${row}`), what: 'a row of a curve twice' },
    { what: 'a curve emptied', files: { 'seed-1/curve.csv': `${textOf(base, 'seed-1/curve.csv').split('\n')[0]}\n` } },
    put(base, 'summary.json', 'iqm.evalReturn', 500),
    put(base, 'summary.json', 'iqm.finalReturn', 500),
    put(base, 'summary.json', 'ci95', { finalReturn: [499, 501], evalReturn: [499, 501] }),
    put(base, 'summary.json', 'env', 'frozen-lake'),
    put(base, 'summary.json', 'algo', 'sarsa'),
    put(base, 'summary.json', 'config.algo.config.alpha', 0.25),
    put(base, 'summary.json', 'seeds.0.evalReturn', 500),
    put(base, 'project.json', 'runs.0.seeds.0.parameterHash', '0000000000000000'),
    put(base, 'project.json', 'runs.0.seeds.0.step', 999_999),
    put(base, 'project.json', 'runs.0.name', 'SAC on Humanoid'),
    put(base, 'project.json', 'runs.0.hash', '0123456789ab'),
    put(base, 'run.json', 'config.algo.config.alpha', 0.25),
    put(base, 'run.json', 'config.run.seeds', 30),
    put(base, 'run.json', 'config.run.steps', 30_000),
    put(base, 'run.json', 'config.env.id', 'frozen-lake'),
    ...['policy.json', 'result.json', 'curve.csv'].map((name) => swapped(base, `seed-1/${name}`, `seed-2/${name}`)),
    { what: 'the policy of another seed', files: { 'seed-1/policy.json': textOf(base, 'seed-2/policy.json') } },
    { what: 'a policy of a later step', files: { 'seed-1/policy.json': text({ ...policy, step: 999_999 }) } },
    {
      what: 'a policy of another environment',
      files: { 'seed-1/policy.json': text({ ...policy, env: { id: 'frozen-lake', version: 1, config: {} } }) },
    },
    { what: 'a policy emptied', files: { 'seed-1/policy.json': '' } },
    without(base, 'seed-3/'),
    together('the worst seed left out everywhere', without(base, 'seed-3/'), fewerSeeds(base)),
    together('two seeds left out', without(base, 'seed-3/'), without(base, 'seed-2/')),
    {
      what: 'one seed three times',
      files: Object.fromEntries(
        [2, 3].flatMap((seed) =>
          ['policy.json', 'result.json', 'curve.csv'].map((name) => [`seed-${seed}/${name}`, textOf(base, `seed-1/${name}`)]),
        ),
      ),
    },
    ...marks.map((mark) => excused(base, '', mark)),
    ...['tfjs-cpu', 'tfjs-webgl', 'webgpu'].map((executor) => excused(base, '', { type: 'stop' }, other(executor))),
  ];
}

/** The index and the summary without the third seed. */
function fewerSeeds(base: Files): Change {
  const index = objectOf(jsonOf(base, 'project.json'));
  const runs = (index.runs as JsonObject[]).map((run) => ({ ...run, seeds: (run.seeds as Json[]).slice(0, 2) }));
  const summary = objectOf(jsonOf(base, 'summary.json'));
  return {
    what: '',
    files: {
      'project.json': text({ ...index, runs }),
      'summary.json': text({ ...summary, seeds: (summary.seeds as Json[]).slice(0, 2) }),
    },
  };
}

test('of a run, as a folder and as a zip', async () => {
  writeFileSync(join(home, 'forged.json'), JSON.stringify(RUN));
  expect((await rl('train', '--config', 'forged.json', '--out', 'forged')).code).toBe(0);
  const base = filesOf(join(home, 'forged'));
  const changes = runForgeries(base);
  await none('run, folder', base, changes);
  if (NIGHT) await none('run, zip', base, changes, true);
  const alone: Files = new Map([['summary.json', base.get('summary.json') as Uint8Array]]);
  const summary = ['iqm.evalReturn', 'iqm.finalReturn', 'seeds.0.finalReturn'].map((path) => put(alone, 'summary.json', path, 500));
  await none('summary by itself', alone, summary);
}, 600_000);

test('of a bundle of the page, as a folder and as a zip', async () => {
  const base = bundleOf([await pageRun('r1', { ...RUN, run: { ...RUN.run, seeds: 2 } })]);
  const beside = [...base.keys()].flatMap((name) => (/^r1\/seed-1\//.test(name) ? [name.slice('r1/seed-1/'.length)] : []));
  const zeros = (file: string): Change => {
    const saved = decodeSaved(base.get(file) as Uint8Array);
    const arrays = Object.fromEntries(Object.entries(saved.arrays).map(([name, array]) => [name, array.slice().fill(0)]));
    return { what: `${file}: all zero`, files: { [file]: encodeSaved({ ...saved, arrays }) } };
  };
  const states = beside.filter((name) => name.endsWith('.rlwb')).map((name) => `r1/seed-1/${name}`);
  const changes = [
    ...beside.map((name) => swapped(base, `r1/seed-1/${name}`, `r1/seed-2/${name}`)),
    ...states.map(zeros),
    put(base, 'project.json', 'runs.0.seeds.0.parameterHash', '0000000000000000'),
    put(base, 'project.json', 'runs.0.name', 'SAC on Humanoid'),
    put(base, 'project.json', 'runs.0.seeds.0.step', 7),
    put(base, 'r1/run.json', 'config.run.seeds', 30),
    put(base, 'r1/run.json', 'seeds.0.step', 7),
    put(base, 'r1/seed-1/result.json', 'evalReturn', 500),
    ...['README.md', 'CITATION.bib', 'figure.csv'].map(
      (name): Change => ({ what: `${name}: 1 for 2`, files: { [name]: textOf(base, name).replace(/1/, '2') } }),
    ),
    without(base, 'r1/seed-2/'),
    ...[{ type: 'edit' }, { type: 'stop' }, { type: 'resume' }, { type: 'executor' }].map((mark) => excused(base, 'r1/', mark)),
  ];
  await none('bundle, folder', base, changes);
  if (NIGHT) await none('bundle, zip', base, changes, true);
}, 600_000);

test('of a sweep', async () => {
  const asked = {
    kind: 'sweep',
    version: 1,
    config: { ...RUN, run: { ...RUN.run, seeds: 1 } },
    fields: { 'algo.alpha': [0.1, 0.3, 0.5], 'algo.epsilon': [0.1, 0.3] },
    search: { by: 'grid' },
    seeds: { tuning: 1, reporting: 5 },
  };
  writeFileSync(join(home, 'swept.json'), JSON.stringify(asked));
  expect((await rl('sweep', 'swept.json', '--out', 'swept')).code).toBe(0);
  const base = filesOf(join(home, 'swept'));
  const file = objectOf(jsonOf(base, 'sweep.json'));
  const runs = [...new Set([...base.keys()].flatMap((name) => /^runs\/[^/]+\//.exec(name)?.[0] ?? []))];
  const half = put(base, 'sweep.json', 'setups', (file.setups as Json[]).slice(0, 3));
  const table = textOf(base, 'sweep.csv').split('\n');
  const verdict = objectOf(file.verdict);
  const changes = [
    put(base, 'sweep.json', 'setups.0.score', 500),
    put(base, 'sweep.json', 'setups.0.first', 500),
    put(base, 'sweep.json', 'setups.0.scores.0', 500),
    put(base, 'sweep.json', 'setups.0.values', { 'algo.alpha': 0.9, 'algo.epsilon': 0.9 }),
    put(base, 'sweep.json', 'importance', []),
    put(base, 'sweep.json', 'runs.done', 600),
    put(base, 'sweep.json', 'runs.failed', 3),
    put(base, 'sweep.json', 'better', file.better === 'more' ? 'less' : 'more'),
    put(base, 'sweep.json', 'reported', null),
    put(base, 'sweep.json', 'best', 3),
    ...Object.keys(verdict).map((name) => put(base, 'sweep.json', `verdict.${name}`, name === 'text' ? 'The first is far better.' : 500)),
    half,
    together('three of six set-ups left out everywhere', half, ...runs.slice(0, 3).map((run) => without(base, run)), {
      what: '',
      files: { 'sweep.csv': table.slice(0, 4).join('\n') },
    }),
    ...runs.slice(0, 2).map((run) => without(base, run)),
    line(base, 'sweep.csv', 1, (row) => row.replace(/[^,]*$/, '500')),
    { ...line(base, 'sweep.csv', 1, () => null), what: 'a row of the table left out' },
    swapped(base, `${runs[0]}seed-1/result.json`, `${runs[1]}seed-1/result.json`),
  ];
  await none('sweep', base, changes);
}, 600_000);

test('@night of a paper', async () => {
  const base: Files = new Map([['paper.json', new Uint8Array(readFileSync('public/results/papers/q-learning-cliff.json'))]]);
  const paper = objectOf(jsonOf(base, 'paper.json'));
  const arm = objectOf((paper.arms as Json[])[0]);
  const curve = objectOf(arm.curve);
  const cut = (count: number): Json => [
    { ...arm, scores: (arm.scores as Json[]).slice(0, count), parameterHashes: (arm.parameterHashes as Json[]).slice(0, count) },
  ];
  const to = (path: string, leaf: Json): Change => put(base, 'paper.json', path, leaf);
  const changes = [
    to('outcome', 'not shown'),
    to('first', 'not shown'),
    to('because', 'Another reason.'),
    to('tested.label', 'the method'),
    to('findings.0.estimate', -12),
    to('findings.0.low', -12),
    to('findings.0.state', 'reversed'),
    to('findings', []),
    to('voids', [{ check: 'spread', text: 'made up' }]),
    to(
      'arms.0.curve.values',
      (curve.values as Json[][]).map((row) => row.map(() => 1e6)),
    ),
    to('arms.0.curve', null),
    to('arms.0.random.value', 0),
    to('arms.0.ceiling.value', 0),
    to('arms.0.parameters', 7),
    to('arms.0.steps', 7),
    to('arms.0.trials', 7),
    to('arms.0.title', 'SAC on Humanoid'),
    to('arms.0.scores.3', -5),
    to('arms.0.algo.config.alpha', 0.1),
    to('arms.0.config', '0123456789ab'),
    to('rule', '0123456789ab'),
    to('judge', 5),
    to('log', []),
    to('title', 'Another title'),
    to('pilot', null),
    to('pilot.arms.0.scores.0', 0),
    to('tunedOn', null),
    {
      what: 'the first two seeds alone',
      files: { 'paper.json': text({ ...paper, seeds: (paper.seeds as Json[]).slice(0, 2), arms: cut(2) }) },
    },
    {
      what: 'the first five seeds alone',
      files: { 'paper.json': text({ ...paper, seeds: (paper.seeds as Json[]).slice(0, 5), arms: cut(5) }) },
    },
    {
      what: 'another arm',
      files: { 'paper.json': text({ ...paper, arms: [{ ...arm, id: 'other', scores: (arm.scores as Json[]).map(() => 9999) }] }) },
    },
    {
      what: 'an arm without hashes and scores',
      files: { 'paper.json': text({ ...paper, arms: [{ ...arm, parameterHashes: [], scores: (arm.scores as Json[]).map(() => null) }] }) },
    },
  ];
  await none('paper', base, changes);
}, 900_000);
