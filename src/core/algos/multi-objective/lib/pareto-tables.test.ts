import { expect, it } from 'vitest';
import { createTables, learnAll } from './pareto-tables.ts';

it('bootstraps from the best legal action of each weighting', () => {
  const learned = (nextMask?: Uint8Array): number[] => {
    const tables = createTables([[0.5, 0.5]], 2, 2, 0);
    tables.vectors.set([5, 5, -1, -3], 4); // state 1: action 0 is illegal and still has its optimistic initial value
    tables.sums.set([5, -2], 2);
    learnAll(tables, 0, 0, Float32Array.of(1, 2), 1, false, 1, 0.5, nextMask);
    return [...tables.vectors.subarray(0, 2), tables.sums[0]!];
  };
  expect(learned(Uint8Array.of(0, 1))).toEqual([0.5, 0.5, 0.5]);
  expect(learned()).toEqual([3.5, 4.5, 4]);
});
