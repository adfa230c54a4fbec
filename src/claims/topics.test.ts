import { expect, test } from 'vitest';
import { listed } from './index.ts';
import { topicMap } from './topics.ts';

test('every topic of the list stands on the map, once', () => {
  const mapped = topicMap.flatMap(({ topics }) => topics);
  expect(mapped.toSorted()).toEqual([...new Set(listed.flatMap(({ topics }) => topics))].sort());
});
