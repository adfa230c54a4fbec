/**
 * Makes a registry entry of a line game. Two agents in turn, or with an `opponent` one agent that plays against it. Obs per agent
 * [rows, columns, 3] of 0 and 1: own stones, the other's, and all 1 when it is its turn. The mask leaves the player who waits action 0
 * only, which does nothing; `toMove` says whose turn it is. An action without room counts as the first one with room.
 * Reward at the end: +1 won, -1 lost, 0 drawn. With `openings` the first moves of a game are random ones, drawn anew at every start: so many at
 * most that no line is complete before play begins, also after the opponent's first answer. Throws LabError('state-invalid') for boards
 * that cannot come up in play, LabError('config-invalid') for more openings than that.
 */
import { z } from 'zod';
import type { Preset, Source } from '#contract/catalog/catalog.ts';
import type { GridLayout } from '#contract/game/frames.ts';
import { fail } from '#contract/kit/errors.ts';
import { checkCell } from '#core/envs/api/checks.ts';
import { defineEnv } from '#core/envs/api/define.ts';
import { Draws } from '#core/envs/api/draws.ts';
import { assemble } from '#core/envs/api/environment.ts';
import { badConfig } from '#core/envs/api/parse.ts';
import { joinSeats } from '#core/envs/api/seats.ts';
import { allocateRows, defineState } from '#core/envs/api/state.ts';
import type { EnvEntry, EnvMeta, ScriptedPolicy, StepBuffers } from '#core/envs/api/types.ts';
import { Rng } from '#math/rng.ts';
import { type Board, boardOf, decided, type LineGame, landing, symmetriesOf, wins } from './lines.ts';
import { outlook, Searcher } from './search.ts';

/** Settings that every board game has. */
export const opponentShape = {
  opponent: z.enum(['none', 'random', 'expert']).default('none').meta({
    title: 'opponent',
    description: 'None: two agents play each other. Else one agent plays against random moves or against the expert.',
  }),
  opponentStarts: z.enum(['never', 'always', 'drawn']).default('never').meta({
    title: 'opponent starts',
    description: 'Whether the opponent, if there is one, makes the first move.',
  }),
  openings: z.int().min(0).max(5).default(0).meta({
    title: 'random opening',
    unit: 'moves',
    description: 'Random moves of both before play begins, so that players without chance play different games.',
  }),
};
interface Opponent {
  readonly opponent: 'none' | 'random' | 'expert';
  readonly opponentStarts: 'never' | 'always' | 'drawn';
  readonly openings: number;
}

export interface BoardEntry<C extends Opponent> {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly source: Source;
  readonly config: z.ZodType<C>;
  readonly presets: readonly Preset[];
  readonly game: (c: C) => LineGame;
  /** Moves that the expert looks ahead. */
  readonly depth: (c: C) => number;
  readonly labels: (board: Board) => readonly string[];
  readonly keys: (board: Board) => EnvMeta['keys'];
  readonly references: (c: C) => EnvMeta['references'];
  /** Look of the stones of both players, with their colours. */
  readonly stones: readonly [GridLayout['looks'][number], GridLayout['looks'][number]];
  /** Lying or upright. */
  readonly stage: 'board' | 'rack';
  readonly colours: readonly [number, number];
}

const PLANES = 3;

/** Expert for positions as an agent sees them; the same position is searched once. */
class Expert {
  private readonly searcher: Searcher;
  private readonly stones: Uint8Array;
  private readonly known = new Map<string, number>();

  constructor(board: Board, depth: number) {
    this.searcher = new Searcher(board, depth);
    this.stones = new Uint8Array(board.cells);
  }

