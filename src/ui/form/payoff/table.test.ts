import { expect, test } from 'vitest';
import type { PayoffFormat } from '#contract/game/payoffs.ts';
import type { Json } from '#contract/kit/json.ts';
import {
  bestInJoint,
  chance,
  fieldsFor,
  fieldsForMany,
  gameIn,
  inWords,
  jointActions,
  pairOf,
  sized,
  tied,
  tieOf,
  withPayoff,
} from './table.ts';

const DILEMMA = { row: [[-1, -3], [0, -2]], column: [[-1, 0], [-3, -2]], rowActions: ['cooperate', 'defect'], columnActions: ['cooperate', 'defect'] }; // biome-ignore format: a table
const PENNIES = { row: [[1, -1], [-1, 1]], column: [[-1, 1], [1, -1]], rowActions: ['heads', 'tails'], columnActions: ['heads', 'tails'] }; // biome-ignore format: a table
const format: PayoffFormat = {
  games: { dilemma: DILEMMA, pennies: PENNIES },
  symmetric: 'payoffs',
  row: 'rowPayoffs',
  column: 'columnPayoffs',
  tensor: 'payoffTensor',
};
const none: { [name: string]: Json } = { payoffs: null, rowPayoffs: null, columnPayoffs: null, payoffTensor: null };

test('a name, four numbers or two tables say the game', () => {
  expect(gameIn(format, 'pennies', none)).toEqual({ game: PENNIES, own: false });
  expect(gameIn(format, 'dilemma', { ...none, payoffs: [3, 0, 5, 1] })).toMatchObject({ own: true, game: { row: [[3, 0], [5, 1]], column: [[3, 5], [0, 1]], rowActions: ['cooperate', 'defect'] } }); // biome-ignore format: tables
  const wide = gameIn(format, 'dilemma', { ...none, rowPayoffs: [[1, 2, 3]], columnPayoffs: [[4, 5, 6]] });
  expect(wide?.game).toMatchObject({ rowActions: ['row 1'], columnActions: ['column 1', 'column 2', 'column 3'] });
});

test('what is written says the same table again, as simply as it can', () => {
  for (const [game, wanted] of [
    [PENNIES, { game: 'pennies', fields: none }],
    [withPayoff(DILEMMA, 'row', 0, 1, -5, 'mirrored'), { game: 'dilemma', fields: { ...none, payoffs: [-1, -5, 0, -2] } }],
    [withPayoff(DILEMMA, 'row', 0, 1, -5, 'free'), { game: 'dilemma', fields: { ...none, rowPayoffs: [[-1, -5], [0, -2]], columnPayoffs: [[-1, 0], [-3, -2]] } }], // biome-ignore format: tables
    [sized(DILEMMA, 2, 3), { game: 'dilemma', fields: { ...none, rowPayoffs: [[-1, -3, 0], [0, -2, 0]], columnPayoffs: [[-1, 0, 0], [-3, -2, 0]] } }], // biome-ignore format: tables
  ] as const) {
    const written = fieldsFor(format, 'dilemma', game);
    expect(written).toEqual(wanted);
    const read = gameIn(format, written!.game, written!.fields)!.game;
    expect({ row: read.row, column: read.column }).toEqual({ row: game.row, column: game.column });
  }
});

test('a tie is seen, kept while painting, and made', () => {
  expect([tieOf(DILEMMA), tieOf(PENNIES)]).toEqual(['mirrored', 'opposite']);
  expect(tieOf(withPayoff(DILEMMA, 'column', 1, 0, 9, 'mirrored'))).toBe('mirrored');
  expect(tieOf(withPayoff(PENNIES, 'column', 1, 0, 9, 'opposite'))).toBe('opposite');
  expect(tieOf(withPayoff(DILEMMA, 'row', 0, 1, 9, 'free'))).toBe('free');
  expect(tied(DILEMMA, 'equal').column).toEqual(DILEMMA.row);
  expect(tied(sized(DILEMMA, 2, 3), 'mirrored').column).toEqual(sized(DILEMMA, 2, 3).column); // only a square game has a mirror
  expect(Object.is(tied(withPayoff(PENNIES, 'row', 0, 0, 0, 'free'), 'opposite').column[0]![0], 0)).toBe(true);
});

test('chances are fractions where they are simple', () => {
  expect([0, 1, 1 / 3, 0.6, 1 / 24, 0.123456].map(chance)).toEqual(['0', '1', '1/3', '3/5', '1/24', '0.123']);
  expect(inWords([0, 1], ['stag', 'hare'])).toBe('hare');
  expect(inWords([0.5, 0.5], ['stag', 'hare'])).toBe('stag 1/2, hare 1/2');
});

test('games of more than two lie on the card and go back as one table', () => {
  const actions = [['give', 'keep'], ['give', 'keep'], ['give', 'keep']]; // biome-ignore format: three alike
  const pay = Array.from({ length: 8 }, (_, j) => {
    const kept = [(j >> 2) & 1, (j >> 1) & 1, j & 1];
    const given = kept.filter((k) => k === 0).length;
    return kept.map((k) => 0.5 * given - (k === 0 ? 1 : 0));
  });
  const card = { actions, pay };
  expect(gameIn(format, 'public-goods', none)).toBeNull();
  expect(pairOf(card)).toBeNull();
  expect(jointActions(card, 5)).toEqual([1, 0, 1]);
  expect(bestInJoint(card).map((row) => row.every(Boolean))).toEqual([false, false, false, false, false, false, false, true]);
  expect(fieldsForMany(format, pay)).toEqual({ ...none, payoffTensor: pay });
  expect(gameIn(format, 'dilemma', { ...none, payoffTensor: pay })).toBeNull();
  const two = pairOf({ actions: actions.slice(1), pay: [[1, 2], [3, 4], [5, 6], [7, 8]] }); // biome-ignore format: a table
  expect(two).toMatchObject({ row: [[1, 3], [5, 7]], column: [[2, 4], [6, 8]] }); // biome-ignore format: a table
});
