import { expect, test } from 'vitest';
import { inSquad, squadsOf } from './squads.ts';

test('agents alike begin as a squad; where all are alike, halves', () => {
  const groups = (...names: string[][]) => names.map((list) => ({ names: list }) as never);
  expect(squadsOf({ agents: 4, groups: groups(['p0', 'p1', 'p2'], ['prey']) })).toEqual([[0, 1, 2], [3]]);
  expect(squadsOf({ agents: 5, groups: groups(['a', 'b', 'c', 'd', 'e']) })).toEqual([
    [0, 1, 2],
    [3, 4],
  ]);
});

test('an agent changes its squad and stays in exactly one', () => {
  expect(inSquad([[0, 1], [2]], 1, 1)).toEqual([[0], [1, 2]]);
  expect(inSquad([[0, 1], [2]], 2, 0)).toEqual([[0, 1, 2]]);
  expect(inSquad([[0, 1], [2]], 0, 2)).toEqual([[1], [2], [0]]);
});
