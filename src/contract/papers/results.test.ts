import { expect, test } from 'vitest';
import { resultSchema } from './results.ts';

test('a result file with a bad verdict, id or hash is refused', () => {
  const good = {
    v: 1,
    id: 'ppo-cartpole',
    title: 't',
    claim: 'c',
    source: null,
    published: null,
    env: { id: 'cartpole', version: 1, config: {} },
    algo: { id: 'ppo', version: 1, config: {} },
    config: '0123456789ab',
    executor: 'wasm',
    commit: 'abc',
    date: '2026-01-02T03:04:05Z',
    machine: { cpu: 'x', cores: 2, os: 'linux', runtime: 'node' },
    seeds: [{ seed: 1, value: 1, finalReturn: 1, evalReturn: 1, evalLoops: 0, steps: 1, seconds: 1, parameterHash: 'h' }],
    iqm: 1,
    ci95: null,
    measured: 1,
    coreMinutes: 0.1,
    budget: 1,
    expect: { metric: 'evalReturn', statistic: 'iqm', min: 0 },
    verdict: 'inconclusive',
  };
  expect(resultSchema.safeParse(good).success).toBe(true);
  for (const bad of [{ verdict: 'fine' }, { id: 'Not Kebab' }, { config: 'zz' }, { date: 'yesterday' }, { seeds: [] }]) {
    expect(resultSchema.safeParse({ ...good, ...bad }).success).toBe(false);
  }
});
