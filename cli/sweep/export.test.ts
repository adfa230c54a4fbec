/** Exported lists as text, and names that try to get out of their quotes. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readJson } from '#contract/kit/json.ts';
import { sweepsOf } from '#contract/sweep/parts.ts';
import { UsageError } from '../kit/failure.ts';
import { exportRuns, SCHEDULERS, shellWord } from './export.ts';
import { listedRuns } from './list.ts';

const home = mkdtempSync(join(tmpdir(), 'rl-export-'));
afterAll(() => rmSync(home, { recursive: true }));

const FILE = {
  kind: 'sweep',
  version: 1,
  title: 'Step size at the cliff',
  config: { v: 1, env: { id: 'cliff-walking' }, algo: { id: 'q-learning' }, run: { steps: 500 } },
  fields: { 'algo.alpha': [0.1, 0.5] },
  search: { by: 'grid' },
  seeds: { tuning: 2, reporting: 1 },
};
const runs = await listedRuns(sweepsOf(FILE));
const options = {
  title: FILE.title,
  file: '/data/sweep.json',
  out: '/data/out',
  project: '/opt/rl-workbench',
  text: '{"kind":"sweep"}',
  json: FILE,
  codes: [],
  runs,
};

test('the list: set-ups on the tuning seeds, then the config as it stands on the reporting seeds', async () => {
  expect(runs.map(({ config, seed }) => [config.algo.config.alpha, seed])).toEqual([
    [0.1, 1],
    [0.1, 2],
    [0.5, 1],
    [0.5, 2],
    [runs[4]?.config.algo.config.alpha, 1001],
  ]);
  await expect(listedRuns(sweepsOf({ ...FILE, search: { by: 'tpe' } }))).rejects.toThrow(/follows scores.*--queue/);
});

test.each(SCHEDULERS)('%s', async (scheduler) => {
  await expect(exportRuns(scheduler, options)).toMatchFileSnapshot(`golden/${scheduler}.txt`);
});

test("code of one's own goes with the tasks: by its file, and inside where no folder is shared", () => {
  const own = { ...options, codes: [{ file: "/data/it's.js", code: 'defineEnv({ title: "a" })' }] };
  for (const scheduler of ['slurm', 'make'] as const)
    expect(exportRuns(scheduler, own)).toContain(`--out /data/out --env-file '/data/it'\\''s.js' --run`);
  const job = exportRuns('kubernetes', own);
  expect(job).toContain('--env-file /sweep/code-1.js --run');
  expect(job).toContain('  code-1.js: "defineEnv({ title: \\"a\\" })"\n---');
  expect(job).toContain(`sweep.json: ${JSON.stringify(JSON.stringify(FILE))}`);
});

test('of several sweeps: one list, each run in the folder of its own sweep', async () => {
  const { algo: _, ...config } = FILE.config;
  const found = await listedRuns(sweepsOf({ ...FILE, config, algos: [{ id: 'q-learning' }, { id: 'sarsa' }] }));
  expect(found.map(({ part, seed, config: { algo } }) => `${part} ${algo.id} ${algo.config.alpha} ${seed}`)).toEqual(
    ['q-learning', 'sarsa'].flatMap((id) => [`${id} ${id} 0.1 1`, `${id} ${id} 0.1 2`, `${id} ${id} 0.5 1`, `${id} ${id} 0.5 2`]),
  );
});

test('the methods of docs/sweeps.md are a list of runs that can be', async () => {
  const page = /^```json methods.json\n([\s\S]*?)^```$/m.exec(readFileSync('docs/sweeps.md', 'utf8'))?.[1] ?? '';
  const found = await listedRuns(sweepsOf(readJson(page)));
  expect(found).toHaveLength(3 * 3 * 2 * 3);
  expect(new Set(found.map(({ part }) => part)).size).toBe(9);
  const widths = new Set(
    found.filter(({ config }) => config.algo.id === 'dqn').map(({ config }) => JSON.stringify(config.algo.config.hidden)),
  );
  expect([...widths]).toEqual(['[64,64]']);
});

const NASTY = [`it's`, '$(touch hit)', '`touch hit`', '; touch hit', '"', '\\', '$HOME', '%s', '# x', '$$', '$(shell touch hit)', 'ä b'];
const hasMake = spawnSync('make', ['--version']).status === 0;

test('any name stays one word of a shell', () => {
  const said = spawnSync('sh', ['-c', `printf '%s\\n' ${NASTY.map(shellWord).join(' ')}`], { cwd: home, encoding: 'utf8' }).stdout;
  expect(said).toBe(`${NASTY.join('\n')}\n`);
  expect(existsSync(join(home, 'hit'))).toBe(false);
});

test.runIf(hasMake)('any name stays one word of a recipe of make', () => {
  // The Makefile as a whole: the workbench is replaced by a program that writes what it was given.
  const name = NASTY.join(' ');
  const project = join(home, name.replaceAll('\\', '')); // Node loads no module from a path with one
  mkdirSync(join(project, 'tools'), { recursive: true });
  writeFileSync(
    join(project, 'tools/rl.mjs'),
    'import { appendFileSync } from "node:fs"; appendFileSync("said", JSON.stringify(process.argv.slice(2)) + "\\n");',
  );
  const one = { ...options, title: `a\n\ttouch hit ${name}`, file: `/data/${name}`, out: name, project, runs: runs.slice(0, 1) };
  writeFileSync(join(home, 'Makefile'), exportRuns('make', one));
  expect(spawnSync('make', ['-s', '-f', 'Makefile'], { cwd: home, encoding: 'utf8' }).stderr).toBe('');
  const said = readFileSync(join(project, 'said'), 'utf8').trim().split('\n');
  expect(said.map((line) => JSON.parse(line))).toEqual([
    ['sweep', `/data/${name}`, '--out', name, '--run', '0'],
    ['sweep', `/data/${name}`, '--out', name],
  ]);
  for (const folder of [home, project]) expect(existsSync(join(folder, 'hit'))).toBe(false);
});

test('a script for Slurm is a script, and a title cannot leave its comment', () => {
  const script = exportRuns('slurm', { ...options, title: 'x\ntouch hit', file: `/data/it's` });
  expect(spawnSync('bash', ['-n'], { input: script }).status).toBe(0);
  expect(script).not.toMatch(/^touch/m);
  expect(exportRuns('kubernetes', { ...options, title: 'Ä\nkind: Pod', text: 'a\n"b": c\n' })).not.toMatch(/^kind: Pod/m);
  expect(() => exportRuns('make', { ...options, out: 'a\nb' })).toThrow(UsageError);
});
