import { expect, it } from 'vitest';
import { Rng } from '#math/rng.ts';
import { annotations, hashWorth } from './oni.ts';

it('answers are known after their delay, in order, and never more than there is room for', () => {
  const store = annotations(3);
  store.ask(5, 0, 1, 100);
  store.ask(6, 0, 0, 200);
  store.ask(5, 0, 0, 200);
  store.ask(9, 0, 1, 200);
  expect(store.counters.asked).toBe(3);
  store.arrive(99);
  expect(store.counters.known).toBe(0);
  store.arrive(150);
  expect(store.counters.known).toBe(1);
  store.arrive(1000);
  expect(store.counters.known).toBe(3);
});

it('the table is worth the mean of the answers that are there, and nothing where there is none', async () => {
  const store = annotations(3);
  const worth = hashWorth();
  store.ask(5, 0, 1, 1);
  store.ask(6, 0, 0, 1);
  store.ask(5, 0, 0, 2);
  store.arrive(1);
  await worth.learn(store, Rng.from(1));
  expect([worth.of[5], worth.of[6], worth.of[7]]).toEqual([1, 0, 0]);
  store.arrive(2);
  await worth.learn(store, Rng.from(1));
  expect([worth.of[5], worth.of[6]]).toEqual([0.5, 0]);
});
