import { expect, test } from 'vitest';
import type { OneGroup } from '#contract/run/group.ts';
import { sameState, treeOrder } from './group.ts';

const step = (state: number) => ({ state, action: 0, reward: 0, entropy: 0, following: 0, among: 0, branch: null });
const episode = (states: readonly number[], parent: { row: number; step: number } | null = null) => ({
  ...{ steps: states.map(step), parent, return: 0, advantage: 0, replay: null },
});
const group: OneGroup = {
  episodes: [
    episode([0, 1, 2]),
    episode([0, 3]),
    episode([0, 1, 4], { row: 0, step: 1 }),
    episode([0, 1, 2, 0], { row: 0, step: 2 }),
    episode([0, 1, 4], { row: 2, step: 2 }),
  ],
  sharedStates: 0,
  startEntropy: 1,
};

test('steps from the same state are found in all episodes, also twice in one', () => {
  expect(sameState(group, { row: 3, step: 3 }).map(({ row, step: t }) => [row, t])).toEqual([
    [0, 0],
    [1, 0],
    [2, 0],
    [3, 0],
    [3, 3],
    [4, 0],
  ]);
  expect(sameState(group, { row: 1, step: 1 })).toEqual([{ row: 1, step: 1 }]);
});

test('an episode stands under the one that it branched off, later branches nearer', () => {
  expect(treeOrder(group)).toEqual([0, 3, 2, 4, 1]);
});
