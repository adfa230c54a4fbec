/** Monte Carlo tree search in many positions at once, so that one run of a network judges a leaf of each. */
import type { Rng } from '#math/rng.ts';
import type { Lanes } from './lanes.ts';
import { type Rule, SearchTree } from './tree.ts';

/** Chances of moves [n, N] (illegal ones may be anything) and values [n] for the player to move, in the first `n` lanes. */
export interface Judgement {
  readonly priors: ArrayLike<number>;
  readonly values: ArrayLike<number>;
}

/** Judges the positions that stand in the first lanes; `states` are the same. */
export type Judge = (lanes: Lanes, states: readonly Uint8Array[]) => Judgement | Promise<Judgement>;

export interface SearchOptions {
  readonly simulations: number;
  readonly rule: Rule;
  readonly c: number;
  /** For the root's priors: numbers for so many moves. */
  readonly noise?: { readonly share: number; draw(moves: number): readonly number[] };
}

/** A position that a search has come to, and the lane in which it stands. */
interface Leaf {
  readonly tree: SearchTree;
  readonly at: number;
  readonly state: Uint8Array;
  readonly lane: number;
}

/** The same leaves for the first lanes, as many as can where they stand: those need not be loaded. */
function settled(leaves: readonly Leaf[]): Leaf[] {
  const beyond = leaves.filter(({ lane }) => lane >= leaves.length);
  const out: Leaf[] = [];
  let next = 0;
  for (const leaf of leaves) {
    if (leaf.lane >= leaves.length) break;
    while (out.length < leaf.lane) out.push(beyond[next++]!);
    out.push(leaf);
  }
  return [...out, ...beyond.slice(next)];
}

/** A tree for each of these positions, none of them over; at most as many as there are lanes. */
export async function searchAll(roots: readonly Uint8Array[], lanes: Lanes, judge: Judge, options: SearchOptions): Promise<SearchTree[]> {
  const { actionCount: N } = lanes.meta;
  lanes.load(roots);
  const first = await judge(lanes, roots);
  lanes.load(roots); // a judge may have used them
  const trees = roots.map((root, lane) => {
    const tree = new SearchTree(N, options.simulations, root);
    const moves = lanes.legal(lane);
    tree.expand(0, moves, first.priors, lane * N);
    if (options.noise !== undefined) tree.disturb(options.noise.draw(moves.length), options.noise.share);
    return tree;
  });
  for (let simulation = 0; simulation < options.simulations; simulation++) {
    const waiting: SearchTree[] = [];
    const [states, moves]: [Uint8Array[], number[]] = [[], []];
    for (const tree of trees) {
      const leaf = tree.descend(options.rule, options.c);
      if (leaf === null) continue;
      waiting.push(tree);
      states.push(leaf.state);
      moves.push(leaf.move);
    }
    if (waiting.length === 0) continue;
    const after = lanes.move(states, moves);
    const going: Leaf[] = [];
    after.forEach(({ state, result }, lane) => {
      const tree = waiting[lane]!;
      const at = tree.attach(state, result);
      if (result !== null) tree.back(result);
      else going.push({ tree, at, state, lane });
    });
    if (going.length === 0) continue;
    const open = settled(going);
    const leaves = open.map(({ state }) => state);
    lanes.load(leaves);
    const legal = open.map((_, lane) => lanes.legal(lane));
    const { priors, values } = await judge(lanes, leaves);
    open.forEach(({ tree, at }, i) => {
      tree.expand(at, legal[i]!, priors, i * N);
      tree.back(-values[i]!);
    });
  }
  return trees;
}

/** Judges by `playouts` games of random moves from each position; all moves have the same prior. */
export function playoutJudge(playouts: number, rngOf: (state: Uint8Array) => Rng): Judge {
  return (lanes, states) => {
    const values = new Float64Array(states.length);
    const rngs = states.map(rngOf);
    for (let k = 0; k < playouts; k++) {
      let going = states.map((state, lane) => ({ state, lane, sign: 1 }));
      while (going.length > 0) {
        const now = going.map(({ state }) => state);
        lanes.load(now);
        const moves = going.map(({ lane }, i) => {
          const legal = lanes.legal(i);
          return legal[rngs[lane]!.int(legal.length)]!;
        });
        const next: typeof going = [];
        lanes.move(now, moves).forEach(({ state, result }, i) => {
          const { lane, sign } = going[i]!;
          if (result === null) next.push({ state, lane, sign: -sign });
          else values[lane]! += (sign * result) / playouts;
        });
        going = next;
      }
    }
    return { priors: new Float64Array(states.length * lanes.meta.actionCount).fill(1), values };
  };
}
