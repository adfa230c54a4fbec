import { expect, test } from 'vitest';
import { kindsOf, seatsOf, withSeat } from './seats.ts';

const [adversary, agent] = kindsOf(['adversary_0', 'adversary_1', 'agent_0']) as [never, never];

test('agents are grouped by name, in order', () => {
  expect(kindsOf(['left', 'right'])).toEqual([
    { name: 'left', names: ['left'] },
    { name: 'right', names: ['right'] },
  ]);
  expect(adversary).toEqual({ name: 'adversary', names: ['adversary_0', 'adversary_1'] });
});

test('a kind is one entry; taking one of it apart names each', () => {
  const all = withSeat({}, adversary, null, 'random');
  expect(all).toEqual({ adversary: 'random' });
  expect(withSeat(all ?? {}, adversary, 'adversary_1', 'idle')).toEqual({ adversary_0: 'random', adversary_1: 'idle' });
  expect(withSeat(all ?? {}, adversary, 'adversary_1', '')).toEqual({ adversary_0: 'random' });
});

test('when every seat learns, nothing is left in the config', () => {
  expect(withSeat({ agent: 'random' }, agent, null, '')).toBeUndefined();
  expect(withSeat({ agent_0: 'random' }, agent, 'agent_0', '')).toBeUndefined();
});

test('what is not a table of seats is none', () => {
  expect(seatsOf(null)).toEqual({});
  expect(seatsOf(['random'])).toEqual({});
  expect(seatsOf({ a: 'random' })).toEqual({ a: 'random' });
});
