import { expect, test } from 'vitest';
import { shortNames } from './short-names.ts';

test('names that fit stay, long ones lose their ends', () => {
  expect(shortNames(['PPO', 'goes where most is gained'], 12)).toEqual(['PPO', 'goes where …']);
});

test('names that begin alike keep the words in which they differ', () => {
  const arms = ['cover', 'items', 'sense'].map((task) => `P174: goes where most is gained a step, ${task}`);
  expect(shortNames(arms, 34)).toEqual([
    'P174: goes where most is ga… cover',
    'P174: goes where most is ga… items',
    'P174: goes where most is ga… sense',
  ]);
});

test('of names that differ in the middle the cut moves there', () => {
  const hand = (n: number): string => `weights of the left hand ${n} in training`;
  expect(shortNames([hand(1), hand(2)], 20)).toEqual(['weigh… 1 in training', 'weigh… 2 in training']);
});

test('names that are equal, or that no cut tells apart, lose their ends', () => {
  expect(shortNames(['a long name', 'a long name', 'b'], 6)).toEqual(['a lon…', 'a lon…', 'b']);
  expect(shortNames(['extraordinary-1', 'extraordinary-2'], 6)).toEqual(['extra…', 'extra…']);
});
