/**
 * Small games of two players as trees whose moves do not depend on hidden chance, so that one tree serves all deals: a value is a vector
 * over deals. A game in normal form is the tree with one deal in which the second player does not see the first one's move.
 * A strategy holds, per information set, the probabilities of its actions; it names those of both players.
 */

export interface GameNode {
  readonly history: string;
  readonly toMove: number; // 0 or 1; -1 at the end
  readonly actions: readonly number[];
  readonly children: readonly GameNode[];
  /** Per deal: index of the mover's information set; empty at the end. */
  readonly info: Int32Array;
  /** Per player and deal: what it gets; empty before the end. */
  readonly payoff: readonly [Float64Array, Float64Array];
}

export interface InfoSet {
  /** What the mover knows, written out. */
  readonly key: string;
  readonly player: number;
  readonly actions: readonly number[];
}

export interface GameTree {
  /** Probability of each deal. */
  readonly chance: Float64Array;
  readonly infoSets: readonly InfoSet[];
  readonly root: GameNode;
}

export type Strategy = readonly Float64Array[];

export const NO_PAYOFF: GameNode['payoff'] = [new Float64Array(0), new Float64Array(0)];
const NO_INFO = new Int32Array(0);

/** What the players get per deal at the end of a game. */
export function leaf(history: string, first: Float64Array, second: Float64Array): GameNode {
  return { history, toMove: -1, actions: [], children: [], info: NO_INFO, payoff: [first, second] };
}

/** Both choose at once: `pay(r, c, player)`. */
export function treeOfTable(
  rowActions: readonly string[],
  columnActions: readonly string[],
  pay: (r: number, c: number, player: 0 | 1) => number,
): GameTree {
  const numbers = (list: readonly string[]): readonly number[] => list.map((_, i) => i);
  const column = Int32Array.of(1);
  const after = rowActions.map(
    (row, r): GameNode => ({
      history: row,
      toMove: 1,
      actions: numbers(columnActions),
      children: columnActions.map((name, c) => leaf(`${row} ${name}`, Float64Array.of(pay(r, c, 0)), Float64Array.of(pay(r, c, 1)))),
      info: column,
      payoff: NO_PAYOFF,
    }),
  );
  return {
    chance: Float64Array.of(1),
    infoSets: [
      { key: 'row', player: 0, actions: numbers(rowActions) },
      { key: 'column', player: 1, actions: numbers(columnActions) },
    ],
    root: { history: '', toMove: 0, actions: numbers(rowActions), children: after, info: Int32Array.of(0), payoff: NO_PAYOFF },
  };
}

export function uniform(tree: GameTree): Strategy {
  return tree.infoSets.map(({ actions }) => new Float64Array(actions.length).fill(1 / actions.length));
}

/** Positions of all deals together: what one walk through the tree costs. */
export function sizeOf(tree: GameTree): number {
  const visit = (node: GameNode): number => 1 + node.children.reduce((sum, child) => sum + visit(child), 0);
  return tree.chance.length * visit(tree.root);
}

/** The two players' payoffs cancel out everywhere. @internal Tests check the games that they take. */
export function isZeroSum(tree: GameTree): boolean {
  const visit = ({ payoff: [first, second], children }: GameNode): boolean =>
    first.every((x, d) => Math.abs(x + second[d]!) < 1e-12) && children.every(visit);
  return visit(tree.root);
}

/**
 * Weights of a player's actions by how often it plays towards them itself: `sums[info][action] += weight * own reach * probability`.
 * Dividing each set by its total turns a sum over strategies into their mixture (Kuhn 1953, perfect recall).
 */
export function addRealisation(tree: GameTree, strategy: Strategy, weight: number, sums: Strategy): void {
  const seen = new Uint8Array(tree.infoSets.length);
  const D = tree.chance.length;
  const visit = (node: GameNode, reach: readonly [Float64Array, Float64Array]): void => {
    if (node.toMove < 0) return;
    const own = reach[node.toMove as 0 | 1];
    for (let d = 0; d < D; d++) {
      const info = node.info[d]!;
      if (seen[info] !== 0) continue; // other deals of the set have the same own reach
      seen[info] = 1;
      const p = strategy[info] as Float64Array;
      const into = sums[info] as Float64Array;
      for (let a = 0; a < p.length; a++) into[a] = into[a]! + weight * own[d]! * p[a]!;
    }
    node.children.forEach((child, i) => {
      const further = own.map((r, d) => r * (strategy[node.info[d]!] as Float64Array)[i]!);
      visit(child, node.toMove === 0 ? [further, reach[1]] : [reach[0], further]);
    });
  };
  const ones = new Float64Array(D).fill(1);
  visit(tree.root, [ones, ones]);
}

/** Sums of realisations as a strategy; even where nothing was ever played. */
export function mixtureOf(sums: Strategy): Strategy {
  return sums.map((s) => {
    const total = s.reduce((a, b) => a + b, 0);
    return s.map((x) => (total > 0 ? x / total : 1 / s.length));
  });
}

export function zerosLike(tree: GameTree): Strategy {
  return tree.infoSets.map(({ actions }) => new Float64Array(actions.length));
}
