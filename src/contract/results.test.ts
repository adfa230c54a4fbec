import { expect, test } from 'vitest';
import { judge, measure, resultSchema } from './results.ts';

test('statistics judge what they name', () => {
  const values = [475, 500, 500, 500, 480, 500];
  expect(measure({ metric: 'evalReturn', statistic: 'every', min: 475 }, values)).toBe(475);
  expect(measure({ metric: 'evalReturn', statistic: 'median' }, [3, 1, 2, 4])).toBe(2.5);
  expect(measure({ metric: 'evalReturn', statistic: 'mean' }, [1, 2, 6])).toBe(3);
  expect(measure({ metric: 'evalReturn', statistic: 'iqm' }, [100, 1, 2, 3, -100])).toBe(2);
  expect(measure({ metric: 'evalReturn', statistic: 'iqm' }, [])).toBeNull();
  expect(judge({ metric: 'evalReturn', statistic: 'every', min: 475 }, values)).toBe('reproduced');
  expect(judge({ metric: 'evalReturn', statistic: 'every', min: 476 }, values)).toBe('not reproduced');
  expect(judge({ metric: 'evalReturn', statistic: 'iqm', min: 1 }, values.slice(0, 4))).toBe('inconclusive');
  expect(judge({ metric: 'evalReturn', statistic: 'iqm', min: 1 }, [...values, null])).toBe('inconclusive');
  expect(judge({ metric: 'evalReturn', statistic: 'every', max: 490 }, values)).toBe('not reproduced');
});

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
