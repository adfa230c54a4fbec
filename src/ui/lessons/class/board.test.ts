import { expect, test } from 'vitest';
import { lessons } from '#lessons/index.ts';
import type { PupilResult } from '#lessons/result.ts';
import { csvOf, standing } from './board.ts';
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
