/**
 * Counterfactual regret minimisation (Zinkevich et al. 2007) and CFR+ (Tammelin 2014) on a game tree. At every information set actions are
 * chosen in proportion to their positive regret, weighted by how likely chance and the other make the set; the *average* strategy goes to
 * an equilibrium of zero-sum games. Players are updated in turn. CFR+ keeps regrets above zero and weights averages by the iteration.
 */
import { type GameNode, type GameTree, mixtureOf, type Strategy, uniform, zerosLike } from './game-tree.ts';

export interface Regrets {
  readonly regret: Strategy;
  /** Own reach times probability, summed over iterations. */
  readonly sums: Strategy;
  /** What is played now. */
  readonly current: Strategy;
}

export function createRegrets(tree: GameTree): Regrets {
  return { regret: zerosLike(tree), sums: zerosLike(tree), current: uniform(tree) };
}

/** Iteration `t` (from 1) for both players. */
export function iterate(tree: GameTree, { regret, sums, current }: Regrets, t: number, plus: boolean): void {
  const weight = plus ? t : 1;
  for (const player of [0, 1] as const) {
    match(regret, current);
    const gained = regret.map((r) => new Float64Array(r.length));
    /** Value for `player`; own and other: what each plays towards here, the other with chance. */
    const visit = (node: GameNode, deal: number, own: number, other: number): number => {
      if (node.toMove < 0) return node.payoff[player][deal]!;
      const info = node.info[deal]!;
      const p = current[info] as Float64Array;
      const { children } = node;
      let value = 0;
      if (node.toMove !== player) {
        for (let i = 0; i < children.length; i++) {
          const chance = p[i]!;
          value += chance * visit(children[i] as GameNode, deal, own, other * chance);
        }
        return value;
      }
      const g = gained[info] as Float64Array;
      const s = sums[info] as Float64Array;
      const values = children.map((child, i) => visit(child, deal, own * p[i]!, other));
      for (let i = 0; i < values.length; i++) value += p[i]! * values[i]!;
      for (let i = 0; i < values.length; i++) {
        g[i] = g[i]! + other * (values[i]! - value);
        s[i] = s[i]! + weight * own * p[i]!;
      }
      return value;
    };
    for (let d = 0; d < tree.chance.length; d++) visit(tree.root, d, 1, tree.chance[d]!);
    regret.forEach((r, i) => {
      const g = gained[i] as Float64Array;
      for (let a = 0; a < r.length; a++) r[a] = plus ? Math.max(0, r[a]! + g[a]!) : r[a]! + g[a]!;
    });
  }
  match(regret, current);
}

/** In proportion to positive regrets; even where there are none. */
function match(regret: Strategy, current: Strategy): void {
  regret.forEach((r, i) => {
    const p = current[i] as Float64Array;
    let total = 0;
    for (let a = 0; a < r.length; a++) total += Math.max(0, r[a]!);
    for (let a = 0; a < r.length; a++) p[a] = total > 0 ? Math.max(0, r[a]!) / total : 1 / r.length;
  });
}

/** Near an equilibrium by CFR+. */
export function solveZeroSum(tree: GameTree, iterations: number): Strategy {
  const state = createRegrets(tree);
  for (let t = 1; t <= iterations; t++) iterate(tree, state, t, true);
  return mixtureOf(state.sums);
}
