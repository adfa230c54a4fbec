import { expect, test } from 'vitest';
import { buildCatalog } from '#core/catalog.ts';
import { holdsOn, type ZooFact, zooRows } from './zoo.ts';

const fact: ZooFact = {
  algo: 'ppo',
  steps: 1000,
  offered: 1000,
  judged: 'return',
  random: 20,
  best: 500,
  bestIs: 'optimal',
  scores: [260, 260, 260, 500, 20],
  firstSeed: 20_001,
  kept: 20_001,
  bytes: 1000,
  expected: [250, 500],
};

test('rows have the way that was come, by seed and together, and an interval from five seeds on', () => {
  const { envs } = buildCatalog();
  const [row] = zooRows({ cartpole: fact, gone: fact }, envs);
  expect(row?.env.id).toBe('cartpole');
  expect(row?.share).toBeCloseTo(0.5);
  expect(row?.shares).toEqual([0.5, 0.5, 0.5, 1, 0]);
  expect(row?.interval).not.toBeNull();
  expect(zooRows({ cartpole: { ...fact, random: null } }, envs)[0]).toMatchObject({ share: null, shares: null });
  expect(zooRows({ cartpole: { ...fact, scores: [] } }, envs)).toEqual([]);
});

test('an offer holds where fresh seeds stay within what it lets expect', () => {
  expect(holdsOn(fact)).toBe(true);
  expect(holdsOn({ ...fact, expected: [300, 500] })).toBe(false);
  expect(holdsOn({ ...fact, expected: null })).toBeNull();
});