  act(stones: ArrayLike<number>, at: number, player: number): number {
    const own = this.stones;
    // own stones are 1 here, so that both colours share what is known
    for (let i = 0; i < own.length; i++) own[i] = stones[at + i] === 0 ? 0 : stones[at + i] === player ? 1 : 2;
    const key = own.join('');
    const found = this.known.get(key);
    if (found !== undefined) return found;
    const { action } = this.searcher.best(own, 0, 1);
    if (this.known.size > 50_000) this.known.clear();
    this.known.set(key, action);
    return action;
  }
}

/** Plays for every agent whose turn it is; the one who waits does action 0. */
function policyOf(board: Board, choose: (stones: Uint8Array) => number): ScriptedPolicy {
  const stones = new Uint8Array(board.cells);
  const size = board.cells * PLANES;
  return {
    act(env, { obs }, out) {
      for (let slot = 0; slot < env.batch * env.meta.agentCount; slot++) {
        out[slot] = 0;
        if (obs[slot * size + 2] !== 1) continue;
        for (let cell = 0; cell < board.cells; cell++) {
          const at = slot * size + cell * PLANES;
          stones[cell] = obs[at] === 1 ? 1 : obs[at + 1] === 1 ? 2 : 0;
        }
        out[slot] = choose(stones);
      }
    },
  };
}

