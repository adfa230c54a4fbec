import { expect, test } from 'vitest';
import { type RunConfig, runConfigSchema } from './config.ts';
import {
  apartOf,
  checked,
  differencesOf,
  differencesText,
  differenceText,
  differentMark,
  editsOf,
  failedHere,
  looseOf,
  type Ran,
  wrongMarks,
} from './verify.ts';

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
  expect(differencesOf(ran(RESULT, clocks), ran(RESULT, new Map([['seconds', curve(2)]])))).toEqual([]);
  expect(differencesOf(ran(RESULT, clocks), ran(RESULT, new Map([['seconds', curve(2, 3)]])))).toHaveLength(1); // its rows have the same steps
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

const config = runConfigSchema.parse({ env: { id: 'e' }, algo: { id: 'a' } });
const on = (executor: RunConfig['run']['executor']): RunConfig => ({ ...config, run: { ...config.run, executor } });

test('a mark excuses nothing: edits are made again, and only the executor of the config allows a tolerance', () => {
  const marks = [
    { type: 'edit', step: 5, path: 'algo.lr', value: 0.1 },
    { type: 'stop', step: 7 },
    { type: 'executor', step: 6 },
  ];
  expect(looseOf(config, marks)).toBeNull();
  expect(editsOf(marks)).toEqual([{ step: 5, path: 'algo.lr', value: 0.1 }]);
  expect(looseOf(on('tfjs-webgpu'), [])).toMatch(/tolerance/);
  expect(looseOf(on('tfjs-webgpu'), marks)).toMatch(/moved .* at step 6/);
  expect(apartOf(config, {})).toBeNull();
  expect(apartOf(config, { parent: { id: 'r' } })).toMatch(/another run/);
  expect(apartOf(config, { imported: {} })).toMatch(/another program/);
});

test('marks that no run has are wrong', () => {
  expect(wrongMarks(config, [{ type: 'resume', step: 5 }], true)).toEqual([]);
  expect(wrongMarks(config, [{ type: 'edit', step: 5 }], true)[0]).toContain('no path');
  expect(wrongMarks(config, [{ type: 'executor', step: 5 }], true)[0]).toContain('does not change its executor');
  expect(wrongMarks(on('webgpu'), [{ type: 'executor', step: 5 }], true)).toEqual([]);
  const stop = { type: 'stop', step: 5 };
  expect(wrongMarks(config, [stop], true)[0]).toContain('without going on');
  expect(wrongMarks(config, [stop, { type: 'resume', step: 5 }], true)).toEqual([]);
  expect(wrongMarks(config, [stop], false)).toEqual([]);
});

test('edits and findings come again; of a resumed run the edits alone are compared', () => {
  const edit = { type: 'edit', step: 5, path: 'algo.lr', value: 0.1 };
  const warning = { type: 'warning', step: 6, finding: { id: 'flat' } };
  expect(differentMark([edit, warning], [edit, warning])).toBeNull();
  expect(differentMark([warning], [edit, warning])).toMatchObject({ accused: true, text: expect.stringContaining('missing') });
  expect(differentMark([edit, edit], [edit])).toMatchObject({ accused: true });
  expect(differentMark([edit], [edit, warning])).toMatchObject({ accused: false });
  expect(differentMark([edit, { type: 'resume', step: 5 }], [edit, warning])).toBeNull();
  expect(differentMark([{ type: 'warning', step: 6 }], [])).toBeNull(); // a worker was lost
});

test('an executor with other roundings: within its tolerance, of another size, or not to be told', () => {
  const loose = 'it ran on tfjs-cpu';
  expect(checked(ran(), ran(), loose).outcome).toBe('same');
  expect(checked(ran(RESULT, null, 'bb'), ran(), loose).outcome).toBe('close');
  expect(checked(ran({ ...RESULT, finalReturn: 20.1 }, null, 'bb'), ran(), loose).outcome).toBe('close');
  expect(checked(ran({ ...RESULT, finalReturn: 500 }, null, 'bb'), ran(), loose)).toMatchObject({
    outcome: 'unverified',
    differences: [{ name: 'finalReturn' }],
    why: expect.stringContaining('1 %'),
  });
  expect(checked(ran({ ...RESULT, steps: 299 }), ran(), loose).outcome).toBe('differs');
  const rows = (curves: Ran['curves']): Ran => ran(RESULT, curves);
  expect(checked(rows(new Map([['a', curve(1, 2)]])), rows(new Map([['a', curve(1, 2, 3)]])), loose).outcome).toBe('differs');
  expect(checked(rows(new Map([['a', curve(1, 9, 3)]])), ran(), loose)).toMatchObject({
    outcome: 'unverified',
    differences: [{ step: 20 }],
  });
  expect(checked(ran({ ...RESULT, finalReturn: 20.1 }), ran(), null).outcome).toBe('differs');
});

test('a run that fails wherever it is done is not what was claimed; one that cannot be run here is not told', () => {
  const failure = { message: 'm', fix: 'f' };
  expect(failedHere({ id: 'nan-loss', ...failure }).outcome).toBe('differs');
  expect(failedHere({ id: 'gpu-missing', ...failure })).toMatchObject({ outcome: 'unverified', why: 'it cannot be run here: m' });
});
