/**
 * Six cards (jack, queen, king twice), two rounds of betting, and a public card between them; a pair with it wins, else the higher
 * rank, else the pot is split. Ante 1; raises of 2, then of 4, at most two per round. Actions fold (only against a raise), call
 * (checks if there is nothing to call), raise. Obs of 24 numbers, mask and rewards: games/lib/poker/define.ts.
 * Source: Southey et al. 2005; rules as in `google-deepmind/open_spiel` at 112b7770 `games/leduc_poker/leduc_poker.h`.
 */
import { solveZeroSum } from '#math/counterfactual.ts';
import type { Strategy } from '#math/game-tree.ts';
import { evaluate, pokerChecks } from './lib/poker/checks.ts';
import { definePoker } from './lib/poker/define.ts';
import { type Betting, buildTree, type CardGame, type Tree } from './lib/poker/game.ts';

const FOLD = 0;
const CALL = 1;
const RAISE = 2;
const SIZES = [2, 4] as const;
const MOST_RAISES = 2;
/** Enough for a NashConv below 0.01 chips. */
const ITERATIONS = 300;

const game: CardGame = {
  ranks: ['J', 'Q', 'K'],
  suits: 2,
  publicCards: 1,
  actions: ['fold', 'call', 'raise'],
  letters: 'fcr',
  longest: 8,
  roundLength: 4,
  mostChips: 13,
  instead: CALL,
  follow(history, from, length, b: Betting) {
    b.pot[0] = 1;
    b.pot[1] = 1;
    b.folded = -1;
    b.over = false;
    b.round = 0;
    b.toMove = 0;
    let raises = 0;
    let moves = 0; // in this round
    for (let i = 0; i < length; i++) {
      const action = history[from + i];
      const me = b.toMove as 0 | 1;
      const other = (1 - me) as 0 | 1;
      moves++;
      b.toMove = other;
      if (action === FOLD) {
        b.folded = me;
        b.over = true;
      } else if (action === RAISE) {
        raises++;
        b.pot[me] = b.pot[other] + SIZES[b.round]!;
      } else {
        b.pot[me] = b.pot[other];
        if (moves === 1) continue; // a check leaves the other a move
        if (b.round === 1) b.over = true;
        else {
          b.round = 1;
          b.toMove = 0;
          raises = 0;
          moves = 0;
        }
      }
    }
    const behind = b.pot[b.toMove as 0 | 1] < b.pot[(1 - b.toMove) as 0 | 1];
    b.legal = (behind ? 1 << FOLD : 0) | (1 << CALL) | (raises < MOST_RAISES ? 1 << RAISE : 0);
  },
};

let cached: Tree | null = null;
function tree(): Tree {
  cached ??= buildTree(game);
  return cached;
}

let solved: Strategy | null = null;
/** Near enough to an equilibrium by CFR+. */
function equilibrium(): Strategy {
  solved ??= solveZeroSum(tree(), ITERATIONS);
  return solved;
}

export const leducPoker = definePoker({
  id: 'leduc-poker',
  title: 'Leduc poker',
  summary: 'Six cards, two rounds and a public card: small poker with raises.',
  source: {
    title: "Bayes' bluff: opponent modelling in poker",
    authors: 'Southey et al.',
    year: 2005,
    url: 'https://arxiv.org/abs/1207.1411',
  },
  game,
  tree,
  equilibrium,
  seen: [CALL, RAISE],
  references: [
    { name: 'random', value: -0.078125, source: 'exact, first player, both uniform' },
    { name: 'equilibrium', value: -0.0856, source: 'CFR+ here, first player' },
  ],
  keys: [['f'], ['c', 'ArrowRight'], ['r', 'ArrowUp']],
  checks: {
    ...pokerChecks(tree, { equilibrium }),
    'solver-result': (_c, inputs) => {
      const policy = typeof inputs.iterations === 'number' ? solveZeroSum(tree(), inputs.iterations) : equilibrium();
      const { valueFirstPlayer, nashConv } = evaluate(tree(), policy);
      return { valueFirstPlayer, nashConv };
    },
  },
});
