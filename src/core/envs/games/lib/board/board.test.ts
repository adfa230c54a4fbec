import { describe, expect, it } from 'vitest';
import { LabError } from '#contract/kit/errors.ts';
import { createActions, createBuffers } from '#core/envs/api/buffers.ts';
import type { EnvEntry, StepBuffers } from '#core/envs/api/types.ts';
import { Rng } from '#math/rng.ts';
import { connectFour } from '../../connect-four.ts';
import { ticTacToe } from '../../tic-tac-toe.ts';
import { type Board, boardOf, decided, landing, symmetriesOf, wins } from './lines.ts';
import { Searcher, WIN } from './search.ts';

const TTT = boardOf({ rows: 3, columns: 3, connect: 3, falls: false });
const C4 = boardOf({ rows: 6, columns: 7, connect: 4, falls: true });

interface Exact {
  readonly positions: number;
  /** Value for the first player: both best, both random, first best against random, second best against random. */
  readonly best: number;
  readonly random: number;
  readonly firstBest: number;
  readonly secondBest: number;
}

/** Plain minimax over the whole game tree of tic-tac-toe. */
function solve(): Exact {
  const known = new Map<string, readonly [number, number, number, number]>();
  const visit = (stones: number[]): readonly [number, number, number, number] => {
    const key = stones.join('');
    const found = known.get(key);
    if (found !== undefined) return found;
    const n = stones.filter((x) => x > 0).length;
    const lines = [
      [0, 1, 2],
      [3, 4, 5],
      [6, 7, 8],
      [0, 3, 6],
      [1, 4, 7],
      [2, 5, 8],
      [0, 4, 8],
      [2, 4, 6],
    ];
    const won = lines.find(([a = 0, b = 0, c = 0]) => stones[a] !== 0 && stones[a] === stones[b] && stones[a] === stones[c]);
    let result: readonly [number, number, number, number];
    if (won !== undefined) {
      const value = stones[won[0]!] === 1 ? 1 : -1;
      result = [value, value, value, value];
    } else if (n === 9) result = [0, 0, 0, 0];
    else {
      const first = n % 2 === 0;
      const children = stones.flatMap((x, i) => (x === 0 ? [visit(stones.with(i, first ? 1 : 2))] : []));
      const mean = (k: 1 | 2 | 3) => children.reduce((sum, v) => sum + v[k], 0) / children.length;
      const pick = (k: 0 | 2 | 3) => (first ? Math.max(...children.map((v) => v[k])) : Math.min(...children.map((v) => v[k])));
      result = [pick(0), mean(1), first ? pick(2) : mean(2), first ? mean(3) : pick(3)];
    }
    known.set(key, result);
    return result;
  };
  const [best, random, firstBest, secondBest] = visit(new Array<number>(9).fill(0));
  return { positions: known.size, best, random, firstBest, secondBest };
}

/** Value for the mover without any pruning or table. */
function plain(
  board: Board,
  stones: number[],
  player: number,
  depth: number,
  ply: number,
  outlook: (s: number[], p: number) => number,
): number {
  let best = -Infinity;
  for (let a = 0; a < board.actions; a++) {
    const cell = landing(board, stones, 0, a);
    if (cell < 0) continue;
    const next = stones.with(cell, player);
    let value: number;
    if (wins(board, next, 0, cell)) value = WIN - ply;
    else if (!next.includes(0)) value = 0;
    else if (depth <= 1) value = outlook(next, player);
    else value = -plain(board, next, 3 - player, depth - 1, ply + 1, outlook);
    best = Math.max(best, value);
  }
  return best;
}

function outlook(stones: number[], player: number): number {
  let sum = 0;
  for (let line = 0; line < C4.lines.length; line += 4) {
    const four = Array.from(C4.lines.subarray(line, line + 4), (cell) => stones[cell]!);
    const own = four.filter((x) => x === player).length;
    const other = four.filter((x) => x === 3 - player).length;
    if (own > 0 && other === 0) sum += 4 ** (own - 1);
    if (other > 0 && own === 0) sum -= 4 ** (other - 1);
  }
  return sum;
}

/** A position of connect four after random moves, undecided. */
function drawn(rng: Rng, moves: number): number[] {
  for (;;) {
    const stones = new Array<number>(42).fill(0);
    let over = false;
    for (let i = 0; i < moves && !over; i++) {
      let cell = -1;
      while (cell < 0) cell = landing(C4, stones, 0, rng.int(7));
      stones[cell] = 1 + (i % 2);
      over = wins(C4, stones, 0, cell);
    }
    if (!over) return stones;
  }
}

function world(entry: EnvEntry, config: object, batch = 1) {
  const env = entry.create(config, batch);
  const buffers = createBuffers(env.meta, batch);
  env.reset(
    Uint32Array.from({ length: batch }, (_, i) => i + 1),
    buffers,
  );
  return { env, buffers, actions: createActions(env.meta, batch) };
}

