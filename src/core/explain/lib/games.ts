/**
 * Games whose values are known, as tables of all coalitions (see exact.ts): to test the estimators, and to show on the page that
 * they can be trusted. Descriptions follow Peleg & Sudhoelter, "Introduction to the Theory of Cooperative Games".
 */
import { sizeOfMask } from './exact.ts';

/** The table of v over n players. */
export function gameOf(n: number, v: (has: (player: number) => boolean, mask: number) => number): Float64Array {
  return Float64Array.from({ length: 2 ** n }, (_, mask) => v((player) => (mask & (1 << player)) !== 0, mask));
}

const members = (n: number, has: (player: number) => boolean): number[] => Array.from({ length: n }, (_, i) => i).filter(has);

/** A pair of a left and a right glove is worth 1. */
export function glove(left: readonly number[], right: readonly number[]): Float64Array {
  return gameOf(left.length + right.length, (has) => Math.min(left.filter(has).length, right.filter(has).length));
}

/** The runway a coalition needs costs as much as its most demanding member. */
export function airport(costs: readonly number[]): Float64Array {
  return gameOf(costs.length, (has) => members(costs.length, has).reduce((most, i) => Math.max(most, costs[i]!), 0));
}

/** 1 where the weights reach the quota. */
export function voting(quota: number, weights: readonly number[]): Float64Array {
  return gameOf(weights.length, (has) => (members(weights.length, has).reduce((sum, i) => sum + weights[i]!, 0) >= quota ? 1 : 0));
}

/** 1 where the first player has one other at least, or all others are there. */
export function apex(n: number): Float64Array {
  return gameOf(n, (has, mask) => ((has(0) ? sizeOfMask(mask) >= 2 : sizeOfMask(mask) === n - 1) ? 1 : 0));
}

/** 1 where all of the carrier are there; the other players are dummies. */
export function unanimity(n: number, carrier: readonly number[] = Array.from({ length: n }, (_, i) => i)): Float64Array {
  return gameOf(n, (has) => (carrier.every(has) ? 1 : 0));
}

/** 1 where more than half are there. @internal Tests hold estimates against it. */
export function majority(n: number): Float64Array {
  return gameOf(n, (_, mask) => (sizeOfMask(mask) * 2 > n ? 1 : 0));
}

/** Every player adds the same to every coalition. @internal Tests hold estimates against it. */
export function additive(worth: readonly number[]): Float64Array {
  return gameOf(worth.length, (has) => members(worth.length, has).reduce((sum, i) => sum + worth[i]!, 0));
}

/** What is left of the estate when the others have been paid in full (O'Neill 1982). @internal Tests hold estimates against it. */
export function bankruptcy(estate: number, claims: readonly number[]): Float64Array {
  const total = claims.reduce((sum, claim) => sum + claim, 0);
  return gameOf(claims.length, (has) => Math.max(0, estate - total + members(claims.length, has).reduce((sum, i) => sum + claims[i]!, 0)));
}

export interface KnownGame {
  readonly id: string;
  readonly title: string;
  /** One sentence a reader can check the values against. */
  readonly story: string;
  readonly players: readonly string[];
  readonly table: Float64Array;
}

/** The games of the trust panel. */
export const knownGames: readonly KnownGame[] = [
  {
    id: 'glove',
    title: 'Gloves',
    story: 'One left glove, two right ones; only a pair is worth something. The left one is rare, so it earns two thirds.',
    players: ['left', 'right 1', 'right 2'],
    table: glove([0], [1, 2]),
  },
  {
    id: 'airport',
    title: 'Airport',
    story: 'A runway costs what the largest plane needs. Each stretch is shared equally by all who need it.',
    players: ['1 km', '2 km', '3 km', '5 km'],
    table: airport([1, 2, 3, 5]),
  },
  {
    id: 'voting',
    title: 'Council',
    story: 'Weights 4, 3, 2, 1 and a quota of 6. The second and the third have the same power, whatever their seats.',
    players: ['4 seats', '3 seats', '2 seats', '1 seat'],
    table: voting(6, [4, 3, 2, 1]),
  },
  {
    id: 'unanimity',
    title: 'Two keys',
    story: 'The safe opens when players 1 and 3 turn their keys together; the others add nothing.',
    players: ['key 1', 'visitor 2', 'key 3', 'visitor 4'],
    table: unanimity(4, [0, 2]),
  },
  {
    id: 'apex',
    title: 'One large party',
    story: 'It has a majority with any one of four small parties; without it they need each other, all four. It earns three fifths.',
    players: ['large', 'small 1', 'small 2', 'small 3', 'small 4'],
    table: apex(5),
  },
];
