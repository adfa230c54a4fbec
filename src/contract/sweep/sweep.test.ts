import { expect, test } from 'vitest';
import { LabError } from '../kit/errors.ts';
import type { RunConfig } from '../run/config.ts';
import { sweepsOf } from './parts.ts';
import { countOf, parseSweep, tuningSeeds, valuesOf, valueWord, withValues } from './sweep.ts';

const plain = {
  kind: 'sweep',
  version: 1,
  config: { v: 1, env: { id: 'cliff-walking' }, algo: { id: 'q-learning' } },
  fields: { 'algo.alpha': [0.1, 0.5], 'run.steps': { from: 1000, to: 3000, integer: true } },
};
const refusal = (change: object): string | undefined => {
  try {
    parseSweep({ ...plain, ...change });
  } catch (error) {
    if (error instanceof LabError && error.failure.id === 'file-invalid') return error.failure.field;
    throw error;
  }
  return undefined;
};

test('fills what is left out', () => {
  const sweep = parseSweep(plain);
  expect(sweep.search).toEqual({ by: 'sobol', setups: 24, seed: 1, eta: 3, batch: 4 });
  expect(sweep.quantity).toEqual({ title: 'greedy test return', of: 'evalReturn' });
  expect(countOf(sweep)).toBe(24);
  expect(tuningSeeds(sweep)).toEqual([1, 2, 3]);
});

test('a set-up is the config with its values', () => {
  const sweep = parseSweep(plain);
  const values = valuesOf(sweep, [0.9, 0]);
  expect(values).toEqual({ 'algo.alpha': 0.5, 'run.steps': 1000 });
  const config = { v: 1, env: { id: 'a', config: {} }, algo: { id: 'b', config: { gamma: 1 } }, run: {} } as unknown as RunConfig;
  expect(withValues(config, values)).toMatchObject({ algo: { config: { gamma: 1, alpha: 0.5 } }, run: { steps: 1000 } });
});

test.each([
  ['another kind', { kind: 'run' }, 'kind'],
  ['an unknown key', { runs: 3 }, ''],
  ['no fields', { fields: {} }, 'fields'],
  ['one value', { fields: { 'algo.alpha': [0.1] } }, 'fields.algo.alpha'],
  ['a value twice', { fields: { 'algo.alpha': [0.1, 0.1] } }, 'fields.algo.alpha'],
  ['ends the wrong way round', { fields: { 'algo.alpha': { from: 1, to: 0.1 } } }, 'fields.algo.alpha'],
  ['a logarithmic scale from 0', { fields: { 'algo.alpha': { from: 0, to: 1, scale: 'log' } } }, 'fields.algo.alpha'],
  ['whole numbers between fractions', { fields: { 'run.steps': { from: 0.5, to: 3, integer: true } } }, 'fields.run.steps'],
  ['a grid over a range', { fields: { 'algo.alpha': { from: 0.1, to: 1 } }, search: { by: 'grid' } }, 'fields.algo.alpha'],
  ['a grid too large', { fields: { 'run.steps': { from: 1, to: 5000, integer: true } }, search: { by: 'grid' } }, 'search.setups'],
  ['too many set-ups', { search: { by: 'random', setups: 1001 } }, 'search.setups'],
  ['a contrast of no field', { contrast: 'algo.gamma' }, 'contrast'],
  ['a contrast of a range', { contrast: 'run.steps' }, 'contrast'],
  ['a contrast whose values are tuned unequally', { contrast: 'algo.alpha', search: { by: 'tpe' } }, 'contrast'],
  ['a list twice', { fields: { 'algo.hidden': [[32], [32]] } }, 'fields.algo.hidden'],
  ['a list of lists', { fields: { 'algo.hidden': [[[32]], [[64]]] } }, 'fields.algo.hidden'],
  ['an unknown search', { search: { by: 'luck' } }, 'search.by'],
])('refuses %s and names the field', (_, change, field) => {
  expect(refusal(change)).toBe(field);
});

test('tuning seeds end before those that are reported', () => {
  const near = (seedStart: number) => parseSweep({ ...plain, config: { ...plain.config, run: { seedStart } } });
  expect(tuningSeeds(near(998))).toEqual([998, 999, 1000]);
  expect(() => tuningSeeds(near(999))).toThrow(/kept for the report/);
});

