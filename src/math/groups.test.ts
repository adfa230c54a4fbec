import { expect, it } from 'vitest';
import { extremeRows, groupDeviations } from './groups.ts';

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
