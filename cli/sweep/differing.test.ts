/** Set-ups that cannot differ, over the settings of real methods: none of them is run twice, whatever searches. */
import { expect, test } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { configHash } from '#contract/run/config-hash.ts';
import { leftOutTexts } from '#contract/sweep/differing.ts';
import { readSweepFile, sweepFile } from '#contract/sweep/folder.ts';
import { importances, sweepCsv } from '#contract/sweep/report.ts';
import { runSweep, type SweepHost } from '#contract/sweep/run.ts';
import { parseSweep, type Sweep } from '#contract/sweep/sweep.ts';
import { completeRun } from '#core/run/loaded.ts';

const sweepOf = (algo: string, fields: JsonObject, more: JsonObject = {}, config: JsonObject = {}): Sweep =>
  parseSweep({
    kind: 'sweep',
    version: 1,
    config: { env: { id: 'cartpole' }, algo: { id: algo, config }, run: { steps: 900 } },
    fields,
    search: { by: 'grid' },
    seeds: { tuning: 2, reporting: 0 },
    ...more,
  });

/** A run scores by its bonus; what was asked for is kept. */
function host(): SweepHost & { readonly asked: RunConfig[] } {
  const asked: RunConfig[] = [];
  return {
    asked,
    complete: completeRun,
    run: async (configs, seeds) => {
      asked.push(...configs);
      return configs.map(({ algo }) =>
        seeds.map((seed) => Number((algo.config.bonus as JsonObject | undefined)?.weight ?? 0) + 0.01 * seed),
      );
    },
  };
}

const weightAndKind = { 'algo.bonus.weight': [0.1, 1], 'algo.bonus.kind': ['none', 'RND'] };

test.each([
  ['the field before its kind', weightAndKind],
  ['its kind before the field', { 'algo.bonus.kind': ['none', 'RND'], 'algo.bonus.weight': [0.1, 1] }],
  ['the kind by its short name', { 'algo.bonus': ['none', 'RND'], 'algo.bonus.weight': [0.1, 1] }],
  ['names of before there were kinds', { 'algo.bonus': ['none', 'RND'], 'algo.bonusWeight': [0.1, 1] }],
])('a grid over %s has three set-ups, and tells which is left out and why', async (_, fields) => {
  const room = host();
  const { setups, left } = await runSweep(sweepOf('ppo', fields), room);
  expect(setups.map(({ score }) => Math.round(10 * (score ?? 0)) / 10).sort()).toEqual([0, 0.1, 1]);
  expect(new Set(room.asked.map(configHash)).size).toBe(3);
  expect(setups.map(({ values }) => Object.keys(values).length).sort()).toEqual([1, 2, 2]);
  const [field] = Object.keys(fields).filter((name) => name.toLowerCase().endsWith('weight'));
  expect(leftOutTexts(left ?? [])).toEqual([
    `Left out: one set-up that cannot differ from set-up 1, because ${field} does not act with algo.bonus.kind none.`,
  ]);
});

test.each(['random', 'sobol', 'halving', 'tpe'])('%s spends none of its set-ups on copies', async (by) => {
  const room = host();
  const fields = { 'algo.bonus.kind': ['none', 'counts', 'RND'], 'algo.bonus.weight': { from: 0.1, to: 1 } };
  const { setups, left = [] } = await runSweep(sweepOf('ppo', fields, { search: { by, setups: 12 } }), room);
  expect(setups).toHaveLength(12);
  expect(setups.filter(({ values }) => values['algo.bonus.kind'] === 'none')).toHaveLength(1);
  expect(new Set(room.asked.map(configHash)).size).toBe(room.asked.length);
  expect(left.length).toBeGreaterThan(0);
  expect(left.every(({ idle }) => idle.map(({ field }) => field).join() === 'algo.bonus.weight')).toBe(true);
  const [none] = setups.filter(({ values }) => values['algo.bonus.kind'] === 'none');
  expect(new Set(left.map(({ like }) => like))).toEqual(new Set([none?.number]));
});

test('a room of few values ends where all that differ are tried', async () => {
  const { setups } = await runSweep(sweepOf('ppo', weightAndKind, { search: { by: 'sobol', setups: 24 } }), host());
  expect(setups).toHaveLength(3);
  const { setups: followed } = await runSweep(sweepOf('ppo', weightAndKind, { search: { by: 'tpe', setups: 24 } }), host());
  expect(followed).toHaveLength(3);
});

test('an amount that switches a kind off is a value like any other', async () => {
  const amounts = sweepOf(
    'group-rl',
    { 'algo.klCoef': [0, 0.2], 'algo.kl': ['k1', 'k3'] },
    {},
    { reference: { kind: 'fixed', coef: 0.5 } },
  );
  const sweep = { ...amounts, config: { ...amounts.config, env: { id: 't-reason' } } };
  const { setups, left } = await runSweep(sweep, host());
  expect(setups.map(({ values }) => values)).toEqual([
    { 'algo.klCoef': 0 },
    { 'algo.klCoef': 0.2, 'algo.kl': 'k1' },
    { 'algo.klCoef': 0.2, 'algo.kl': 'k3' },
  ]);
  expect(leftOutTexts(left ?? [])).toEqual([
    'Left out: one set-up that cannot differ from set-up 1, because algo.kl does not act with algo.reference.kind off.',
  ]);
});

test('a field that acts in none of the set-ups is refused by its name', async () => {
  const typing = runSweep(sweepOf('ppo', { 'algo.bonus.kind': ['none', 'counts'], 'algo.bonus.features': [8, 16] }), host());
  await expect(typing).rejects.toMatchObject({ failure: { field: 'fields.algo.bonus.features' } });
});

test('importance counts a field where it acts', async () => {
  const fields = { 'algo.bonus.weight': [0.1, 1], 'algo.bonus.kind': ['none', 'RND', 'counts'] };
  const sweep = sweepOf('ppo', fields);
  const swept = await runSweep(sweep, host());
  const [weight] = importances(sweep, swept);
  expect(weight?.share).toBeCloseTo(1, 1); // nothing else acts on the score where there is a weight
  expect(sweepCsv(sweep, swept, [1, 2]).split('\n')[1]).toMatch(/^1,,none,900,1,/);
});

test('sweeps that an earlier version wrote keep their rows', async () => {
  const sweep = sweepOf('ppo', weightAndKind);
  const about = { date: '2026-01-01' };
  const done = { state: 'done', runs: { done: 8, total: 8, failed: 0 } } as const;
  const before = await runSweep({ ...sweep, every: true }, host());
  expect(before.setups).toHaveLength(4);
  const old = sweepFile(sweep, before, about, done);
  expect('left' in old).toBe(false);
  const opened = readSweepFile(JSON.stringify(old));
  expect(opened.sweep.every).toBe(true);
  const again = await runSweep(opened.sweep, host());
  expect(sweepFile(opened.sweep, again, about, done)).toEqual(old);
  const now = sweepFile(sweep, await runSweep(sweep, host()), about, done);
  const reopened = readSweepFile(JSON.stringify(now));
  expect([reopened.sweep.every, reopened.left?.length, reopened.setups.length]).toEqual([undefined, 1, 3]);
  expect(now.hash).toBe(old.hash); // what was asked is the same
});
