/**
 * The tree of a Monte Carlo search: visits N, summed values W and priors P of every move from every position met, values in the view of
 * the player who makes the move. Chosen on the way down is the largest
 *   PUCT  Q + c P sqrt(sum N) / (1 + N), unvisited Q = 0    (Rosin 2011; Silver et al. 2017)
 *   UCT   Q + c sqrt(ln(sum N) / N), unvisited first         (Kocsis & Szepesvari 2006)
 */
import { log, pow } from '#math/functions.ts';
import type { SearchedMove } from '../../api/types.ts';

export type Rule = 'PUCT' | 'UCT';

/** Of one move; `total`: visits of all moves from there. */
export function score(rule: Rule, n: number, w: number, p: number, total: number, c: number): number {
  if (rule === 'UCT') return n === 0 ? Number.POSITIVE_INFINITY : w / n + c * Math.sqrt(log(total) / n);
  return (n === 0 ? 0 : w / n) + (c * p * Math.sqrt(total)) / (1 + n);
}

/** The best of `moves`; among equals the one of largest prior, then the first. Arrays by move from `at` on. */
export function choose(
  rule: Rule,
  moves: ArrayLike<number>,
  { N, W, P }: { readonly N: ArrayLike<number>; readonly W: ArrayLike<number>; readonly P: ArrayLike<number> },
  at: number,
  c: number,
): number {
  let total = 0;
  for (let i = 0; i < moves.length; i++) total += N[at + moves[i]!]!;
  let best = -1;
  let most = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < moves.length; i++) {
    const a = moves[i]!;
    const found = score(rule, N[at + a]!, W[at + a]!, P[at + a]!, total, c);
    if (found < most || (found === most && P[at + a]! <= P[at + best]!)) continue;
    best = a;
    most = found;
  }
  return best;
}

/** (1 - share) P + share noise: what the root's priors become while it learns. */
export const mixNoise = (priors: ArrayLike<number>, noise: ArrayLike<number>, share: number): number[] =>
  Array.from(priors, (p, a) => (1 - share) * p + share * noise[a]!);

/** Chances N^(1 / temperature), normalised; temperature 0: all on the first most visited. */
export function visitPolicy(visits: ArrayLike<number>, temperature: number): number[] {
  const most = Math.max(...Array.from(visits));
  if (temperature === 0) {
    const first = Array.from(visits).indexOf(most);
    return Array.from(visits, (_, a) => (a === first ? 1 : 0));
  }
  const weights = Array.from(visits, (n) => (n === 0 ? 0 : temperature === 1 ? n / most : pow(n / most, 1 / temperature)));
  const sum = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => weight / sum);
}

export class SearchTree {
  /** By position and move, [positions, N]. */
  readonly N: Float64Array;
  readonly W: Float64Array;
  readonly P: Float64Array;
  private readonly child: Int32Array; // position, -1: not tried
  private readonly states: Uint8Array[] = [];
  private readonly moves: (readonly number[])[] = []; // legal ones; none where the game is over
  private readonly results: (number | null)[] = []; // of the player who moved there
  private readonly path: number[] = []; // entries of N and W on the way down
  readonly actions: number;

  /** Room for a root and `simulations` more positions. */
  constructor(actions: number, simulations: number, root: Uint8Array) {
    const size = (simulations + 1) * actions;
    this.actions = actions;
    this.N = new Float64Array(size);
    this.W = new Float64Array(size);
    this.P = new Float64Array(size);
    this.child = new Int32Array(size).fill(-1);
    this.states.push(root);
    this.results.push(null);
    this.moves.push([]);
  }

  /** Of position `at` (0: the root): its legal moves and their priors, from chances by move. */
  expand(at: number, moves: readonly number[], priors: ArrayLike<number>, from = 0): void {
    let sum = 0;
    for (const a of moves) sum += priors[from + a]!;
    for (const a of moves) this.P[at * this.actions + a] = sum > 0 ? priors[from + a]! / sum : 1 / moves.length;
    this.moves[at] = moves;
  }

  /** Mixes noise, one number per legal move of the root, into its priors. */
  disturb(noise: readonly number[], share: number): void {
    const moves = this.moves[0]!;
    const mixed = mixNoise(
      moves.map((a) => this.P[a]!),
      noise,
      share,
    );
    moves.forEach((a, i) => {
      this.P[a] = mixed[i]!;
    });
  }

  /** Goes down to a move that was not tried, or to an end, which is then counted and gives null. */
  descend(rule: Rule, c: number): { readonly state: Uint8Array; readonly move: number } | null {
    this.path.length = 0;
    for (let at = 0; ; ) {
      const move = choose(rule, this.moves[at]!, this, at * this.actions, c);
      const edge = at * this.actions + move;
      this.path.push(edge);
      const next = this.child[edge]!;
      if (next < 0) return { state: this.states[at]!, move };
      const result = this.results[next]!;
      if (result !== null) {
        this.back(result);
        return null;
      }
      at = next;
    }
  }

  /** The move that descend gave led here; its number. */
  attach(state: Uint8Array, result: number | null): number {
    const at = this.states.length;
    this.child[this.path[this.path.length - 1]!] = at;
    this.states.push(state);
    this.results.push(result);
    this.moves.push([]);
    return at;
  }

  /** Counts a value for the player who made the last move of the way down; players alternate on the way up. */
  back(value: number): void {
    for (let i = this.path.length - 1, v = value; i >= 0; i--, v = -v) {
      const edge = this.path[i]!;
      this.N[edge]!++;
      this.W[edge]! += v;
    }
  }

  /** Visits of the root's moves, [actions]. */
  visits(): Float64Array {
    return this.N.slice(0, this.actions);
  }

  /** Mean value of a position for the player to move, by the visits of its moves; 0 where none was tried. */
  value(at = 0): number {
    let [n, w] = [0, 0];
    for (let e = at * this.actions; e < (at + 1) * this.actions; e++) {
      n += this.N[e]!;
      w += this.W[e]!;
    }
    return n === 0 ? 0 : w / n;
  }

  /** The moves tried from the root to `depth` moves ahead, most visited first among each other's siblings. */
  report(depth: number): SearchedMove[] {
    const out: SearchedMove[] = [];
    const visit = (at: number, parent: number, left: number): void => {
      const tried = (this.moves[at] ?? []).filter((a) => this.N[at * this.actions + a]! > 0);
      tried.sort((a, b) => this.N[at * this.actions + b]! - this.N[at * this.actions + a]! || a - b);
      for (const move of tried) {
        const edge = at * this.actions + move;
        const next = this.child[edge]!;
        const visits = this.N[edge]!;
        out.push({
          parent,
          move,
          visits,
          value: this.W[edge]! / visits,
          prior: this.P[edge]!,
          over: next >= 0 && this.results[next] !== null,
        });
        if (left > 1 && next >= 0) visit(next, out.length - 1, left - 1);
      }
    };
    visit(0, -1, depth);
    return out;
  }
}
