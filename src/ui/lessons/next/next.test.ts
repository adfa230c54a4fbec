import { expect, test } from 'vitest';
import { nextPresses, type Seen } from './next.ts';

const seen: Seen = { course: 'up', chance: false, seeds: 5, world: true, lesson: true, paper: true };

test.each<[Partial<Seen>, readonly string[]]>([
  [{}, ['world', 'lesson', 'paper']],
  [{ seeds: 2 }, ['world', 'seeds', 'lesson']],
  [{ world: false, lesson: false }, ['paper', 'seeds', 'longer']],
  [{ course: 'same', chance: true }, ['seeds', 'longer', 'lesson']],
  [{ course: 'same' }, ['longer', 'lesson', 'seeds']],
  [{ course: null, lesson: false, paper: false }, ['longer', 'seeds', 'world']],
  [{ course: 'up', chance: true }, ['seeds', 'longer', 'lesson']],
])('after %j come %j', (part, presses) => {
  expect(nextPresses({ ...seen, ...part })).toEqual(presses);
});
