import { expect, test } from 'vitest';
import { agentMarks, spoken, withoutSeat } from './seats.ts';

test('on an agent stands the number in its name; on the only one of its kind, its initial', () => {
  expect(agentMarks(['agent_0', 'agent_1', 'agent_2'])).toEqual(['1', '2', '3']);
  expect(agentMarks(['drone 1', 'drone 2'])).toEqual(['1', '2']);
  expect(agentMarks(['adversary_0', 'adversary_1', 'agent_0'])).toEqual(['1', '2', 'A']);
  expect(agentMarks(['near 1', 'near 2', 'far 1', 'far 2'])).toEqual(['1', '2', '1', '2']);
  expect(agentMarks(['eve_0', 'bob_0', 'alice_0'])).toEqual(['E', 'B', 'A']);
  expect(agentMarks(['setter', 'server'])).toEqual(['1', '2']);
  expect(agentMarks(['speaker_0', 'shouter_0'])).toEqual(['Sp', 'Sh']);
  expect(agentMarks(['agent_0'])).toEqual(['1']);
  expect(agentMarks(['fish', 'fish'])).toEqual(['1', '2']);
  expect(agentMarks([])).toEqual([]);
  expect(spoken('drone 1')).toBe('drone 1');
  expect(spoken('boid 0')).toBe('boid 1');
  expect(agentMarks(['boid 0', 'boid 1'])).toEqual(['1', '2']);
  expect(spoken('lead_adversary_0')).toBe('lead adversary 1');
});

test('one of the agents is given to nobody: of its kind all others keep their players', () => {
  const roster = ['agent_0', 'agent_1', 'agent_2', 'prey'];
  expect(withoutSeat({ agent: 'a', agent_1: 'b' }, roster, 'agent_2')).toEqual({ agent_0: 'a', agent_1: 'b' });
  expect(withoutSeat({ prey: 'a' }, roster, 'prey')).toBeUndefined();
});
