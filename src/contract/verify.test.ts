import { expect, test } from 'vitest';
import { runConfigSchema } from './config.ts';
import { differencesOf, differencesText, differenceText, excuseOf, type Ran } from './verify.ts';

const curve = (...values: number[]) => ({ steps: values.map((_, i) => 10 * (i + 1)), values });

const RESULT = {
  seed: 3,
  finalReturn: 20,
  evalReturn: Number.NaN,
  evalLoops: 0,
  perAgent: [20, 21],
  measured: { length: 12 },
  steps: 300,
  seconds: 1.5,
  stepsPerSecond: 200,
  parameterHash: 'aa',
};
const ran = (numbers: object = RESULT, curves: Ran['curves'] = new Map([['a', curve(1, 2, 3)]]), parameterHash = 'aa'): Ran => ({
  parameterHash,
  numbers,
  curves,
});

test('a run done again is the same, whatever the machine took for it', () => {
  expect(differencesOf(ran(), ran({ ...RESULT, seconds: 9, stepsPerSecond: 1, coreSeconds: 5, parameterHash: 'aa' }))).toEqual([]);
  // As JSON has it: what is not measured is null. A summary holds fewer numbers, a result of an older version too.
  expect(differencesOf(ran(JSON.parse(JSON.stringify(RESULT)) as object), ran())).toEqual([]);
  expect(differencesOf(ran({ finalReturn: 20 }, null), ran())).toEqual([]);
  const clocks = new Map([['seconds', curve(1)]]);
  expect(differencesOf(ran(RESULT, clocks), ran(RESULT, new Map([['seconds', curve(2, 3)]])))).toEqual([]);
});

test('each number of a result that is changed is named', () => {
  const changed: readonly (readonly [object, string])[] = [
    [{ seed: 4 }, 'seed 4 stored, 3 here'],
    [{ finalReturn: 500 }, 'finalReturn 500 stored, 20 here'],
    [{ evalReturn: 500 }, 'evalReturn 500 stored, not measured here'],
    [{ evalLoops: 1 }, 'evalLoops 1 stored, 0 here'],
    [{ perAgent: [20, 22] }, 'perAgent.1 22 stored, 21 here'],
    [{ perAgent: [20, 21, 22] }, 'perAgent.2 22 stored, nothing here'],
    [{ measured: { length: 9 } }, 'measured.length 9 stored, 12 here'],
    [{ steps: 299 }, 'steps 299 stored, 300 here'],
    [{ finalReturn: '20' }, 'finalReturn 20 stored, 20 here'],
  ];
  for (const [part, text] of changed) expect(differencesOf(ran({ ...RESULT, ...part }), ran()).map(differenceText)).toEqual([text]);
  expect(differencesOf(ran(RESULT, null, 'bb'), ran())).toEqual([{ kind: 'hash', stored: 'bb', here: 'aa' }]);
});

test('each row of a curve that is changed, missing or too many is named, the earliest first', () => {
  const here = ran(
    RESULT,
    new Map([
      ['a', curve(1, 2, 3)],
      ['b', curve(5)],
    ]),
  );
  const b = ['b', curve(5)] as const;
  const rowsOf = (...curves: (readonly [string, ReturnType<typeof curve>])[]): string =>
    differencesText(differencesOf(ran(RESULT, new Map(curves)), here));
  expect(rowsOf(['a', curve(1, 2, 3)], b)).toBe('');
  for (let row = 0; row < 3; row++)
    expect(rowsOf(['a', curve(...[1, 2, 3].with(row, 500))], b)).toBe(`a at step ${10 * (row + 1)}: 500 stored, ${row + 1} here`);
  expect(rowsOf(['a', curve(1, 2)], b)).toBe('a at step 30: no row stored, 3 here');
  expect(rowsOf(['a', curve(1, 2, 3, 4)], b)).toBe('a at step 40: 4 stored, no row here');
  expect(rowsOf(['a', { steps: [10, 30], values: [1, 3] }], b)).toBe('a at step 20: no row stored, 2 here');
  expect(rowsOf(['a', curve(1, 2, 3)])).toBe('b at step 10: no row stored, 5 here');
  expect(rowsOf(['a', curve(1, 2, 3)], b, ['c', curve(7)])).toBe('c at step 10: 7 stored, no row here');
  expect(rowsOf(['a', curve(1, 2, 9)], ['b', curve(6)])).toBe('b at step 10: 6 stored, 5 here; a at step 30: 9 stored, 3 here');
});

test('only runs on wasm that nobody touched must be the same', () => {
  const config = runConfigSchema.parse({ env: { id: 'e' }, algo: { id: 'a' } });
  expect(excuseOf(config, [{ type: 'resume', step: 5 }])).toBeNull();
  expect(excuseOf(config, [{ type: 'edit', step: 5 }])).toMatch(/changed at step 5/);
  expect(excuseOf(config, [{ type: 'executor', step: 6 }])).toMatch(/executor at step 6/);
  expect(excuseOf(config, [{ type: 'stop', step: 7 }])).toMatch(/ended it at step 7/);
  expect(excuseOf({ ...config, run: { ...config.run, executor: 'tfjs-webgpu' } }, [])).toMatch(/tolerance/);
});
