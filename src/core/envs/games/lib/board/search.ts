/**
 * Negamax with alpha-beta pruning and a transposition table (Knuth and Moore 1975; hashing of Zobrist 1970) to a fixed depth. To the
 * depth of all free cells it is perfect play. Values: WIN - ply for a win found `ply` moves ahead, 0 for a draw, in between the lines
 * still open to either side, weighted by the stones in them. The table is forgotten between searches, so a position always
 * gets the same answer, whatever was asked before.
 */
import { Rng } from '#math/rng.ts';
import { type Board, landing, wins } from './lines.ts';

export const WIN = 10_000;
const EXACT = 0;
const AT_LEAST = 1;
const AT_MOST = 2;
const TABLE = 1 << 16;

export class Searcher {
  readonly board: Board;
  readonly depth: number;
  private readonly stones: Int8Array;
  private free = 0;
  private readonly zobrist: Uint32Array; // [2 words, cell, player]
  private low = 0;
  private high = 0;
  private generation = 0;
  private readonly tableHigh = new Uint32Array(TABLE);
  private readonly tableGeneration = new Uint32Array(TABLE);
  private readonly tableValue = new Int16Array(TABLE);
  private readonly tableDepth = new Int8Array(TABLE);
  private readonly tableFlag = new Uint8Array(TABLE);
  private readonly tableMove = new Int8Array(TABLE);
  /** Positions looked at in the last search. */
  nodes = 0;

  constructor(board: Board, depth: number) {
    this.board = board;
    this.depth = depth;
    this.stones = new Int8Array(board.cells);
    const rng = Rng.from(board.cells).split('zobrist');
    this.zobrist = Uint32Array.from({ length: 4 * board.cells }, () => rng.next());
  }

  /**
   * Value of a position for the player to move (1 or 2), and its best action, the first of equals counted from the middle.
   * `stones[at..]` is the board; it must not be decided or full.
   */
  best(stones: ArrayLike<number>, at: number, player: number): { readonly action: number; readonly value: number } {
    this.low = 0;
    this.high = 0;
    this.free = 0;
    this.nodes = 0;
    this.generation++;
    for (let cell = 0; cell < this.board.cells; cell++) {
      const stone = stones[at + cell]!;
      this.stones[cell] = stone;
      if (stone === 0) this.free++;
      else this.toggle(cell, stone);
    }
    let best = -Infinity;
    let action = -1;
    for (const a of this.board.order) {
      const value = this.tryMove(a, player, this.depth, best === -Infinity ? -WIN : best, WIN, 1);
      if (value > best) {
        best = value;
        action = a;
      }
    }
    return { action, value: best };
  }

  private toggle(cell: number, player: number): void {
    const i = 2 * (2 * cell + player - 1);
    this.low = (this.low ^ this.zobrist[i]!) >>> 0;
    this.high = (this.high ^ this.zobrist[i + 1]!) >>> 0;
  }

  /** Value of an action for the one who does it, within (alpha, beta); -Infinity if it is not possible. `ply` moves since the root. */
  private tryMove(action: number, player: number, depth: number, alpha: number, beta: number, ply: number): number {
    const cell = landing(this.board, this.stones, 0, action);
    if (cell < 0) return -Infinity;
    this.stones[cell] = player;
    this.free--;
    this.toggle(cell, player);
    let value: number;
    if (wins(this.board, this.stones, 0, cell)) value = WIN - ply;
    else if (this.free === 0) value = 0;
    else if (depth <= 1) value = outlook(this.board, this.stones, player);
    else value = -this.search(3 - player, depth - 1, -beta, -alpha, ply + 1);
    this.toggle(cell, player);
    this.free++;
    this.stones[cell] = 0;
    return value;
  }

  private search(player: number, depth: number, from: number, to: number, ply: number): number {
    this.nodes++;
    let alpha = from;
    let beta = to;
    const slot = (this.low & (TABLE - 1)) >>> 0;
    // a position is always met with the same player to move and at the same ply: stones only get more
    let first = -1;
    if (this.tableGeneration[slot] === this.generation && this.tableHigh[slot] === this.high) {
      first = this.tableMove[slot]!;
      if (this.tableDepth[slot]! >= depth) {
        const value = this.tableValue[slot]!;
        const flag = this.tableFlag[slot];
        if (flag === EXACT) return value;
        if (flag === AT_LEAST) alpha = Math.max(alpha, value);
        else beta = Math.min(beta, value);
        if (alpha >= beta) return value;
      }
    }
    const floor = alpha;
    let best = -Infinity;
    let move = -1;
    const { order } = this.board;
    for (let i = first >= 0 ? -1 : 0; i < order.length; i++) {
      const action = i < 0 ? first : order[i]!;
      if (i >= 0 && action === first) continue;
      const value = this.tryMove(action, player, depth, alpha, beta, ply);
      if (value > best) {
        best = value;
        move = action;
      }
      alpha = Math.max(alpha, value);
      if (alpha >= beta) break;
    }
    this.tableGeneration[slot] = this.generation;
    this.tableHigh[slot] = this.high;
    this.tableValue[slot] = best;
    this.tableDepth[slot] = depth;
    this.tableFlag[slot] = best <= floor ? AT_MOST : best >= beta ? AT_LEAST : EXACT;
    this.tableMove[slot] = move;
    return best;
  }
}

/** Lines that only one side has stones in, 4^(stones - 1) each, own minus the other's. */
export function outlook(board: Board, stones: ArrayLike<number>, player: number): number {
  const { lines } = board;
  const { connect } = board.game;
  let sum = 0;
  for (let line = 0; line < lines.length; line += connect) {
    let own = 0;
    let other = 0;
    for (let k = line; k < line + connect; k++) {
      const stone = stones[lines[k]!]!;
      if (stone === player) own++;
      else if (stone !== 0) other++;
    }
    if (own > 0 && other === 0) sum += 1 << (2 * own - 2);
    else if (other > 0 && own === 0) sum -= 1 << (2 * other - 2);
  }
  return sum;
}
