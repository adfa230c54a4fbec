import { expect, test } from 'vitest';
import { configOfSeats, kindsOf, seatsOf, withMember, withSeat } from './seats.ts';

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

test('a pool is read and written as the config keeps it', () => {
  const config = { agent_0: { pool: ['random', 'idle'], tell: true }, adversary: { pool: ['idle', 'scripted'] }, agent_1: 'idle' };
  const seats = seatsOf(config);
  expect(seats.adversary).toEqual({ pool: ['idle', 'scripted'], tell: false });
  expect(configOfSeats(seats)).toEqual(config);
  expect(withSeat(seats, adversary, null, 'random')).toMatchObject({ adversary: 'random' });
});

test('members join and leave a pool in the order of the players; two of them stay', () => {
  const players = ['random', 'idle', 'scripted'];
  const two = { pool: ['random', 'scripted'], tell: false };
  expect(withMember(two, 'idle', true, players).pool).toEqual(players);
  expect(withMember(two, 'random', false, players)).toEqual(two);
});

test('a policy of an earlier run is read as it stands, joins a pool behind the scripts, and leaves it', () => {
  const net = { inputs: 1, clip: null, layers: [], box: null, weights: '' };
  const frozen = { frozen: '0123456789ab', title: 'ppo, seed 1, step 5', net };
  expect(seatsOf({ a: frozen }).a).toEqual(frozen);
  expect(configOfSeats({ a: frozen })).toEqual({ a: frozen });
  const players = ['random', 'idle'];
  const pool = withMember({ pool: ['random', 'idle'], tell: true }, frozen, true, players);
  expect(pool.pool).toEqual(['random', 'idle', frozen]);
  expect(withMember(pool, 'random', false, players).pool).toEqual(['idle', frozen]);
  expect(withMember(withMember(pool, frozen, true, players), frozen, false, players).pool).toEqual(players);
  expect(configOfSeats(seatsOf({ a: { pool: ['idle', frozen] } }))).toEqual({ a: { pool: ['idle', frozen] } });
});
