import { expect, test } from 'vitest';
import { isStuck } from './stuck.ts';

const curve = (...returns: readonly (number | null)[]) => returns.map((value) => ({ return: value }));

test.each([
  ['a lift that stops between two floors', curve(null, -40, 2, 11), -109, true],
  ['most of the way kept', curve(-40, 11), -5, false],
  ['a policy better alone', curve(-40, 11), 14, false],
  ['nothing gained, nothing lost', curve(-40, -41), -60, false],
  ['a run without an end of its evaluation', curve(-40, 11), null, false],
  ['no curve', [], 3, false],
])('%s', (_, points, evalReturn, stuck) => {
  expect(isStuck({ points, result: { evalReturn } })).toBe(stuck);
});

test('a run that goes on says nothing yet', () => {
  expect(isStuck({ points: curve(-40, 11), result: null })).toBe(false);
});
