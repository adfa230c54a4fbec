/**
 * Exact values on a public tree: of two policies, of a best response to one (its choices per information set, so it does not see
 * the other's card), and equilibria by CFR+ (Tammelin 2014). A policy holds, per information set, the probabilities of its actions.
 */
import type { Node, Tree } from './game.ts';

export type Policy = readonly Float64Array[];

export function uniform(tree: Tree): Policy {
  return tree.infoSets.map(({ actions }) => new Float64Array(actions.length).fill(1 / actions.length));
}

/** What player 0 wins on average when both play from one policy each. */
export function valueBetween(tree: Tree, first: Policy, second: Policy): number {
  const visit = (node: Node, deal: number): number => {
    if (node.children.length === 0) return node.payoff[deal] as number;
    const p = (node.toMove === 0 ? first : second)[node.info[deal] as number] as Float64Array;
    return node.children.reduce((sum, child, i) => sum + (p[i] as number) * visit(child, deal), 0);
  };
  return tree.deals.reduce((sum, _, d) => sum + (tree.chance[d] as number) * visit(tree.root, d), 0);
}

/** The most that `player` wins on average against a policy. */
export function bestResponse(tree: Tree, policy: Policy, player: number): number {
  const D = tree.deals.length;
  const sign = player === 0 ? 1 : -1;
  // reach: chance times the other's probability of playing to here, per deal
  const visit = (node: Node, reach: Float64Array): Float64Array => {
    if (node.children.length === 0) return node.payoff.map((x) => sign * x);
    const out = new Float64Array(D);
    if (node.toMove !== player) {
      node.children.forEach((child, i) => {
        const p = node.info.reduce((all, info, d) => {
          all[d] = (policy[info] as Float64Array)[i] as number;
          return all;
        }, new Float64Array(D));
        const value = visit(
          child,
          reach.map((r, d) => r * (p[d] as number)),
        );
        for (let d = 0; d < D; d++) out[d] = (out[d] as number) + (p[d] as number) * (value[d] as number);
      });
      return out;
    }
    const values = node.children.map((child) => visit(child, reach));
    const worth = new Map<number, number[]>();
    node.info.forEach((info, d) => {
      const sums = worth.get(info) ?? values.map(() => 0);
      values.forEach((v, i) => {
        sums[i] = (sums[i] as number) + (reach[d] as number) * (v[d] as number);
      });
      worth.set(info, sums);
    });
    node.info.forEach((info, d) => {
      const sums = worth.get(info) as number[];
      out[d] = (values[sums.indexOf(Math.max(...sums))] as Float64Array)[d] as number;
    });
    return out;
  };
  return visit(tree.root, tree.chance).reduce((sum, v, d) => sum + (tree.chance[d] as number) * v, 0);
}

export interface Evaluation {
  readonly valueFirstPlayer: number;
  readonly bestResponseValues: readonly [number, number];
  readonly nashConv: number;
  readonly exploitability: number;
}

export function evaluate(tree: Tree, policy: Policy): Evaluation {
  const value = valueBetween(tree, policy, policy);
  const best: [number, number] = [bestResponse(tree, policy, 0), bestResponse(tree, policy, 1)];
  const nashConv = best[0] + best[1];
  return { valueFirstPlayer: value, bestResponseValues: best, nashConv, exploitability: nashConv / 2 };
}

/** CFR+: regrets never below zero, players in turn, averages weighted by the iteration. */
export function solve(tree: Tree, iterations: number): Policy {
  const regret = tree.infoSets.map(({ actions }) => new Float64Array(actions.length));
  const sums = tree.infoSets.map(({ actions }) => new Float64Array(actions.length));
  const current = uniform(tree);
  const match = () =>
    regret.forEach((r, i) => {
      const p = current[i] as Float64Array;
      const total = r.reduce((a, b) => a + b, 0);
      r.forEach((x, a) => {
        p[a] = total > 0 ? x / total : 1 / r.length;
      });
    });
  /** Value for `player`; own and other: what each plays towards here, the other with chance. */
  const visit = (node: Node, deal: number, player: number, own: number, other: number, weight: number): number => {
    if (node.children.length === 0) return (player === 0 ? 1 : -1) * (node.payoff[deal] as number);
    const info = node.info[deal] as number;
    const p = current[info] as Float64Array;
    const mine = node.toMove === player;
    const values = node.children.map((child, i) =>
      visit(child, deal, player, mine ? own * (p[i] as number) : own, mine ? other : other * (p[i] as number), weight),
    );
    const value = values.reduce((sum, v, i) => sum + (p[i] as number) * v, 0);
    if (mine) {
      const s = sums[info] as Float64Array;
      const g = gained[info] as Float64Array;
      values.forEach((v, i) => {
        g[i] = (g[i] as number) + other * (v - value);
        s[i] = (s[i] as number) + weight * own * (p[i] as number);
      });
    }
    return value;
  };
  const gained = regret.map((r) => new Float64Array(r.length));
  for (let t = 1; t <= iterations; t++)
    for (let player = 0; player < 2; player++) {
      match();
      for (const g of gained) g.fill(0);
      for (let d = 0; d < tree.deals.length; d++) visit(tree.root, d, player, 1, tree.chance[d] as number, t);
      regret.forEach((r, i) => {
        r.forEach((x, a) => {
          r[a] = Math.max(0, x + ((gained[i] as Float64Array)[a] as number));
        });
      });
    }
  return sums.map((s) => {
    const total = s.reduce((a, b) => a + b, 0);
    return s.map((x) => (total > 0 ? x / total : 1 / s.length));
  });
}
