import { expect, test } from 'vitest';
import { Latest } from './latest.ts';

test('a turn is the newest until another one begins, and never again', () => {
  const turns = new Latest();
  const first = turns.begin();
  expect(first()).toBe(true);
  const second = turns.begin();
  expect([first(), second()]).toEqual([false, true]);
  turns.begin();
  expect([first(), second()]).toEqual([false, false]);
});

test('turns of different things do not end each other', () => {
  const [one, other] = [new Latest(), new Latest()];
  const turn = one.begin();
  other.begin();
  expect(turn()).toBe(true);
});