test('one question in several environments: a sweep in each, alike but for the environment and its budget', () => {
  const envs = [
    { id: 'cliff-walking', version: 1 },
    { id: 'frozen-lake', config: { slippery: false }, steps: 500 },
    { id: 'cliff-walking' },
  ];
  const parts = sweepsOf({ ...plain, envs });
  expect(parts.map(({ folder }) => folder)).toEqual(['cliff-walking', 'frozen-lake', 'cliff-walking-2']);
  expect(parts.map(({ sweep }) => sweep.config.env)).toEqual([
    { id: 'cliff-walking', version: 1 },
    { id: 'frozen-lake', config: { slippery: false } },
    { id: 'cliff-walking' },
  ]);
  expect(parts[1]?.sweep.config.run).toEqual({ steps: 500 });
  expect(parts[1]?.sweep.fields).toEqual(parseSweep(plain).fields);
  for (const { file, sweep } of parts) expect(parseSweep(file)).toEqual(sweep); // each is a file of its own
  expect(sweepsOf(plain)).toEqual([{ folder: '', env: '', method: null, file: plain, sweep: parseSweep(plain) }]);
  expect(() => sweepsOf({ ...plain, envs: [{ id: 'a' }] })).toThrow(/envs/);
  expect(() => sweepsOf({ ...plain, envs: [{ id: 'a' }, { id: 'b', step: 1 }] })).toThrow(/envs\.1/);
});

const methods = [
  { id: 'q-learning', fields: { 'algo.alpha': [0.1, 0.5] } },
  { id: 'sarsa', config: { gamma: 0.9 }, fields: { 'algo.epsilon': [0.1, 0.3] }, name: 'Sarsa' },
];
const across = { ...plain, fields: { 'env.length': [3, 5] }, search: { by: 'grid' }, algos: methods };

test('several methods: a sweep for each in every environment, with its own fields beside those of the file', () => {
  const parts = sweepsOf({ ...across, envs: [{ id: 'a' }, { id: 'b', steps: 500 }] });
  expect(parts.map(({ folder, env, method }) => [folder, env, method])).toEqual([
    ['a/q-learning', 'a', 'q-learning'],
    ['a/sarsa', 'a', 'Sarsa'],
    ['b/q-learning', 'b', 'q-learning'],
    ['b/sarsa', 'b', 'Sarsa'],
  ]);
  expect(parts[3]?.sweep.names).toEqual(['env.length', 'algo.epsilon']);
  expect(parts[3]?.sweep.config).toMatchObject({ env: { id: 'b' }, algo: { id: 'sarsa', config: { gamma: 0.9 } }, run: { steps: 500 } });
  for (const { file, sweep } of parts) expect(parseSweep(file)).toEqual(sweep);
  // Nothing searched: every method as it stands, and one environment.
  const { fields: _, search: __, ...bare } = across;
  const plainly = sweepsOf({ ...bare, fields: {}, algos: [{ id: 'sarsa' }, { id: 'q-learning' }] });
  expect(plainly.map(({ folder, sweep }) => [folder, countOf(sweep)])).toEqual([['sarsa', 1], ['q-learning', 1]]); // biome-ignore format: two pairs
});

test('a value may be a list', () => {
  const sweep = parseSweep({ ...plain, fields: { 'algo.hidden': [[32], [64, 64]] }, search: { by: 'grid' } });
  expect(valuesOf(sweep, [0.9])).toEqual({ 'algo.hidden': [64, 64] });
  expect(valueWord([64, 64])).toBe('[64,64]');
});

test.each([
  ['one method', { algos: [{ id: 'sarsa' }] }, 'algos'],
  ['an unknown key of a method', { algos: [{ id: 'sarsa' }, { id: 'ppo', lr: 1 }] }, 'algos.1'],
  [
    'a field of the environment for one method',
    { algos: [{ id: 'a', fields: { 'env.length': [1, 2] } }, { id: 'b' }] },
    'algos.0.fields.env.length',
  ],
  ['unequal tuning', { algos: [methods[0], { id: 'sarsa' }] }, 'algos'],
  [
    'one name for two',
    {
      algos: [
        { id: 'a', name: 'x' },
        { id: 'b', name: 'x' },
      ],
    },
    'algos.1.name',
  ],
  ['a contrast beside methods', { contrast: 'env.length' }, 'contrast'],
  ['a method without a field under another search', { fields: {}, search: { by: 'sobol' }, algos: [methods[0], { id: 'b' }] }, 'fields'],
  [
    'too many cells',
    { algos: Array.from({ length: 12 }, (_, i) => ({ id: `m${i}` })), envs: Array.from({ length: 9 }, (_, i) => ({ id: `e${i}` })) },
    'algos',
  ],
  ['a method of a file without others', { algos: undefined, method: 'PPO', envs: [{ id: 'a' }, { id: 'b' }] }, 'method'],
] as const)('of methods, refuses %s and names the field', (_, change, field) => {
  try {
    sweepsOf(JSON.parse(JSON.stringify({ ...across, ...change })));
  } catch (error) {
    if (!(error instanceof LabError)) throw error;
    expect(error.failure).toMatchObject({ id: 'file-invalid', field });
    return;
  }
  expect.unreachable();
});
