import { expect, it } from 'vitest';
import { endOf, lineageOf } from './lives.ts';

const series = (...pairs: readonly (readonly [number, number])[]) => ({
  steps: Float64Array.from(pairs, ([step]) => step),
  values: Float64Array.from(pairs, ([, value]) => value),
});

it('cuts the curve of a run where one learner follows another', () => {
  const generation = series([10, 1], [20, 1], [30, 2], [40, 2]);
  const value = series([10, 3], [20, 5], [30, 4], [40, 8]);
  const seen = series([10, 0], [20, 0], [30, 1], [40, 0.5]);
  const other = { seed: 2, generation: series([10, 1]), value: series([10, 7]), seen: null };
  const { generations, life } = lineageOf([{ seed: 1, generation, value, seen }, other]);
  expect(life).toBe(20);
  expect(generations.map(({ number }) => number)).toEqual([1, 2]);
  expect(generations[0]!.lives).toEqual([
    { seed: 1, points: [[10, 3], [20, 5]] }, // biome-ignore format: pairs
    { seed: 2, points: [[10, 7]] },
  ]);
  expect(generations[1]!.lives).toEqual([
    {
      seed: 1,
      points: [
        [10, 4],
        [20, 8],
      ],
    },
  ]);
  expect(generations[1]!.seen).toEqual([1, 0.5]);
  expect(endOf(generations[0]!)).toBe(6);
  expect(endOf({ number: 3, lives: [], seen: null })).toBeNaN();
});
