import { expect, test } from 'vitest';
import { lessons } from '#lessons/index.ts';
import { classMinutes } from './minutes.ts';

test.each(lessons)('$id: with a class it takes no less than alone, and fits two periods', ({ plan = [], minutes }) => {
  for (const part of plan) expect(part, 'a part begins with its minutes').toMatch(/^(\d+ min|Before class)/);
  expect(classMinutes(plan)).toBeGreaterThanOrEqual(minutes[0]);
  expect(classMinutes(plan)).toBeLessThanOrEqual(45);
});
