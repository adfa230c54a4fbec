import { expect, test } from 'vitest';
import type { JsonObject } from '../kit/json.ts';
import { type RunConfig, runConfigSchema } from './config.ts';
import { differences, differingFields } from './config-diff.ts';

const config = (
  algo: string,
  settings: JsonObject,
  env = 'cartpole',
  world: JsonObject = { gravity: 9.8 },
  run: JsonObject = {},
): RunConfig =>
  runConfigSchema.parse({ env: { id: env, config: world }, algo: { id: algo, config: settings }, run: { steps: 1000, ...run } });

test('only what differs is named, the environment and the algorithm before their settings', () => {
  const a = config('ppo', { lr: 0.1, clip: 0.2, hidden: [64, 64] });
  const b = config('ppo', { lr: 0.2, clip: 0.2, hidden: [64, 64] });
  const c = config('ppo', { lr: 0.2, clip: 0.2, hidden: [64] }, 'acrobot', {}, { seeds: 3 });
  expect(differingFields([a, b])).toEqual(['algo.lr']);
  expect(differingFields([a, b, c])).toEqual(['env', 'algo.lr', 'algo.hidden', 'run.seeds']);
  expect(differingFields([a, a])).toEqual([]);
  expect(differingFields([a])).toEqual([]);
});

test('defaults of another method or another world are no difference', () => {
  const ppo = config('ppo', { lr: 0.1 });
  const dqn = config('dqn', { lr: 0.5, tau: 1 });
  expect(differingFields([ppo, dqn])).toEqual(['algo']);
  expect(differingFields([ppo, config('ppo', { lr: 0.1 }, 'acrobot', { gravity: 1 })])).toEqual(['env']);
  const other = config('dqn', { lr: 0.5, tau: 0.5 });
  expect(differences([ppo, dqn, other]).map((own) => own.map(({ field, value }) => `${field} ${String(value)}`))).toEqual([
    ['algo ppo'],
    ['algo dqn', 'algo.tau 1'],
    ['algo dqn', 'algo.tau 0.5'],
  ]);
});

test('a field that one config lacks differs, and so do values of other kinds', () => {
  const plain = config('ppo', { lr: 0.1 });
  expect(differences([plain, config('ppo', { lr: 0.1, anneal: true })])).toEqual([
    [{ field: 'algo.anneal', value: undefined }],
    [{ field: 'algo.anneal', value: true }],
  ]);
  expect(differingFields([config('ppo', { lr: 1 }), config('ppo', { lr: '1' })])).toEqual(['algo.lr']);
  expect(differingFields([config('ppo', { a: { b: 1, c: 2 } }), config('ppo', { a: { b: 1, c: 3 } })])).toEqual(['algo.a.c']);
});
