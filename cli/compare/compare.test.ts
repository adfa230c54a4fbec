/** Folders as train and sweep write them, made by hand, against each other. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { configHash } from '#contract/run/config-hash.ts';
import { setupConfig } from '#contract/sweep/differing.ts';
import { sweepFile } from '#contract/sweep/folder.ts';
import { contrastsOver } from '#contract/sweep/report.ts';
import type { Setup } from '#contract/sweep/run.ts';
import { parseSweep } from '#contract/sweep/sweep.ts';
import { completeRun } from '#core/run/loaded.ts';
import { comparedSvg, drawnCurve } from './figure.ts';
import { gather, nameGroups } from './gather.ts';
import { type Counted, comparedCsv, comparedText, compareRuns } from './report.ts';

const home = mkdtempSync(join(tmpdir(), 'rl-compare-'));
afterAll(() => rmSync(home, { recursive: true }));

const greedy: Counted = { quantity: { title: 'greedy test return', of: 'evalReturn' }, better: 'more' };
const high = [10, 11, 12, 13, 14];
const low = [1, 2, 3, 4, 5];
const wide = [2, 9, 10, 11, 12];

interface Run {
  readonly env: string;
  readonly algo: string;
  readonly scores: readonly number[];
  readonly settings?: Readonly<Record<string, number>>;
  readonly steps?: number;
}

const configOf = ({ env, algo, settings = {}, steps = 400 }: Omit<Run, 'scores'>) =>
  completeRun({ v: 1, env: { id: env }, algo: { id: algo, config: settings }, run: { steps, seeds: 1 } });

function write(folder: string, config: ReturnType<typeof configOf>, scores: readonly number[], firstSeed = 1): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'run.json'), JSON.stringify({ kind: 'cli-run', version: 1, config }));
  scores.forEach((evalReturn, i) => {
    const seed = firstSeed + i;
    const at = join(folder, `seed-${seed}`);
    mkdirSync(at);
    writeFileSync(join(at, 'result.json'), JSON.stringify({ seed, parameterHash: 'abc', evalReturn, finalReturn: evalReturn - 1 }));
    const rows = [100, 200, 400].map((step) => `r,${seed},${step},episodicReturn,${(evalReturn * step) / 400}`);
    writeFileSync(join(at, 'curve.csv'), `${['run,seed,step,metric,value', ...rows].join('\n')}\n`);
  });
  return folder;
}

const trained = (name: string, run: Run): string => write(join(home, name), configOf(run), run.scores);

test('methods over the environments that all of them have, and the same sentence as a sweep gives for the same runs', async () => {
  const folders = [
    trained('a', { env: 'cliff-walking', algo: 'q-learning', scores: high }),
    trained('b', { env: 'frozen-lake', algo: 'q-learning', scores: wide }),
    trained('c', { env: 'cliff-walking', algo: 'sarsa', scores: low }),
    trained('d', { env: 'frozen-lake', algo: 'sarsa', scores: low, steps: 800 }),
    trained('e', { env: 'taxi', algo: 'sarsa', scores: high }),
  ];
  const { runs, counted } = await gather(folders);
  const compared = compareRuns(nameGroups(runs), greedy);
  expect(counted).toEqual([null, null, null, null, null]);
  const swept = contrastsOver(
    [
      { env: 'Frozen lake', arms: [{ value: 'Q-learning', setup: 1, scores: wide }, { value: 'Sarsa', setup: 1, scores: low }] }, // biome-ignore format: two arms
      { env: 'Cliff walking', arms: [{ value: 'Q-learning', setup: 1, scores: high }, { value: 'Sarsa', setup: 1, scores: low }] }, // biome-ignore format: two arms
    ],
    'more',
  );
  expect(compared.standing.sentence.replace(/, with different budgets \([^)]*\)/, '').toLowerCase()).toBe(swept.sentence.toLowerCase());
  expect(compared.standing.sentence).toContain(', with different budgets (Q-learning 400 and SARSA 800 steps in Frozen lake):');
  expect(compared.standing.tasks).toEqual(['Cliff walking', 'Frozen lake']);
  const text = comparedText(compared);
  expect(text).toContain('overlap in Frozen lake; 5 seeds.');
  expect(text).toContain('Not every group has runs in Taxi');
  expect(text).toContain(' steps in Frozen lake)');
  expect(text).toContain('Over 2 environments, normalised');
  for (const title of ['IQM', 'median', 'mean', 'optimality gap', 'Frozen lake from ']) expect(text).toContain(title);
  expect(comparedCsv(compared).trim().split('\n')).toHaveLength(1 + 25);
  const svg = comparedSvg(compared, 'episodicReturn');
  for (const part of ['Cliff walking', 'Frozen lake', 'Q-learning', 'overlap in Frozen']) expect(svg).toContain(part);
  expect(svg.match(/stroke-width="1.8"/g)).toHaveLength(6); // of two groups two environments and the profile
  for (const part of ['>environment steps<', '>normalised score<', '>share of runs above<', 'Marks at the end: greedy test return'])
    expect(svg).toContain(part);
  expect(svg.match(/<circle/g)).toHaveLength(4); // what is compared, at the end of each line
  expect(svg).toContain('>return</text>'); // the curve's title, not its id
  expect(svg).not.toContain('NaN');
  expect(comparedSvg(compared, 'nothing')).toContain('No run has a curve of nothing.');
});

test('a group has the name that its folder is given, and one name is not for two methods', async () => {
  const folders = [
    { folder: trained('n1', { env: 'cliff-walking', algo: 'q-learning', scores: high }), name: 'ours' },
    { folder: trained('n2', { env: 'cliff-walking', algo: 'q-learning', scores: low, settings: { alpha: 0.3 } }), name: 'base' },
  ];
  const { standing } = compareRuns(nameGroups((await gather(folders)).runs), greedy);
  expect(standing.sentence).toMatch(/^ours is above base in Cliff walking: /);
});

test('where every run has the curve of what is compared, that is drawn', async () => {
  const compared = compareRuns(nameGroups((await gather([join(home, 'a'), join(home, 'c')])).runs), greedy);
  expect(drawnCurve(compared)).toBe('episodicReturn');
  const curve = { steps: [100, 400], values: [1, 2] };
  const withTests = compared.cells.map((cell) => ({ ...cell, runs: cell.runs.map((run) => ({ ...run, curves: new Map([['evalReturn', curve]]) })) })); // biome-ignore format: one map
  expect(drawnCurve({ ...compared, cells: withTests })).toBe('evalReturn');
  const svg = comparedSvg({ ...compared, cells: withTests }, 'evalReturn');
  expect(svg).not.toContain('<circle');
  expect(svg).toContain('Compared by greedy test return.');
});

test('settings of one method are groups by what differs; copies of a run count once', async () => {
  const run = { env: 'cliff-walking', algo: 'q-learning' };
  const folders = [
    trained('f', { ...run, scores: high, settings: { alpha: 0.1 } }),
    trained('g', { ...run, scores: low, settings: { alpha: 0.5 } }),
    trained('h', { ...run, scores: low, settings: { alpha: 0.5 } }),
  ];
  const { standing, cells } = compareRuns(nameGroups((await gather(folders)).runs), greedy);
  expect(cells.map(({ group, scores }) => [group, scores.length])).toEqual([
    ['Q-learning, alpha 0.1', 5],
    ['Q-learning, alpha 0.5', 5],
  ]);
  expect(standing.sentence).toMatch(/^Q-learning, alpha 0\.1 is above Q-learning, alpha 0\.5 in Cliff walking:/);
});

test('a sweep brings its best set-ups on fresh seeds, below any folder; what is missing is named', async () => {
  for (const [method, scores] of [
    ['q-learning', high],
    ['sarsa', low],
  ] as const) {
    const sweep = parseSweep({
      kind: 'sweep',
      version: 1,
      config: { env: { id: 'cliff-walking' }, algo: { id: method }, run: { steps: 400 } },
      fields: { 'algo.alpha': [0.1, 0.5] },
      search: { by: 'grid' },
      method,
    }); // biome-ignore format: one object
    const config = await setupConfig(sweep, { 'algo.alpha': 0.5 }, completeRun);
    const best: Setup = {
      number: 2,
      point: [0.75],
      values: { 'algo.alpha': 0.5 },
      config,
      scores: [1, 1, 1],
      score: 1,
      first: 1,
      steps: 400,
    };
    const swept = { setups: [best], best, reported: { seeds: [1001, 1002, 1003, 1004, 1005], best: scores, base: null } };
    const folder = join(home, 'swept', method);
    write(join(folder, 'runs', configHash(config)), completeRun(config), [0, 0, 0], 1); // tuning runs are no evidence
    const at = join(folder, 'runs', configHash(config));
    scores.forEach((evalReturn, i) => {
      mkdirSync(join(at, `seed-${1001 + i}`));
      writeFileSync(join(at, `seed-${1001 + i}`, 'result.json'), JSON.stringify({ seed: 1001 + i, parameterHash: 'x', evalReturn }));
    });
    const progress = { state: 'done', runs: { done: 8, total: 8, failed: 0 } } as const;
    writeFileSync(join(folder, 'sweep.json'), JSON.stringify(sweepFile(sweep, swept, { date: '2026-01-01' }, progress)));
  }
  const { runs, counted } = await gather([join(home, 'swept')]);
  expect(runs.map(({ seed }) => seed)).toEqual([1001, 1002, 1003, 1004, 1005, 1001, 1002, 1003, 1004, 1005]);
  expect(counted[0]).toEqual(greedy);
  expect(compareRuns(nameGroups(runs), greedy).standing.sentence).toMatch(/^Q-learning is above sarsa in Cliff walking:/i);
  rmSync(join(home, 'swept/sarsa/runs'), { recursive: true });
  await expect(gather([join(home, 'swept')])).rejects.toThrow(/lacks the runs of sarsa: copy its folder "runs"/i);
  mkdirSync(join(home, 'empty'));
  await expect(gather([join(home, 'empty')])).rejects.toThrow(/holds nothing/);
  await expect(gather([join(home, 'nowhere')])).rejects.toThrow(/There is no folder/);
});
