import { expect, test } from 'vitest';
import type { Policy } from '../algos/api/types.ts';
import { randomPolicy } from '../algos/lib/random-policy.ts';
import { getEnv } from '../envs/all.ts';
import type { EnvMeta } from '../envs/api/types.ts';
import { evaluate } from './evaluate.ts';
import { besideRandom, measureStrength, strengthIn } from './yardstick.ts';

/** Always the lowest action that is allowed. */
const lowest = (meta: EnvMeta): Policy => ({
  initial: () => new Float32Array(0),
  act({ rows, mask }) {
    const actions = new Float32Array(rows * meta.actionSize);
    for (let row = 0; row < rows; row++) actions[row] = Math.max(0, mask?.subarray(row * meta.actionCount).indexOf(1) ?? 0);
    return { actions, hidden: new Float32Array(0) };
  },
  dispose() {},
});

test('board games count wins, sides with other interests returns against random, all others returns', () => {
  expect(strengthIn(getEnv('connect-four').meta({}))).toBe('share of wins against random');
  expect(strengthIn(getEnv('drone-volleyball').meta({}))).toBe('return against random');
  expect(strengthIn(getEnv('mpe-simple-crypto').meta({}))).toBe('return against random');
  expect(strengthIn(getEnv('kuhn-poker').meta({}))).toBe('return against random');
  expect(strengthIn(getEnv('mpe-simple-spread').meta({}))).toBe('return');
  expect(strengthIn(getEnv('cartpole').meta({}))).toBe('return');
});

test('a game against random counts half of its games from each seat, a draw as half a win', async () => {
  const entry = getEnv('tic-tac-toe');
  const meta = entry.meta({});
  const scores = await measureStrength(randomPolicy(meta), entry, {}, { episodes: 400 });
  expect(scores).toHaveLength(400);
  expect([...new Set(scores)].sort()).toEqual([0, 0.5, 1]);
  const share = (part: Float64Array): number => part.reduce((sum, won) => sum + won, 0) / part.length;
  // Who begins wins more: the two halves differ, and together they are even.
  expect(share(scores.subarray(0, 200))).toBeGreaterThan(0.58);
  expect(share(scores.subarray(200))).toBeLessThan(0.42);
  expect(Math.abs(share(scores) - 0.5)).toBeLessThan(0.08);
});

test('against random only the scored side is the policy, on the seeds of every evaluation', async () => {
  const entry = getEnv('mpe-simple-tag');
  const meta = entry.meta({});
  const own = ['adversary_0', 'adversary_1', 'adversary_2'];
  const scores = await measureStrength(lowest(meta), entry, {}, { episodes: 6 });
  const known = await evaluate(besideRandom(lowest(meta), meta, own), entry, {}, { episodes: 6 });
  expect([...scores]).toEqual([...known.scores]);
  expect([...scores]).not.toEqual([...(await evaluate(lowest(meta), entry, {}, { episodes: 6 })).scores]);
});

test('further episodes go on where the first ended', async () => {
  const entry = getEnv('cartpole');
  const policy = lowest(entry.meta({}));
  const all = await measureStrength(policy, entry, {}, { episodes: 6 });
  expect([...all]).toEqual([...(await evaluate(policy, entry, {}, { episodes: 6 })).scores]);
  const [first, then] = [
    await measureStrength(policy, entry, {}, { episodes: 4 }),
    await measureStrength(policy, entry, {}, { episodes: 2, after: 4 }),
  ];
  expect([...first, ...then]).toEqual([...all]);
});
