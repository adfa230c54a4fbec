import { expect, test } from 'vitest';
import { editDistance, nearest, whichOf } from './nearest.ts';

test.each([
  ['', '', 0],
  ['abc', '', 3],
  ['catpole', 'cartpole', 1],
  ['cratpole', 'cartpole', 1], // two neighbours swapped
  ['kitten', 'sitting', 3],
] as const)('from "%s" to "%s" are %i edits', (a, b, edits) => {
  expect(editDistance(a, b)).toBe(edits);
  expect(editDistance(b, a)).toBe(edits);
});

test('a name beyond comparing is no misspelling', () => {
  expect(editDistance('a'.repeat(65), 'a'.repeat(65))).toBe(Number.POSITIVE_INFINITY);
});

const NAMES = ['cartpole', 'mountain-car', 'acrobot', 'ppo', 'drone-volleyball', 'mountain-car-continuous'];

test.each([
  ['catpole', ['cartpole']],
  ['Mountain Car', ['mountain-car']],
  ['mountian_car', ['mountain-car']],
  ['volleyball', ['drone-volleyball']],
  ['continuous', ['mountain-car-continuous']],
  ['car', []], // in too many
  ['zzzzzz', []],
  ['pp', []], // too short to tell
] as const)('"%s" may stand for %j', (word, names) => {
  expect(nearest(word, NAMES)).toEqual(names);
});

test('the advice names what is near, else what there is, a long list cut', () => {
  expect(whichOf('catpole', NAMES)).toBe('Did you mean cartpole?');
  expect(whichOf('zzzzzz', NAMES)).toBe('Use one of: cartpole, mountain-car, acrobot, ppo, drone-volleyball, mountain-car-continuous.');
  expect(
    whichOf(
      'zzzzzz',
      Array.from({ length: 40 }, (_, i) => `world-${i}`),
    ),
  ).toMatch(/world-11 and 28 more\.$/);
  expect(whichOf('x', [])).toBe('There are none.');
});