/** Plays one game move by move; returns the buffers after it. */
function playMoves(entry: EnvEntry, moves: readonly number[]): StepBuffers {
  const { env, buffers, actions } = world(entry, {});
  moves.forEach((move, i) => {
    expect(buffers.terminated[0], `before move ${i}`).toBe(0);
    expect(buffers.toMove?.[0]).toBe(i % 2);
    actions.fill(0);
    actions[i % 2] = move;
    env.step(actions, buffers);
  });
  return buffers;
}

describe('lines', () => {
  it('there are 8 in tic-tac-toe and 69 in connect four, all straight and inside', () => {
    expect(TTT.lines.length / 3).toBe(8);
    expect(C4.lines.length / 4).toBe(69);
    expect(new Set(Array.from({ length: 69 }, (_, i) => C4.lines.subarray(4 * i, 4 * i + 4).join())).size).toBe(69);
  });
});

describe('symmetries', () => {
  it.each([
    ['tic-tac-toe', TTT, 8],
    ['connect four', C4, 2],
    ['an oblong board', boardOf({ rows: 3, columns: 4, connect: 3, falls: false }), 4],
  ] as const)('%s: each leaves the lines and what is possible as they are, the first all', (_name, board, count) => {
    const found = symmetriesOf(board);
    expect(new Set(found.map(({ cells }) => cells.join())).size).toBe(count);
    expect(found[0]?.cells).toEqual(Int32Array.from({ length: board.cells }, (_, i) => i));
    const { connect } = board.game;
    const lines = (cells: ArrayLike<number>) =>
      new Set(
        Array.from({ length: board.lines.length / connect }, (_, k) =>
          Array.from(board.lines.subarray(k * connect, (k + 1) * connect), (cell) => cells[cell]!)
            .sort((a, b) => a - b)
            .join(),
        ),
      );
    const stones = Array.from({ length: board.cells }, (_, i) => (board.game.falls ? Number(i >= 7 * (i % 7) - 6) : Number(i % 3 === 0)));
    for (const { cells, actions } of found) {
      expect(lines(cells)).toEqual(lines(found[0]!.cells));
      const turned = Array.from(cells, (from) => stones[from]!);
      for (let a = 0; a < board.actions; a++) expect(landing(board, turned, 0, a) >= 0).toBe(landing(board, stones, 0, actions[a]!) >= 0);
    }
  });
});

describe('random openings', () => {
  it('none is the game as it was; five leave five stones, no line and the mover who is due', () => {
    const n = 300;
    const { env, buffers } = world(connectFour, { openings: 5 }, n);
    const boards = Array.from({ length: n }, (_, row) => (env.meta.state.toJSON(env.save(row)).cells as number[][]).flat());
    for (const [row, stones] of boards.entries()) {
      expect([1, 2].map((player) => stones.filter((x) => x === player).length)).toEqual([3, 2]);
      expect(buffers.toMove?.[row]).toBe(1);
    }
    expect(new Set(boards.map((stones) => stones.join())).size).toBeGreaterThan(250);
    expect(world(connectFour, {}).buffers.toMove?.[0]).toBe(0);
  });

  it('the agent is to move at once, in the seat that is drawn, after the answer that is due', () => {
    const n = 200;
    for (const openings of [4, 5]) {
      const { env, buffers } = world(connectFour, { opponent: 'expert', depth: 2, opponentStarts: 'drawn', openings }, n);
      let second = 0;
      for (let row = 0; row < n; row++) {
        const { cells, seat } = env.meta.state.toJSON(env.save(row));
        const stones = (cells as number[][]).flat();
        const placed = stones.filter((x) => x > 0).length;
        expect(placed % 2).toBe(seat);
        expect(placed).toBe(openings + (seat === openings % 2 ? 0 : 1));
        expect(decided(C4, stones, 0)).toBe(false);
        expect(buffers.obs[row * 126 + 2]).toBe(1);
        second += seat as number;
      }
      expect(Math.abs(second / n - 0.5)).toBeLessThan(0.15);
    }
  });

  it('so many that a line could be complete are refused', () => {
    expect(() => ticTacToe.meta({ openings: 4 })).toThrow(/at most 3|complete a line/);
    expect(() => ticTacToe.meta({ openings: 3 })).not.toThrow();
    expect(connectFour.meta({ openings: 1 }).references).toEqual([]);
  });
});

