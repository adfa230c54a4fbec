import { expect, test } from 'vitest';
import type { PupilResult } from '#lessons/result.ts';
import { standing } from './board.ts';
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
