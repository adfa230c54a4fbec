/** Payoff matrices of two players by name, and the exact value of repeated play of two memory-one strategies. */

import type { Bimatrix } from '#contract/game/payoffs.ts';
import { solveLinear, transpose } from '#math/linear.ts';

/** Both see the same matrix from their own side. */
export function symmetric(row: readonly (readonly number[])[], actions: readonly string[]): Bimatrix {
  return { row, column: transpose(row), rowActions: actions, columnActions: actions };
}

const DILEMMA = ['cooperate', 'defect'] as const;
const PENALTY = -100;

export const GAMES = {
  'prisoners-dilemma': symmetric(
    [
      [-1, -3],
      [0, -2],
    ],
    DILEMMA,
  ),
  'stag-hunt': symmetric(
    [
      [4, 0],
      [2, 2],
    ],
    ['stag', 'hare'],
  ),
  chicken: symmetric(
    [
      [3, 2],
      [5, 0],
    ],
    ['dove', 'hawk'],
  ),
  'matching-pennies': {
    row: [
      [1, -1],
      [-1, 1],
    ],
    column: [
      [-1, 1],
      [1, -1],
    ],
    rowActions: ['heads', 'tails'],
    columnActions: ['heads', 'tails'],
  },
  'battle-of-the-sexes': {
    row: [
      [3, 0],
      [0, 2],
    ],
    column: [
      [2, 0],
      [0, 3],
    ],
    rowActions: ['opera', 'football'],
    columnActions: ['opera', 'football'],
  },
  'rock-paper-scissors': {
    row: [
      [0, -1, 1],
      [1, 0, -1],
      [-1, 1, 0],
    ],
    column: [
      [0, 1, -1],
      [-1, 0, 1],
      [1, -1, 0],
    ],
    rowActions: ['rock', 'paper', 'scissors'],
    columnActions: ['rock', 'paper', 'scissors'],
  },
  coordination: symmetric(
    [
      [1, 0],
      [0, 1],
    ],
    ['left', 'right'],
  ),
  'hi-lo': symmetric(
    [
      [2, 0],
      [0, 1],
    ],
    ['high', 'low'],
  ),
  // a stag hunt in which misplaced trust costs much
  'trust-dilemma': symmetric(
    [
      [4, -8],
      [2, 2],
    ],
    ['trust', 'play safe'],
  ),
  deadlock: symmetric(
    [
      [1, 0],
      [3, 2],
    ],
    DILEMMA,
  ),
  climbing: symmetric(
    [
      [11, -30, 0],
      [-30, 7, 6],
      [0, 0, 5],
    ],
    ['a', 'b', 'c'],
  ),
  penalty: symmetric(
    [
      [PENALTY, 0, 10],
      [0, 2, 0],
      [10, 0, PENALTY],
    ],
    ['a', 'b', 'c'],
  ),
} as const satisfies { readonly [name: string]: Bimatrix };

/** Climbing and penalty pay both the same. */
export function gameOf(name: keyof typeof GAMES): Bimatrix {
  const game: Bimatrix = GAMES[name];
  return name === 'climbing' || name === 'penalty' ? { ...game, column: game.row } : game;
}

/**
 * Value per step, (1 - gamma) * discounted sum, of both in a 2 x 2 game. A strategy: chance of the first action at the start and
 * after CC, CD, DC, DD, own move first. States of the chain: CC, CD, DC, DD from the row player's side.
 */
export function memoryOneValue(game: Bimatrix, row: readonly number[], column: readonly number[], gamma: number): [number, number] {
  const mirrored = [0, 2, 1, 3]; // the same state as the column player calls it
  const joint = (p: number, q: number) => [p * q, p * (1 - q), (1 - p) * q, (1 - p) * (1 - q)];
  const start = joint(row[0]!, column[0]!);
  // visits x = start + gamma M^T x, so (I - gamma M^T) x = start
  const a = Array.from({ length: 4 }, (_, to) =>
    Array.from({ length: 4 }, (_, from) => {
      const next = joint(row[1 + from]!, column[1 + mirrored[from]!]!);
      return (to === from ? 1 : 0) - gamma * next[to]!;
    }),
  );
  const visits = solveLinear(a, start);
  const total = (m: readonly (readonly number[])[]) => (1 - gamma) * visits.reduce((sum, x, i) => sum + x * m[i >> 1]![i & 1]!, 0);
  return [total(game.row), total(game.column)];
}
