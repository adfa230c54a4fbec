import { expect, test } from 'vitest';
import type { AlgoCard, Catalog, EnvCard } from '#contract/catalog/catalog.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import { catalogStore } from '#stores/catalog.ts';
import { strengths } from '#stores/strength.ts';
import type { RunGroup, SeedRun } from '#stores/types.ts';
import { phaseOf, progressOf, statusText } from '#ui/kit/progress.ts';
import { effectOf, effectText } from './effect.ts';
import { arrange, depthOf, headlineOf, headlineOfSeed, outcomeOf } from './rows.ts';

const config = runConfigSchema.parse({ env: { id: 'cartpole' }, algo: { id: 'ppo' }, run: { steps: 1000 } });

function seed(number: number, state: SeedRun['state'], evalReturn: number | null, step = 1000): SeedRun {
  const result =
    evalReturn === null
      ? null
      : {
          seed: number,
          finalReturn: 0,
          evalReturn,
          evalLoops: 0,
          perAgent: [],
          steps: step,
          seconds: 1,
          stepsPerSecond: 1000,
          parameterHash: 'x',
        };
  return { seed: number, state, step, seconds: 2, stepsPerSecond: 500, checkpointStep: -1, result, failure: null, marks: [] };
}
function group(id: string, seeds: readonly SeedRun[], more: Partial<RunGroup> = {}): RunGroup {
  const rest = { hash: 'h', colour: 0, dash: 0, createdAt: 0, visible: true, note: '', parent: null, executorReason: '' };
  return { id, name: id, config, seeds, ...rest, ...more };
}
const done = (id: string, returns: readonly number[], more: Partial<RunGroup> = {}) =>
  group(
    id,
    returns.map((value, i) => seed(i + 1, 'done', value)),
    more,
  );

test('an interval exists from five finished seeds on, and the mean is interquartile', () => {
  expect(outcomeOf(done('four', [1, 2, 3, 4]))).toEqual({ n: 4, iqm: 2.5, ci: null });
  const five = outcomeOf(done('five', [0, 10, 20, 30, 1000]));
  expect(five.iqm).toBe(20);
  expect(five.ci![0]).toBeLessThanOrEqual(20);
  expect(five.ci![1]).toBeGreaterThanOrEqual(20);
  expect(outcomeOf(done('again', [0, 10, 20, 30, 1000])).ci).toEqual(five.ci);
});

test('hiding or filtering other runs changes no number', () => {
  const a = done('a', [1, 2, 3, 4, 5]);
  const before = outcomeOf(a);
  arrange([a, done('b', [9, 9, 9, 9, 9], { visible: false })], 'a', { column: 'name', down: false });
  expect(outcomeOf(a)).toBe(before);
});

test('the table sorts by value, nothing measured last, and filters by words', () => {
  const groups = [done('low', [1]), group('none', [seed(1, 'running', null, 10)]), done('high', [9], { note: 'big net' })];
  expect(arrange(groups, '', { column: 'return', down: true }).map(({ id }) => id)).toEqual(['high', 'low', 'none']);
  expect(arrange(groups, 'NET big', { column: 'name', down: false }).map(({ id }) => id)).toEqual(['high']);
  expect(arrange(groups, 'training', { column: 'name', down: false }).map(({ id }) => id)).toEqual(['none']);
});

test('five hundred runs stay in order', () => {
  const many = Array.from({ length: 500 }, (_, i) => done(`run ${i}`, [i % 17, i % 5, i % 3, 1, 2]));
  const sorted = arrange(many, 'run', { column: 'return', down: true });
  expect(sorted).toHaveLength(500);
  expect(outcomeOf(sorted[0]!).iqm!).toBeGreaterThanOrEqual(outcomeOf(sorted[499]!).iqm!);
});

test('the phase of a run is that of its busiest seed', () => {
  expect(phaseOf(group('g', [seed(1, 'done', 1), seed(2, 'running', null, 400), seed(3, 'queued', null, 0)]))).toBe('running');
  expect(phaseOf(group('g', [seed(1, 'paused', null, 5), seed(2, 'queued', null, 0)]))).toBe('paused');
  expect(phaseOf(group('g', [seed(1, 'interrupted', null, 5), seed(2, 'done', 1)]))).toBe('interrupted');
  expect(statusText(group('g', [seed(1, 'failed', null), seed(2, 'done', 1)]))).toBe('1 of 2 failed');
  expect(statusText(group('g', [seed(1, 'queued', null, 0)]))).toBe('starting');
});

