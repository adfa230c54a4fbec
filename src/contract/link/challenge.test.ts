import { expect, test } from 'vitest';
import {
  actionsOf,
  attemptsIn,
  type Challenge,
  decodeAttempt,
  decodeChallenge,
  encodeAttempt,
  encodeChallenge,
  markOf,
  movesOf,
} from './challenge.ts';
import { sealJson } from './sealed.ts';

const challenge: Challenge = {
  env: { id: 'cartpole', config: { gravity: 19.6 } },
  seed: 7,
  score: 120.5,
  steps: 50_000,
  title: 'Heavy pole',
};
/** Of this challenge, as attempts of the first format name it. */
const MARK = 2_778_300_030;
const game = (...actions: number[]) => ({ actions: Float32Array.from(actions), reward: new Float32Array(actions.length) });

test('a challenge and both kinds of attempts come back as they were', () => {
  expect(decodeChallenge(encodeChallenge(challenge))).toEqual(challenge);
  const hand = { of: markOf(challenge), score: 3, moves: movesOf(game(0, 0, 1, 1, 1, 0)) };
  expect(hand.moves).toEqual({ kinds: [[0], [1]], runs: [0, 2, 1, 3, 0, 1] });
  expect(decodeAttempt(encodeAttempt(hand))).toEqual(hand);
  expect(actionsOf(hand.moves).flat()).toEqual([0, 0, 1, 1, 1, 0]);
  const trained = { of: markOf(challenge), score: 500, algo: { id: 'ppo', config: {} }, steps: 20_000, seed: 3 };
  expect(decodeAttempt(encodeAttempt(trained))).toEqual(trained);
});

test('a challenge may hold a seat; one without keeps the link and the mark that it had', () => {
  expect(encodeChallenge(challenge)).toMatch(/^1\./);
  const seated: Challenge = { ...challenge, seat: { agent: 1, others: 'expert' } };
  expect(encodeChallenge(seated)).toMatch(/^2\./);
  expect(decodeChallenge(encodeChallenge(seated))).toEqual(seated);
  expect(markOf(challenge)).toBe(MARK);
  const marks = [challenge, seated, { ...seated, seat: { agent: 0, others: 'expert' } }, { ...seated, seat: { agent: 1, others: '' } }].map(
    markOf,
  );
  expect(new Set(marks).size).toBe(4);
});

test('moves on a seat are those of its own turns, as long as its own action', () => {
  // two agents, two numbers an action, of which the second agent has one; it moves in the first and the third step
  const actions = Float32Array.from([1, 1, 7, 0, 1, 1, 9, 0, 1, 1, 7, 0]);
  const reward = new Float32Array(6);
  const moves = movesOf({ actions, reward, human: Int16Array.of(1, -1, 1) }, { agent: 1, agents: 2, size: 1 });
  expect(moves).toEqual({ kinds: [[7]], runs: [0, 2] });
});

test('numbers steered by hand keep their bits, several of them a step', () => {
  const actions = Float32Array.from([0.1, -1, 0.1, -1, 0.3, 1]);
  const back = actionsOf(movesOf({ actions, reward: new Float32Array(3) }));
  expect(Float32Array.from(back.flat())).toEqual(actions);
});

test('another world or seed is another challenge; another score to beat is not', () => {
  expect(markOf({ ...challenge, seed: 8 })).not.toBe(markOf(challenge));
  expect(markOf({ ...challenge, env: { id: 'cartpole', config: {} } })).not.toBe(markOf(challenge));
  expect(markOf({ ...challenge, score: 1, title: '' })).toBe(markOf(challenge));
});

test('what is cut, changed, too long or too much is refused before it is used', () => {
  const text = encodeChallenge(challenge);
  const refused = (open: () => unknown, id: string) =>
    expect(open).toThrow(expect.objectContaining({ failure: expect.objectContaining({ id }) }));
  refused(() => decodeChallenge(text.slice(0, -1)), 'link-damaged');
  refused(() => decodeChallenge(text.replace(/.\./, (two) => (two[0] === 'A' ? 'B.' : 'A.'))), 'link-damaged');
  refused(() => decodeChallenge('1.'.padEnd(1501, 'A')), 'link-too-long');
  refused(() => decodeChallenge(encodeChallenge({ ...challenge, steps: 2_000_000 })), 'link-damaged');
  refused(() => decodeChallenge(sealJson({}, { format: 3 })), 'link-future');
  const of = markOf(challenge);
  refused(() => decodeAttempt(encodeAttempt({ of, score: 1, moves: { kinds: [[0]], runs: [0, 20_000, 0, 20_000] } })), 'link-damaged');
  refused(() => decodeAttempt(encodeAttempt({ of, score: 1, moves: { kinds: [[0]], runs: [1, 5] } })), 'link-damaged');
  refused(() => movesOf(game(...Array.from({ length: 300 }, (_, i) => i))), 'link-too-long');
});

test('attempts are found in a text that holds other words', () => {
  const one = encodeAttempt({ of: 1, score: 2, algo: { id: 'ppo', config: {} }, steps: 10, seed: 1 });
  expect(attemptsIn(`Mine: ${one}\n${one} bye`)).toEqual({ codes: [one], others: 2 });
});
