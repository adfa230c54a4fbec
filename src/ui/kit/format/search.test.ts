import { expect, test } from 'vitest';
import { corrected, finder } from './search.ts';

test('every word must be held, in any order and case', () => {
  expect(finder('Car MOUNTAIN')('Mountain car, continuous')).toBe(true);
  expect(finder('mountain cart')('Mountain car')).toBe(false);
  expect(finder('  ')('anything')).toBe(true);
});

const TEXTS = ['Mountain car', 'CartPole', 'Q-learning'];

test.each([
  ['montain car', 'mountain car'],
  ['catpole', 'cartpole'],
  ['q-lerning', 'q-learning'],
  ['mountain', null], // nothing is misspelt
  ['zebra', null], // nothing is near
  ['montain zebra', null],
] as const)('"%s" was probably meant to be %j', (query, meant) => {
  expect(corrected(query, TEXTS)).toBe(meant);
});
