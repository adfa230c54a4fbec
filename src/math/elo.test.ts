/** Golden eval-elo-crossplay. */
import { expect, test } from 'vitest';
import { bradleyTerry, crossPlay, eloUpdate, expectedScore } from './elo.ts';
import golden from './golden/eval-elo-crossplay.json' with { type: 'json' };

function caseOf(name: string): { readonly input: never; readonly expected: never } {
  const found = golden.cases.find((c) => c.name === name);
  if (found === undefined) throw new Error(`no golden case ${name}`);
  return found as never;
}

test('expected scores', () => {
  const { input, expected } = caseOf('expected') as { input: { pairs: [number, number][] }; expected: { expected: number[] } };
  input.pairs.forEach(([a, b], i) => {
    expect(expectedScore(a, b)).toBeCloseTo(expected.expected[i]!, 12);
  });
});

test('a sequence of games', () => {
  type Ratings = { [name: string]: number };
  const { input, expected } = caseOf('sequence') as {
    input: { start: Ratings; k: number; games: [string, string, number][] };
    expected: { history: Ratings[] };
  };
  const now = { ...input.start };
  input.games.forEach(([a, b, score], i) => {
    [now[a], now[b]] = eloUpdate(now[a]!, now[b]!, score, input.k);
    for (const [name, rating] of Object.entries(expected.history[i] as Ratings)) expect(now[name]).toBeCloseTo(rating, 9);
  });
});

test('Bradley and Terry', () => {
  const { input, expected } = caseOf('bradley_terry') as {
    input: { wins: number[][] };
    expected: { strength: number[]; elo: number[] };
  };
  const { strength, elo } = bradleyTerry(input.wins);
  expected.strength.forEach((s, i) => {
    expect(strength[i]! / s).toBeCloseTo(1, 9);
    expect(elo[i]).toBeCloseTo(expected.elo[i]!, 7);
  });
});

test('who never lost has a finite rating with a prior, and the order stays', () => {
  const { elo } = bradleyTerry(
    [
      [0, 10, 10],
      [0, 0, 6],
      [0, 4, 0],
    ],
    0.5,
  );
  expect(Math.max(...elo.map(Math.abs))).toBeLessThan(2000);
  expect(elo.toSorted((a, b) => b - a)).toEqual(elo);
});

test('cross-play', () => {
  const { input, expected } = caseOf('crossplay') as {
    input: { matrix: number[][] };
    expected: { self_play: number; cross_play: number; gap: number };
  };
  expect(crossPlay(input.matrix)).toEqual({ selfPlay: expected.self_play, crossPlay: expected.cross_play, gap: expected.gap });
});
