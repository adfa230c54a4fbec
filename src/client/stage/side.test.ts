import { expect, test } from 'vitest';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { sidesOf } from './side.ts';

const card = (...names: readonly string[]): EnvCard => ({ agents: names.length, groups: [{ names }] }) as unknown as EnvCard;

test('two sides: of two kinds, of two agents alike; none where there is one kind, or where seats are given to players', () => {
  expect(sidesOf(card('adversary_0', 'adversary_1', 'agent_0'), {})).toEqual([[0, 1], [2]]);
  expect(sidesOf(card('player_0', 'player_1'), { seats: {} })).toEqual([[0], [1]]);
  expect(sidesOf(card('player_0', 'player_1', 'player_2'), {})).toBeNull();
  expect(sidesOf(card('player_0', 'player_1'), { seats: { player_1: 'random' } })).toBeNull();
});
