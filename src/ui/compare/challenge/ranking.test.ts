// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest';
import { prove } from '#client/compare/challenge.ts';
import { type Challenge, encodeAttempt, markOf } from '#contract/link/challenge.ts';
import { add, leaveOut, openRanking, ranked, useRanking } from './ranking.ts';

vi.mock('#client/compare/challenge.ts', () => ({ prove: vi.fn() }));

const challenge: Challenge = { env: { id: 'cartpole', config: {} }, seed: 1, score: 50, steps: 1000, title: '' };
const other: Challenge = { ...challenge, seed: 2 };
const code = (score: number) => encodeAttempt({ of: markOf(challenge), score, moves: { kinds: [[0]], runs: [0, score] } });

beforeEach(() => {
  localStorage.clear();
  vi.mocked(prove).mockReset();
  vi.mocked(prove).mockImplementation(async (_, { score }) =>
    score === 99 ? { state: 'false', why: 'its score is not the one that it names' } : { state: 'holds', score },
  );
  openRanking(other);
  openRanking(challenge);
});

test('what is proved is ranked by its score; what is not what it says stands below, however high its claim', async () => {
  expect(add(`${code(10)} ${code(99)}\n${code(60)} ${code(10)}`, challenge)).toEqual({ added: 3, known: 0, refused: [] });
  await vi.waitFor(() => expect(useRanking.getState().entries.every(({ proof }) => proof !== null)).toBe(true));
  expect(ranked(useRanking.getState().entries).map(({ attempt }) => attempt.score)).toEqual([60, 10, 99]);
  expect(add(code(10), challenge)).toEqual({ added: 0, known: 1, refused: [] });
  expect(prove).toHaveBeenCalledTimes(3);
});

test('it is kept for the next visit and proved anew; a challenge does not show the attempts of another', async () => {
  add(`${code(10)} ${code(60)}`, challenge);
  leaveOut(code(60));
  openRanking(other);
  expect(useRanking.getState().entries).toEqual([]);
  vi.mocked(prove).mockClear();
  openRanking(challenge);
  expect(useRanking.getState().entries.map(({ attempt }) => attempt.score)).toEqual([10]);
  expect(prove).toHaveBeenCalledTimes(1);
});

test('a text without an attempt is refused, and a damaged one says why', () => {
  expect(add('hello there', challenge).refused).toHaveLength(1);
  const [body] = code(10).split(/\.(?=[^.]*$)/);
  expect(add(`${body}.AAAAAA`, challenge).refused).toEqual([expect.stringContaining('checksum')]);
});
