import { expect, test } from 'vitest';
import { BENCH_ROWS, benchFromQuery, benchQuery } from './bench.ts';

test('rows have names of their own', () => {
  expect(new Set(BENCH_ROWS.map(({ id }) => id)).size).toBe(BENCH_ROWS.length);
});

test('a result survives its address', () => {
  const result = {
    machine: 'Chromium, 2 cores, swiftshader',
    date: '2026-11-22',
    values: { 'ppo-wasm': { value: 142_600 }, 'scene-1000': { value: 0.25 } },
  };
  expect(benchFromQuery(benchQuery(result))).toEqual(result);
});

test.each([
  {},
  { machine: '' },
  { machine: 'x' },
  { machine: 'x', 'ppo-wasm': 'NaN' },
  { machine: 'x', 'ppo-wasm': '-1', nothing: '5' },
  { machine: 'x', 'ppo-wasm': '1e999' },
])('%o holds no result', (query: Record<string, string>) => {
  expect(benchFromQuery(query)).toBeNull();
});

test('names are cut and dates must be dates', () => {
  expect(benchFromQuery({ machine: 'm'.repeat(500), date: '<b>', 'ppo-wasm': '1' })).toMatchObject({ machine: 'm'.repeat(120), date: '' });
});
