import { expect, test } from 'vitest';
import { judgedPapers } from '#claims/papers/index.ts';
import { touches } from './index.ts';

test('every view that a card names is one of the list, and every view of the list stands on a card', () => {
  const named = judgedPapers.flatMap(({ touch }) => touch ?? []);
  expect([...new Set(named)].toSorted()).toEqual(Object.keys(touches).toSorted());
});
