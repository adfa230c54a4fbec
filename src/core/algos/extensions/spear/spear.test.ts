import { expect, it } from 'vitest';
import { envs } from '#core/envs/all.ts';
import { Rng } from '#math/rng.ts';
import { highCovariance } from './covariance.ts';
import { createSuccesses } from './successes.ts';

const meta = envs.find(({ id }) => id === 'lookup-worlds')!.meta({});
const O = meta.obsSize;

/** Three episodes of at most two steps; observations hold 10 x row + step. */
const last = {
  longest: 2,
  obs: Float32Array.from({ length: 3 * 2 * O }, (_, i) => 10 * Math.floor(i / (2 * O)) + (Math.floor(i / O) % 2)),
  masks: new Float32Array(0),
  actions: Float32Array.of(0, 1, 2, 3, 4, 5),
  logProbs: Float32Array.of(-0.1, -0.2, -0.3, -0.4, -0.5, -0.6),
  rewards: new Float64Array(6),
  keys: new Float64Array(6),
  lengths: Int32Array.of(2, 1, 2),
  returns: Float64Array.of(1, 0.5, 0.75),
};
const feedOf = (rows: number) => ({
  obs: new Float32Array(rows * O),
  action: new Float32Array(rows),
  old: new Float32Array(rows),
  advantage: new Float32Array(rows),
  present: new Float32Array(rows),
  weight: new Float32Array(rows),
});

it('keeps the steps of episodes that did better than their group, and pays what they earned beyond the usual', () => {
  const wins = createSuccesses(meta);
  wins.add(last, Float64Array.of(1, 1, -1, 0, 0.5, 0.5));
  expect(wins.size).toBe(4); // the second episode did worse
  wins.add({ ...last, returns: Float64Array.of(0, 0, 0) }, Float64Array.of(1, 1, 1, 1, 1, 1));
  expect(wins.size).toBe(4); // those that earned nothing are no successes
  const feed = feedOf(64);
  const options = { count: 64, usual: 0.8, weight: 0.5, rng: Rng.from(1) };
  wins.draw(feed, options);
  const drawn = new Set<string>();
  for (let k = 0; k < 64; k++)
    drawn.add([feed.obs[k * O], feed.action[k], feed.old[k]!.toFixed(1), feed.advantage[k]!.toFixed(2), feed.weight[k]].join(' '));
  // the third earned less than the usual: nothing is to be learned from it
  expect([...drawn].sort()).toEqual([
    '0 0 -0.1 0.20 0.0078125',
    '1 1 -0.2 0.20 0.0078125',
    '20 4 -0.5 0.00 0.0078125',
    '21 5 -0.6 0.00 0.0078125',
  ]);

  const other = createSuccesses(meta);
  other.arrays.wonSteps.set(wins.arrays.wonSteps);
  other.arrays.wonCount.unpack(wins.arrays.wonCount.pack());
  const [again, first] = [feedOf(8), feedOf(8)];
  other.draw(again, { ...options, count: 8, rng: Rng.from(2) });
  wins.draw(first, { ...options, count: 8, rng: Rng.from(2) });
  expect(again).toEqual(first);
});

it('the oldest successes go first', () => {
  const wins = createSuccesses(meta);
  const good = Float64Array.of(1, 1, 1, 1, 1, 1);
  wins.add(last, good);
  for (let i = 0; i < 1100; i++) wins.add({ ...last, actions: new Float32Array(6).fill(7) }, good);
  expect(wins.size).toBe(4096);
  const feed = feedOf(2000);
  wins.draw(feed, { count: 2000, usual: 0, weight: 1, rng: Rng.from(3) });
  expect(feed.action.every((action) => action === 7)).toBe(true);
});

it('the steps whose advantage and probability vary together most are found, at least one', () => {
  const advantages = Float64Array.of(9, 1, -1, 1, -1);
  const logProbs = Float64Array.of(9, -0.1, -2, -2, -0.1);
  // place 0 is not asked about; of the others 1 (likely and good) and 2 (unlikely and bad) vary together
  expect([...highCovariance([1, 2, 3, 4], advantages, logProbs, 0.5)].sort()).toEqual([1, 2]);
  expect([...highCovariance([3, 4, 2], advantages, logProbs, 0.01)]).toEqual([2]);
});
