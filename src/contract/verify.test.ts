import { expect, test } from 'vitest';
import { runConfigSchema } from './config.ts';
import { excuseOf, firstDifference } from './verify.ts';

const curve = (...values: number[]) => ({ steps: values.map((_, i) => 10 * (i + 1)), values });

test('the first row that differs, by step over all metrics; clocks do not count', () => {
  const stored = new Map([
    ['a', curve(1, 2, 3)],
    ['b', curve(1, 2, 4)],
    ['seconds', curve(0.1)],
    ['elsewhere', curve(7)],
  ]);
  const here = new Map([
    ['a', curve(1, 2, 5)],
    ['b', curve(1, 9, 4)],
    ['seconds', curve(0.2)],
  ]);
  expect(firstDifference(stored, here)).toEqual({ step: 20, metric: 'b', stored: 2, here: 9 });
  expect(firstDifference(stored, new Map([['a', curve(1, 2)]]))).toBeNull();
});

test('only runs on wasm that nobody touched must be the same', () => {
  const config = runConfigSchema.parse({ env: { id: 'e' }, algo: { id: 'a' } });
  expect(excuseOf(config, [{ type: 'resume', step: 5 }])).toBeNull();
  expect(excuseOf(config, [{ type: 'edit', step: 5 }])).toMatch(/changed at step 5/);
  expect(excuseOf(config, [{ type: 'executor', step: 6 }])).toMatch(/executor at step 6/);
  expect(excuseOf({ ...config, run: { ...config.run, executor: 'tfjs-webgpu' } }, [])).toMatch(/tolerance/);
});