test('progress sums the seeds, and time left is what is open at the present speed', () => {
  const progress = progressOf(group('g', [seed(1, 'done', 1), seed(2, 'running', null, 400), seed(3, 'queued', null, 0)]));
  expect(progress).toMatchObject({ step: 1400, total: 3000, perSecond: 500, finished: 1 });
  expect(progress.left).toBeCloseTo(3.2);
});

test('a run whose last update went past its steps has done what was asked, not more', () => {
  expect(progressOf(group('g', [seed(1, 'done', 1, 1040), seed(2, 'done', 1, 1016)]))).toMatchObject({ step: 2000, total: 2000 });
});

test('forks stand below the run they go on from, whatever the table is sorted by', () => {
  const fork = (id: string, parent: string, value: number) => done(id, [value], { parent: { id: parent, step: 100 } });
  const groups = [
    fork('child', 'root', 9),
    done('other', [5]),
    fork('grandchild', 'child', 7),
    done('root', [1]),
    fork('alone', 'gone', 3),
  ];
  expect(arrange(groups, '', { column: 'return', down: true }).map(({ id }) => id)).toEqual([
    'other',
    'alone',
    'root',
    'child',
    'grandchild',
  ]);
  const byId = new Map(groups.map((one) => [one.id, one]));
  expect(groups.map((one) => depthOf(one, byId))).toEqual([1, 0, 2, 0, 0]);
  // A file may name parents in a circle: every run is shown once.
  const circle = [fork('a', 'b', 1), fork('b', 'a', 2)];
  expect(arrange(circle, '', { column: 'name', down: false })).toHaveLength(2);
});

test('the effect of an edit is a difference of pairs, with an interval from five on', () => {
  const nowhere = () => 0;
  const effect = effectOf(done('edited', [11, 22, 33, 44, 55]), done('shadow', [10, 20, 30, 40, 50]), nowhere);
  expect(effect).toMatchObject({ mean: 3, pairs: 5 });
  expect(effect?.interval?.[0]).toBeGreaterThan(0);
  expect(effect?.interval?.[1]).toBeLessThanOrEqual(5);
  const few = effectOf(done('edited', [11, 22]), done('shadow', [10, 20]), nowhere);
  expect(few).toMatchObject({ mean: 1.5, interval: null, pairs: 2 });
  expect(effectText(few!)).toContain('+1.5, 2 paired seeds; an interval needs five');
  expect(effectOf(group('fresh', [seed(1, 'running', null)]), done('shadow', [1]), nowhere)).toBeNull();
});

test('where another side learns as well, the table shows the tests against random play, of finished seeds that were tested at their end', () => {
  const before = catalogStore.getState();
  const metrics = [{ id: 'episodicReturn', title: '', description: '' }];
  const card = { id: 'ppo', learner: 'network', defaults: {}, metrics } as unknown as AlgoCard;
  const four = { id: 'four', judged: 'share of wins against random' } as EnvCard;
  catalogStore.setState({ catalog: { envs: [four], algos: [card] } as unknown as Catalog });
  const wins = 'share of wins against random';
  const run = done('rivals', [-178, -20, -3], { config: { ...config, env: { ...config.env, id: 'four' } } });
  expect(headlineOf(run)).toEqual({ n: 0, iqm: null, ci: null }); // no -178, which says nothing
  strengths.add('rivals', 1, 1000, wins, Float64Array.of(1, 1, 1, 0));
  strengths.add('rivals', 2, 1000, wins, Float64Array.of(1, 0, 1, 0));
  strengths.add('rivals', 3, 400, wins, Float64Array.of(0, 0, 0, 0));
  expect(headlineOf(run)).toMatchObject({ n: 2, iqm: 0.625 });
  expect(headlineOfSeed(run, run.seeds[2]!)).toBeNaN();
  expect(headlineOf(done('alone', [4])).iqm).toBe(4);
  catalogStore.setState(before);
});