describe('tic-tac-toe', () => {
  const exact = solve();

  it('has 5,478 positions and is a draw; the stated values are those of the whole tree', () => {
    expect(exact.positions).toBe(5478);
    expect(exact.best).toBe(0);
    const value = (config: object, name: string) => ticTacToe.meta(config).references.find((r) => r.name === name)?.value as number;
    expect(value({}, 'random')).toBeCloseTo(exact.random, 6);
    expect(value({ opponent: 'random' }, 'optimal')).toBeCloseTo(exact.firstBest, 6);
    expect(value({ opponent: 'random', opponentStarts: 'always' }, 'optimal')).toBeCloseTo(-exact.secondBest, 6);
  });

  it('the expert draws against itself and against every possible opponent never loses', () => {
    const { env, buffers, actions } = world(ticTacToe, {});
    const { expert } = ticTacToe.policies({});
    while (buffers.terminated[0] === 0) {
      expert?.act(env, buffers, actions);
      env.step(actions, buffers);
    }
    expect(Array.from(buffers.reward)).toEqual([0, 0]);
    // all games in which one side is the expert and the other does anything
    const searcher = new Searcher(TTT, 9);
    const worst = (stones: number[], expertIs: number): number => {
      const player = stones.filter((x) => x > 0).length % 2 === 0 ? 1 : 2;
      const moves = player === expertIs ? [searcher.best(stones, 0, player).action] : stones.flatMap((x, i) => (x === 0 ? [i] : []));
      return Math.min(
        ...moves.map((cell) => {
          const next = stones.with(cell, player);
          if (wins(TTT, next, 0, cell)) return player === expertIs ? 1 : -1;
          return next.includes(0) ? worst(next, expertIs) : 0;
        }),
      );
    };
    expect(worst(new Array<number>(9).fill(0), 1)).toBe(0);
    expect(worst(new Array<number>(9).fill(0), 2)).toBe(0);
  });

  it('three in a row wins, a full board draws', () => {
    expect(Array.from(playMoves(ticTacToe, [0, 3, 1, 4, 2]).reward)).toEqual([1, -1]);
    expect(Array.from(playMoves(ticTacToe, [0, 2, 1, 4, 8, 6]).reward)).toEqual([-1, 1]);
    const draw = playMoves(ticTacToe, [0, 1, 2, 4, 3, 5, 7, 6, 8]);
    expect([draw.terminated[0], draw.toMove?.[0], ...draw.reward]).toEqual([1, -1, 0, 0]);
  });

  it('shows each its own stones, whose turn it is, and what is free', () => {
    const b = playMoves(ticTacToe, [4, 0]);
    const plane = (agent: number, k: number) => Array.from({ length: 9 }, (_, i) => b.obs[agent * 27 + i * 3 + k]);
    const only = (cell: number) => Array.from({ length: 9 }, (_, i) => Number(i === cell));
    expect([plane(0, 0), plane(0, 1)]).toEqual([only(4), only(0)]);
    expect([plane(1, 0), plane(1, 1)]).toEqual([only(0), only(4)]);
    expect(plane(0, 2)).toEqual(new Array(9).fill(1));
    expect(plane(1, 2)).toEqual(new Array(9).fill(0));
    expect(Array.from(b.mask ?? [])).toEqual([0, 1, 1, 1, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
  });

  it('an occupied cell counts as the first free one', () => {
    const b = playMoves(ticTacToe, [0, 0]);
    expect([b.obs[0], b.obs[4]]).toEqual([1, 1]); // own stone in cell 0, the other's in cell 1
  });

  it('against an opponent one agent plays, first or second', () => {
    const first = world(ticTacToe, { opponent: 'expert' });
    expect(first.env.meta.agentCount).toBe(1);
    first.env.step(Int32Array.of(0), first.buffers);
    expect(first.buffers.obs.filter((x, i) => i % 3 < 2 && x === 1)).toHaveLength(2);
    const second = world(ticTacToe, { opponent: 'expert', opponentStarts: 'always' });
    expect(second.buffers.obs.filter((x, i) => i % 3 === 1 && x === 1)).toHaveLength(1);
    const n = 4000;
    const drawnStart = world(ticTacToe, { opponent: 'random', opponentStarts: 'drawn' }, n);
    let starts = 0;
    for (let row = 0; row < n; row++) starts += drawnStart.env.meta.state.toJSON(drawnStart.env.save(row)).seat as number;
    expect(Math.abs(starts / n - 0.5)).toBeLessThan(0.04);
  });

  it('random opponents move uniformly (chi-square over the nine cells, 100,000 draws)', () => {
    const n = 10_000;
    const counts = new Float64Array(9);
    const { env, buffers } = world(ticTacToe, { opponent: 'random', opponentStarts: 'always' }, n);
    for (let round = 0; round < 10; round++) {
      for (let row = 0; row < n; row++)
        for (let cell = 0; cell < 9; cell++) if (buffers.obs[row * 27 + cell * 3 + 1] === 1) counts[cell]!++;
      env.restart(new Uint8Array(n).fill(1), buffers);
    }
    const expected = (10 * n) / 9;
    expect(counts.reduce((sum, x) => sum + (x - expected) ** 2 / expected, 0)).toBeLessThan(31.8); // 8 degrees, p = 1e-4
  });
});

describe('connect four', () => {
  it.each([
    ['four above each other', [0, 1, 0, 1, 0, 1, 0]],
    ['four beside each other', [0, 0, 1, 1, 2, 2, 3]],
    ['rising', [0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3]],
    ['falling', [6, 5, 5, 4, 4, 3, 4, 3, 3, 0, 3]],
  ])('%s wins', (_name, moves) => {
    expect(Array.from(playMoves(connectFour, moves).reward)).toEqual([1, -1]);
  });

  it('a full column is masked', () => {
    const b = playMoves(connectFour, [0, 0, 0, 0, 0, 0]);
    expect(Array.from(b.mask?.subarray(0, 7) ?? [])).toEqual([0, 1, 1, 1, 1, 1, 1]);
    expect(Array.from(b.mask?.subarray(7) ?? [])).toEqual([1, 0, 0, 0, 0, 0, 0]);
  });

  it('the search finds the value that plain minimax finds', () => {
    const rng = Rng.from(4);
    for (let i = 0; i < 6; i++) {
      const moves = 6 + rng.int(20);
      const stones = drawn(rng, moves);
      const player = 1 + (moves % 2);
      for (const depth of [1, 2, 4])
        expect(new Searcher(C4, depth).best(stones, 0, player).value).toBe(plain(C4, stones, player, depth, 1, outlook));
    }
  });

  it('wins at once when it can, blocks when it must, and sees a fork coming', () => {
    const position = (moves: readonly number[]) => {
      const stones = new Array<number>(42).fill(0);
      moves.forEach((a, i) => {
        stones[landing(C4, stones, 0, a)] = 1 + (i % 2);
      });
      return stones;
    };
    expect(new Searcher(C4, 4).best(position([0, 6, 0, 6, 0, 5]), 0, 1)).toEqual({ action: 0, value: WIN - 1 });
    expect(new Searcher(C4, 4).best(position([0, 6, 0, 6, 0]), 0, 2).action).toBe(0);
    // two in the middle of an open bottom row: a third makes two threats at once
    expect(new Searcher(C4, 4).best(position([3, 3, 2, 2]), 0, 1).value).toBe(WIN - 3);
  });

  it('deep in the game its search is to the end: exact', () => {
    const rng = Rng.from(9);
    for (let i = 0; i < 3; i++) {
      const stones = drawn(rng, 34);
      const end = new Searcher(C4, 8).best(stones, 0, 1).value;
      expect(Math.sign(end)).toBe(Math.sign(plain(C4, stones, 1, 8, 1, outlook)));
      expect(end === 0 || WIN - Math.abs(end) <= 8).toBe(true);
    }
  });

  it('the expert beats random moves in all of 40 games, and a shallow one from both sides', () => {
    const n = 40;
    const { env, buffers, actions } = world(connectFour, { opponent: 'random' }, n);
    const { expert } = connectFour.policies({ depth: 4 });
    let won = 0;
    const over = new Uint8Array(n);
    for (let t = 0; t < 21; t++) {
      expert?.act(env, buffers, actions);
      env.step(actions, buffers);
      for (let row = 0; row < n; row++) {
        if (over[row] === 0 && buffers.terminated[row] === 1) won += buffers.reward[row]!;
        over[row] = over[row]! | buffers.terminated[row]!;
      }
      env.restart(buffers.terminated, buffers);
    }
    expect(won).toBe(n);
    for (const deepIs of [1, 2]) {
      const stones = new Array<number>(42).fill(0);
      let winner = 0;
      for (let i = 0; i < 42 && winner === 0; i++) {
        const player = 1 + (i % 2);
        const { action } = new Searcher(C4, player === deepIs ? 6 : 1).best(stones, 0, player);
        const cell = landing(C4, stones, 0, action);
        stones[cell] = player;
        if (wins(C4, stones, 0, cell)) winner = player;
      }
      expect(winner).toBe(deepIs);
    }
  });

  it('refuses boards that cannot be', () => {
    const { env, buffers } = world(connectFour, {});
    const load = (change: (cells: number[][]) => void) => {
      const cells = Array.from({ length: 6 }, () => new Array<number>(7).fill(0));
      change(cells);
      return () => env.load(0, env.meta.state.fromJSON({ cells }), buffers);
    };
    const set = (cells: number[][], y: number, x: number, v: number) => {
      cells[y]![x] = v;
    };
    expect(load((c) => set(c, 5, 3, 1))).not.toThrow();
    expect(load((c) => set(c, 4, 3, 1))).toThrow(LabError); // floats
    expect(load((c) => set(c, 5, 3, 2))).toThrow(LabError); // second player moved first
    expect(load((c) => set(c, 5, 3, 3))).toThrow(LabError);
  });
});