export function defineBoard<C extends Opponent>(entry: BoardEntry<C>): EnvEntry {
  const stateOf = (board: Board) =>
    defineState(
      1,
      [
        { name: 'cells', type: 'u32', shape: [board.game.rows, board.game.columns], doc: '0 free, 1 first player, 2 second player' },
        { name: 'seat', type: 'u32', shape: [], doc: 'with an opponent: 0 if the agent is the first player, 1 if the second' },
      ],
      ['seat'],
    );
  const meta = (c: C): EnvMeta => {
    const board = boardOf(entry.game(c));
    const { rows, columns, connect } = board.game;
    // no player has more than connect - 2 stones then, so that one answer completes no line
    const most = 2 * connect - 3;
    if (c.openings > most) throw badConfig('openings', `${c.openings} moves may complete a line of ${connect}.`, `Take at most ${most}.`);
    const alone = c.opponent !== 'none';
    const frame: GridLayout = {
      kind: 'grid',
      width: columns,
      height: rows,
      agents: 0,
      headings: false,
      stage: entry.stage,
      looks: ['empty', ...entry.stones],
      colours: ['red', 'green', 'blue', 'purple', 'yellow', 'grey'],
      view: 0,
    };
    return {
      id: entry.id,
      version: 1,
      agents: [
        {
          count: alone ? 1 : 2,
          names: alone ? ['player'] : ['first player', 'second player'],
          obs: { kind: 'box', shape: [rows, columns, PLANES], low: 0, high: 1 },
          action: { kind: 'discrete', n: board.actions, labels: entry.labels(board) },
        },
      ],
      agentCount: alone ? 1 : 2,
      obsSize: board.cells * PLANES,
      actionSize: 1,
      actionCount: board.actions,
      rewards: ['reward'],
      costs: [],
      globalSize: alone ? 0 : board.cells * PLANES,
      masked: true,
      turns: !alone,
      searchable: true,
      score: [0], // zero-sum: what the first player wins
      gamma: 1,
      maxSteps: 0,
      evalMaxSteps: board.cells,
      state: stateOf(board),
      frame,
      references: c.openings === 0 ? entry.references(c) : [],
      keys: entry.keys(board),
      idleAction: null,
      fps: 3,
    };
  };
  return defineEnv<C>({
    spec: {
      id: entry.id,
      version: 1,
      title: entry.title,
      summary: entry.summary,
      source: entry.source,
      config: entry.config,
      presets: entry.presets,
      meta,
    },
    create(c, batch, options) {
      const board = boardOf(entry.game(c));
      const m = meta(c);
      const { cells, actions: N } = board;
      const A = m.agentCount;
      const alone = A === 1;
      const rows = allocateRows(stateOf(board), batch);
      const { words, wordStride } = rows;
      const draws = new Draws(rows.rng, options?.draws);
      const expert = c.opponent === 'expert' ? new Expert(board, entry.depth(c)) : null;
      const size = cells * PLANES;
      const SEAT = cells;
      const count = (s: number) => {
        let n = 0;
        for (let i = s; i < s + cells; i++) if (words[i]! > 0) n++;
        return n;
      };
      /** 0 or 1 to move, -1 when the game is over. */
      const turn = (s: number) => {
        const n = count(s);
        return n === cells || decided(board, words, s) ? -1 : n % 2;
      };
      const write = (s: number, seat: number, mover: number, target: Float32Array, at: number) => {
        const turnOf = mover === seat ? 1 : 0;
        for (let cell = 0, to = at; cell < cells; cell++, to += PLANES) {
          const stone = words[s + cell]!;
          target[to] = stone === seat + 1 ? 1 : 0;
          target[to + 1] = stone === 2 - seat ? 1 : 0;
          target[to + 2] = turnOf;
        }
      };
      const observe = (row: number, out: StepBuffers, mover = turn(row * wordStride)) => {
        const s = row * wordStride;
        for (let agent = 0; agent < A; agent++) {
          const seat = alone ? words[s + SEAT]! : agent;
          const slot = row * A + agent;
          write(s, seat, mover, out.obs, slot * size);
          if (out.alive) out.alive[slot] = 1;
          if (!out.mask) continue;
          // where stones fall, a column has room while its topmost cell, one of the first row, is free
          for (let a = 0; a < N; a++) out.mask[slot * N + a] = Number(mover === seat ? words[s + a] === 0 : a === 0);
        }
        if (out.state && alone) write(s, 0, mover, out.state, row * size);
        else if (out.state) out.state.set(out.obs.subarray(row * A * size, (row * A + 1) * size), row * size);
        if (out.toMove) out.toMove[row] = mover;
      };
      /** Puts a stone; 1 if it wins, 0 if the board is full, -1 if the game goes on. */
      const put = (s: number, player: number, action: number): number => {
        let cell = landing(board, words, s, action);
        for (let a = 0; cell < 0; a++) cell = landing(board, words, s, a);
        words[s + cell] = player;
        if (wins(board, words, s, cell)) return 1;
        return count(s) === cells ? 0 : -1;
      };
      const atRandom = (row: number, s: number, player: number, name: string): number => {
        let room = 0;
        for (let a = 0; a < N; a++) if (landing(board, words, s, a) >= 0) room++;
        let pick = draws.int(row, room, name);
        let action = 0;
        for (; action < N; action++) if (landing(board, words, s, action) >= 0 && pick-- === 0) break;
        return put(s, player, action);
      };
      const answer = (row: number, s: number, player: number): number =>
        expert === null ? atRandom(row, s, player, 'opponent') : put(s, player, expert.act(words, s, player));
      return assemble(m, batch, rows, {
        start(row) {
          const s = row * wordStride;
          words.fill(0, s, s + cells + 1);
          for (let k = 0; k < c.openings; k++) atRandom(row, s, 1 + (k % 2), 'opening');
          if (!alone) return;
          const second = c.opponentStarts === 'always' || (c.opponentStarts === 'drawn' && draws.int(row, 2, 'who starts') === 1);
          words[s + SEAT] = second ? 1 : 0;
          const mover = c.openings % 2;
          if (words[s + SEAT] !== mover) answer(row, s, 1 + mover);
        },
        step(actions, out) {
          for (let row = 0; row < batch; row++) {
            const s = row * wordStride;
            const seat = count(s) % 2;
            let result = put(s, seat + 1, actions[row * A + (alone ? 0 : seat)]!);
            let winner = result === 1 ? seat : -1;
            if (alone && result === -1) {
              result = answer(row, s, 2 - seat);
              if (result === 1) winner = 1 - seat;
            }
            for (let agent = 0; agent < A; agent++)
              out.reward[row * A + agent] = winner < 0 ? 0 : winner === (alone ? seat : agent) ? 1 : -1;
            out.terminated[row] = result === -1 ? 0 : 1;
            out.truncated[row] = 0;
            observe(row, out, result === -1 ? count(s) % 2 : -1);
          }
        },
        observe: (row, out) => observe(row, out),
        loaded(row) {
          const s = row * wordStride;
          checkCell(words[s + SEAT]!, 2, 'seat');
          let balance = 0;
          for (let cell = 0; cell < cells; cell++) {
            const stone = words[s + cell]!;
            checkCell(stone, 3, 'cells');
            balance += stone === 1 ? 1 : stone === 2 ? -1 : 0;
            const below = cell + board.game.columns;
            if (board.game.falls && stone > 0 && below < cells && words[s + below] === 0)
              throw fail('state-invalid', 'State field "cells" has a stone in the air.', 'Stack stones from the bottom.', 'cells');
          }
          if (balance !== 0 && balance !== 1)
            throw fail('state-invalid', 'State field "cells" has the wrong number of stones.', 'Players move in turn, 1 first.', 'cells');
          if (alone && turn(s) >= 0 && turn(s) !== words[s + SEAT])
            throw fail('state-invalid', 'It is not the turn of the agent.', 'Change "seat", or move a stone.', 'seat');
        },
        frame(row, out) {
          out.fill(0);
          for (let cell = 0; cell < cells; cell++) {
            const stone = words[row * wordStride + cell]!;
            out[3 * cell] = stone;
            out[3 * cell + 1] = stone === 0 ? 0 : entry.colours[stone === 1 ? 0 : 1]!;
          }
        },
      });
    },
    lookAhead(c) {
      const board = boardOf(entry.game(c));
      const spec = stateOf(board);
      const stones = new Uint32Array(board.cells);
      return {
        config: joinSeats({ ...c, opponent: 'none', opponentStarts: 'never' }, null),
        symmetries: symmetriesOf(board).map(({ cells, actions }) => ({
          obs: Int32Array.from({ length: board.cells * PLANES }, (_, i) => cells[Math.floor(i / PLANES)]! * PLANES + (i % PLANES)),
          actions,
        })),
        state(obs, at) {
          if (obs[at + 2] !== 1) return null;
          let [own, other] = [0, 0];
          for (let cell = 0; cell < board.cells; cell++) {
            if (obs[at + cell * PLANES] === 1) own++;
            if (obs[at + cell * PLANES + 1] === 1) other++;
          }
          const mine = own === other ? 1 : 2; // the first player moves where both have as many
          for (let cell = 0; cell < board.cells; cell++) {
            const place = at + cell * PLANES;
            stones[cell] = obs[place] === 1 ? mine : obs[place + 1] === 1 ? 3 - mine : 0;
          }
          const { rows, columns } = board.game;
          return spec.fromJSON({
            cells: Array.from({ length: rows }, (_, y) => Array.from(stones.subarray(y * columns, (y + 1) * columns))),
            seat: 0,
          });
        },
        outlook(state) {
          const cells = (spec.toJSON(state).cells as number[][]).flat();
          const placed = cells.filter((stone) => stone > 0).length;
          const lines = outlook(board, cells, 1 + (placed % 2));
          return lines / (16 + Math.abs(lines)); // two stones in an open line count 4, three 16
        },
      };
    },
    policies: {
      expert(c) {
        const board = boardOf(entry.game(c));
        const expert = new Expert(board, entry.depth(c));
        return policyOf(board, (stones) => expert.act(stones, 0, 1));
      },
      random(c) {
        const board = boardOf(entry.game(c));
        const rng = Rng.from(0).split(entry.id);
        return policyOf(board, (stones) => {
          const room = Array.from({ length: board.actions }, (_, a) => a).filter((a) => landing(board, stones, 0, a) >= 0);
          return room[rng.int(room.length)]!;
        });
      },
    },
  });
}
