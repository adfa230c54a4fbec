/**
 * Three cards, one each, one bet of 1 on top of an ante of 1: the smallest poker with bluffing. Actions pass, bet (a bet after a bet
 * is a call, a pass after a bet gives up). Obs of 11 numbers, mask and rewards: games/lib/poker/define.ts. The value for the first player is
 * -1/18 when both play well; the equilibrium here bluffs with the jack with probability alpha = 1/3.
 * Source: Kuhn 1950; rules as in `google-deepmind/open_spiel` at 112b7770 `games/kuhn_poker`.
 */
import type { Strategy } from '#math/game-tree.ts';
import { evaluate, pokerChecks } from './lib/poker/checks.ts';
import { definePoker } from './lib/poker/define.ts';
import { type Betting, buildTree, type CardGame, type Tree } from './lib/poker/game.ts';

const BET = 1;

const game: CardGame = {
  ranks: ['J', 'Q', 'K'],
  suits: 1,
  publicCards: 0,
  actions: ['pass', 'bet'],
  letters: 'pb',
  longest: 3,
  roundLength: 3,
  mostChips: 2,
  instead: 0,
  follow(history, from, length, b: Betting) {
    b.pot[0] = 1;
    b.pot[1] = 1;
    b.folded = -1;
    b.over = false;
    b.round = 0;
    b.legal = 3;
    b.toMove = 0;
    let bets = 0;
    for (let i = 0; i < length; i++) {
      const mover = i % 2;
      if (history[from + i] === BET) {
        b.pot[mover as 0 | 1]++;
        bets++;
        if (bets === 2) b.over = true;
      } else if (bets === 1) {
        b.folded = mover;
        b.over = true;
      } else if (i === 1) b.over = true;
      b.toMove = 1 - mover;
    }
  },
};

let cached: Tree | null = null;
function tree(): Tree {
  cached ??= buildTree(game);
  return cached;
}

const ALPHA = 1 / 3;
/** Probability to bet, per information set (Kuhn 1950). */
const BETS: { readonly [key: string]: number } = {
  J: ALPHA,
  Q: 0,
  K: 3 * ALPHA,
  Jpb: 0,
  Qpb: ALPHA + 1 / 3,
  Kpb: 1,
  Jp: 1 / 3,
  Qp: 0,
  Kp: 1,
  Jb: 0,
  Qb: 1 / 3,
  Kb: 1,
};

function equilibrium(): Strategy {
  return tree().infoSets.map(({ key }) => {
    const bet = BETS[key]!;
    return Float64Array.of(1 - bet, bet);
  });
}

export const kuhnPoker = definePoker({
  id: 'kuhn-poker',
  title: 'Kuhn poker',
  summary: 'Three cards, one bet: the smallest game in which bluffing pays.',
  source: { title: 'A simplified two-person poker', authors: 'Kuhn', year: 1950 },
  game,
  tree,
  equilibrium,
  seen: [0, 1],
  references: [
    { name: 'random', value: 0.125, source: 'exact, first player, both uniform' },
    { name: 'equilibrium', value: -1 / 18, source: 'Kuhn 1950, first player' },
  ],
  keys: [
    ['p', 'ArrowLeft'],
    ['b', 'ArrowRight'],
  ],
  checks: {
    ...pokerChecks(tree, { equilibrium }),
    'game-value': () => ({ valueFirstPlayer: evaluate(tree(), equilibrium()).valueFirstPlayer }),
  },
});
