/**
 * Ways to draw coalitions. A draw is a few coalitions that are all valued from the same start and with the same chances (common
 * random numbers), and the differences between them that make an unbiased estimate for every player at once:
 *   value(player) = sum over steps of weight * (v[to] - v[from]).
 * So the mean over draws is the estimate and the spread over draws is its error, whatever the scheme; both the choice of coalitions
 * and the chances of the episodes are in it. Empty and full coalition are in every draw.
 * Permutations: Castro, Gomez & Tejada 2009. Antithetic pairs: Mitchell et al. 2022, exact on games of pairs. Stratified: every
 * player comes at every position once (after Castro et al. 2017). Owen: unions arrive together.
 */
import type { Rng } from '#math/rng.ts';
import { orderWeights, sizeOfMask } from './exact.ts';

export interface Draw {
  rows: number;
  readonly members: Uint8Array; // [rows, players] 1: present
  steps: number;
  readonly from: Int32Array; // [steps] row
  readonly to: Int32Array; // [steps] row, with one player more
  readonly player: Int32Array; // [steps]
  readonly weight: Float64Array; // [steps]
  /** Rows of the empty and of the full coalition. */
  emptyRow: number;
  grandRow: number;
}

export interface Scheme {
  /** A draw plays every coalition: no player is missed by chance. */
  readonly whole?: true;
  readonly players: number;
  /** Rows of a draw. */
  readonly width: number;
  /** An empty draw with room for what `fill` writes; to be used again and again. */
  create(): Draw;
  fill(draw: Draw, rng: Rng): void;
}

function room(players: number, rows: number, steps: number): Draw {
  return {
    rows,
    members: new Uint8Array(rows * players),
    steps: 0,
    from: new Int32Array(steps),
    to: new Int32Array(steps),
    player: new Int32Array(steps),
    weight: new Float64Array(steps),
    emptyRow: 0,
    grandRow: 1,
  };
}

/** Clears a draw to the empty coalition in row 0 and the full one in row 1. */
function begin(draw: Draw, players: number): void {
  draw.members.fill(0, 0, players);
  draw.members.fill(1, players, 2 * players);
  draw.rows = 2;
  draw.steps = 0;
}

function addStep(draw: Draw, from: number, to: number, player: number, weight: number): void {
  draw.from[draw.steps] = from;
  draw.to[draw.steps] = to;
  draw.player[draw.steps] = player;
  draw.weight[draw.steps] = weight;
  draw.steps++;
}

/** A row like `from` with this player changed. */
function addRow(draw: Draw, players: number, from: number, player: number, present: 0 | 1): number {
  const row = draw.rows++;
  draw.members.copyWithin(row * players, from * players, (from + 1) * players);
  draw.members[row * players + player] = present;
  return row;
}

/** The players arrive one after the other, from none to all. */
function arrive(draw: Draw, order: ArrayLike<number>, weight: number): void {
  const n = order.length;
  let here = draw.emptyRow;
  for (let k = 0; k < n; k++) {
    const player = order[k]!;
    const next = k === n - 1 ? draw.grandRow : addRow(draw, n, here, player, 1);
    addStep(draw, here, next, player, weight);
    here = next;
  }
}

/** A draw of this order of arrival alone. */
export function fillOneWay(draw: Draw, order: ArrayLike<number>): void {
  begin(draw, order.length);
  arrive(draw, order, 1);
}

/** A draw of this order of arrival and its reverse. */
export function fillBothWays(draw: Draw, order: readonly number[]): void {
  begin(draw, order.length);
  arrive(draw, order, 0.5);
  arrive(draw, order.toReversed(), 0.5);
}

const upTo = (n: number): Int32Array => Int32Array.from({ length: n }, (_, i) => i);

/** All 2^n coalitions: no error but that of the episodes. Row = bit mask. n <= 12. */
export function exactScheme(n: number): Scheme {
  if (n > 12) throw new RangeError('All coalitions of more than 12 players are too many.');
  const weights = orderWeights(n);
  const count = 2 ** n;
  return {
    whole: true,
    players: n,
    width: count,
    create: () => room(n, count, n * (count / 2)),
    fill(draw) {
      draw.rows = count;
      draw.steps = 0;
      draw.emptyRow = 0;
      draw.grandRow = count - 1;
      for (let mask = 0; mask < count; mask++) {
        for (let i = 0; i < n; i++) {
          const present = (mask >> i) & 1;
          draw.members[mask * n + i] = present;
          if (present === 0) addStep(draw, mask, mask | (1 << i), i, weights[sizeOfMask(mask)]!);
        }
      }
    },
  };
}

/** One arrival order. */
export function permutationScheme(n: number): Scheme {
  const order = upTo(n);
  return {
    players: n,
    width: n + 1,
    create: () => room(n, n + 1, n),
    fill(draw, rng) {
      rng.shuffle(order);
      fillOneWay(draw, order);
    },
  };
}

/** An order and its reverse. */
export function antitheticScheme(n: number): Scheme {
  const order = upTo(n);
  return {
    players: n,
    width: 2 * n,
    create: () => room(n, 2 * n, 2 * n),
    fill(draw, rng) {
      rng.shuffle(order);
      fillBothWays(draw, Array.from(order));
    },
  };
}

/** An order and its n - 1 rotations: each player joins once at every size. */
export function stratifiedScheme(n: number): Scheme {
  const order = upTo(n);
  return {
    players: n,
    width: n * (n - 1) + 2,
    create: () => room(n, n * (n - 1) + 2, n * n),
    fill(draw, rng) {
      rng.shuffle(order);
      begin(draw, n);
      for (let turn = 0; turn < n; turn++) {
        arrive(
          draw,
          order.map((_, k) => order[(k + turn) % n]!),
          1 / n,
        );
      }
    },
  };
}

/** Orders in which each union arrives together, and their reverses. `unions` lists every player once. */
export function owenScheme(n: number, unions: readonly (readonly number[])[]): Scheme {
  if ([...new Set(unions.flat())].length !== n || unions.flat().length !== n)
    throw new RangeError('The unions must list every player exactly once.');
  const groups = unions.map((members) => Int32Array.from(members));
  const sequence = upTo(groups.length);
  return {
    players: n,
    width: 2 * n,
    create: () => room(n, 2 * n, 2 * n),
    fill(draw, rng) {
      rng.shuffle(sequence);
      for (const group of groups) rng.shuffle(group);
      const order = Array.from(sequence).flatMap((g) => Array.from(groups[g]!));
      fillBothWays(draw, order);
    },
  };
}

/** A coalition of fair coins, and what each player changes in it: the Banzhaf value. */
export function banzhafScheme(n: number): Scheme {
  return {
    players: n,
    width: n + 3,
    create: () => room(n, n + 3, n),
    fill(draw, rng) {
      begin(draw, n);
      const here = draw.rows++;
      for (let i = 0; i < n; i++) draw.members[here * n + i] = rng.int(2);
      for (let i = 0; i < n; i++) {
        const present = draw.members[here * n + i] === 1;
        const other = addRow(draw, n, here, i, present ? 0 : 1);
        addStep(draw, present ? other : here, present ? here : other, i, 1);
      }
    },
  };
}

/** The estimate of one draw from the values of its rows; `out` [players]. */
export function drawValue(draw: Draw, values: ArrayLike<number>, out: Float64Array): void {
  out.fill(0);
  for (let s = 0; s < draw.steps; s++) out[draw.player[s]!]! += draw.weight[s]! * (values[draw.to[s]!]! - values[draw.from[s]!]!);
}
