import { expect, test } from 'vitest';
import { lessons } from '#lessons/index.ts';
import type { PupilResult } from '#lessons/result.ts';
import { figureBeside } from '../results.ts';
import { alikeIn, csvOf, kindOf, settingsOf, standing } from './board.ts';
import type { Entry } from './entries.ts';

const entry = (code: string, seat: number, step = 5): Entry => ({ code, result: { seat, step } as PupilResult });
const holds = { state: 'holds', checked: 10, of: 10 } as const;
const forged = { state: 'forged', checked: 0, of: 10 } as const;

test('a newer result of a seat takes the place of an older one only when it was found true', () => {
  const [old, fresh, elsewhere, later] = [entry('old', 1), entry('fresh', 1), entry('elsewhere', 2), entry('later', 1, 6)];
  const all = [old, elsewhere, later, fresh];
  const codes = (verdicts: Parameters<typeof standing>[1]): string =>
    standing(all, verdicts)
      .map(({ code }) => code)
      .join(' ');
  expect(codes({})).toBe('old elsewhere later fresh');
  expect(codes({ old: holds, fresh: forged })).toBe('old elsewhere later fresh');
  expect(codes({ fresh: { ...holds, checked: 3 } })).toBe('old elsewhere later fresh');
  expect(codes({ old: holds, fresh: holds })).toBe('elsewhere later fresh');
  expect(standing([entry('a', 0), entry('b', 0)], { b: holds })).toHaveLength(2);
});

test('a result that could not be verified is neither forged nor one that reached its goal', () => {
  expect(kindOf('holds', true)).toBe('met');
  expect(kindOf('holds', false)).toBe('not');
  expect(kindOf('forged', true)).toBe('forged');
  expect(kindOf('unknown', true)).toBe('open');
  expect(kindOf('unknown', null)).toBe('open');
});

test('answers and scores below 0 stay numbers in the table of a class', () => {
  const lesson = lessons.find(({ steps }) => steps.some(({ predict }) => predict?.kind === 'number'))!;
  const asked = lesson.steps.findIndex(({ predict }) => predict?.kind === 'number');
  const step = lesson.steps.findIndex(({ check }) => check !== undefined);
  const result = {
    lesson,
    seat: 3,
    step,
    values: [],
    answers: { [asked]: -2.5 },
    claimed: [],
    met: [],
    seedStart: 1,
  } as unknown as PupilResult;
  const [head = '', row = ''] = csvOf(lesson, [{ code: '=code', result }], {}).split('\n');
  expect(head.startsWith('seat,step,value')).toBe(true);
  expect(row).toContain(',-2.5,');
  expect(row).toContain("'=code");
});

test('what all of a class have set alike is told apart from what they chose', () => {
  const lesson = lessons.find(({ id }) => id === 'bandit')!;
  const step = lesson.steps.findIndex(({ check }) => check !== undefined);
  const { show } = lesson.steps[step]!;
  const of = (code: string, values: readonly number[]): Entry => ({ code, result: { ...entry(code, 1).result, lesson, step, values } });
  const values = show.map((_, i) => i);
  const alike = alikeIn([of('a', values), of('b', values.with(1, 9)), of('c', values)]);
  expect([...alike]).toEqual(show.filter((_, i) => i !== 1));
  const titles = new Map(show.map((path) => [path, path]));
  expect(settingsOf(of('b', values.with(1, 9)).result, titles, (path) => !alike.has(path))).toBe(`${show[1]} 9`);
  // Where nothing would be left, and for one alone, each line says all.
  expect(alikeIn([of('a', values), of('b', values)]).size).toBe(0);
  expect(alikeIn([of('a', values)]).size).toBe(0);
});

test('a figure that misses its goal does not look like it', () => {
  expect(figureBeside(0.9475, 0.95)).toBe('0.948');
  expect(figureBeside(0.94999, 0.95)).toBe('0.94999');
  expect(figureBeside(0.951, 0.95)).toBe('0.951');
  expect(figureBeside(0.95, 0.95)).toBe('0.95');
  expect(figureBeside(-195.4, -195)).toBe('\u2212195.4');
  expect(figureBeside(0.5, 0.95)).toBe('0.5');
  expect(figureBeside(0.9475, null)).toBe('0.95');
});
