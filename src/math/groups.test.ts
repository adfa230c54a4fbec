import { expect, it } from 'vitest';
import { extremeRows, groupDeviations, preferencePairs } from './groups.ts';
import { Rng } from './rng.ts';

it('of an oversampled group the best and the worst are kept, and no choice of as many has more spread', () => {
  const rewards = [0, 1, 0, 0, 0, 0, 1, 1, 1, 0, 1, 1];
  const kept = extremeRows(rewards, 6, 4);
  expect([...kept]).toEqual([1, 0, 4, 5, 6, 7, 11, 9]);
  expect(
    [
      ...groupDeviations(
        Array.from(kept, (row) => rewards[row]!),
        4,
      ),
    ].map((d) => d.toFixed(3)),
  ).toEqual(['0.500', '0.500']);
  // half right, half wrong wherever there are enough of both
  expect([...extremeRows([1, 1, 1, 0, 0, 0], 6, 4)].map((row) => Number(row < 3))).toEqual([1, 1, 0, 0]);
});

it('the best of a group is paired with the worst and so on inwards; rows that earned the same make no pair', () => {
  const rng = Rng.from(3);
  expect(preferencePairs([0.2, 1, 0, 0.5], 4, rng)).toEqual([
    [1, 2],
    [3, 0],
  ]);
  expect(preferencePairs([1, 1, 1, 0, 0, 0, 0, 0], 4, rng)).toHaveLength(1);
  // one right answer of four has each of the others against it in turn
  const partners = new Set(Array.from({ length: 64 }, () => preferencePairs([0, 0, 1, 0], 4, rng)[0]?.join(' ')));
  expect([...partners].sort()).toEqual(['2 0', '2 1', '2 3']);
});
