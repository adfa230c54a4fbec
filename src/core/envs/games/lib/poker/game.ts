/**
 * Small poker games of two players as public trees: the betting does not depend on the cards, so one tree of histories serves all
 * deals, and a value is a vector over deals. Deals that differ only by suit are one deal with a weight.
 */
import { type GameNode, type GameTree, type InfoSet, leaf, NO_PAYOFF } from '#math/game-tree.ts';

/** What a history of actions means; written in place by `follow`. */
export interface Betting {
  toMove: number; // 0 or 1
  over: boolean;
  /** Seat that folded; -1: none. */
  folded: number;
  round: number;
  readonly pot: [number, number];
  /** Legal actions, one bit each. */
  legal: number;
}

export interface CardGame {
  /** Ranks in the deck, worst first, and copies of each. */
  readonly ranks: readonly string[];
  readonly suits: number;
  readonly publicCards: number; // 0 or 1, shown in the second round
  readonly actions: readonly string[];
  /** One letter per action, as histories are written. */
  readonly letters: string;
  /** Longest history; and longest within a round. */
  readonly longest: number;
  readonly roundLength: number;
  /** Most chips that one player can put in. */
  readonly mostChips: number;
  /** What an impossible action counts as. */
  readonly instead: number;
  follow(history: ArrayLike<number>, from: number, length: number, out: Betting): void;
}

export function emptyBetting(): Betting {
  return { toMove: 0, over: false, folded: -1, round: 0, pot: [1, 1], legal: 0 };
}

/** What player 0 wins at the end; a pair with the public card beats all, then the higher rank. */
export function payoff(betting: Betting, own: number, other: number, shown: number): number {
  if (betting.folded === 0) return -betting.pot[0];
  if (betting.folded === 1) return betting.pot[1];
  if (own === other) return 0;
  const wins = own === shown || (other !== shown && own > other);
  return wins ? betting.pot[1] : -betting.pot[0];
}

/** Ranks of a deal and how many deals of single cards it stands for. `shown` is -1 without public card. */
export interface Deal {
  readonly own: readonly [number, number];
  readonly shown: number;
  readonly weight: number;
}

export function dealsOf(game: CardGame): readonly Deal[] {
  const out: Deal[] = [];
  const n = game.ranks.length;
  for (let a = 0; a < n; a++)
    for (let b = 0; b < n; b++) {
      const left = game.suits - (a === b ? 1 : 0);
      if (left === 0) continue;
      const pairs = game.suits * left;
      if (game.publicCards === 0) out.push({ own: [a, b], shown: -1, weight: pairs });
      else
        for (let p = 0; p < n; p++) {
          const copies = game.suits - (p === a ? 1 : 0) - (p === b ? 1 : 0);
          if (copies > 0) out.push({ own: [a, b], shown: p, weight: pairs * copies });
        }
    }
  return out;
}

export interface Tree extends GameTree {
  readonly game: CardGame;
  readonly deals: readonly Deal[];
  readonly byKey: ReadonlyMap<string, number>;
}

/** Keys of information sets: own card, public card if shown, history with "/" between rounds. */
export function buildTree(game: CardGame): Tree {
  const deals = dealsOf(game);
  const total = deals.reduce((n, d) => n + d.weight, 0);
  const infoSets: InfoSet[] = [];
  const byKey = new Map<string, number>();
  const grow = (history: readonly number[], text: string, lastRound: number): GameNode => {
    const b = emptyBetting();
    game.follow(history, 0, history.length, b);
    const shownText = b.round > lastRound && !b.over ? `${text}/` : text;
    if (b.over) {
      const won = Float64Array.from(deals, (d) => payoff(b, d.own[0], d.own[1], d.shown));
      return leaf(
        text,
        won,
        won.map((x) => -x),
      );
    }
    const actions = game.actions.map((_, a) => a).filter((a) => (b.legal >> a) & 1);
    const info = Int32Array.from(deals, (d) => {
      const shown = b.round > 0 ? (game.ranks[d.shown] ?? '') : '';
      const key = `${game.ranks[d.own[b.toMove]!]}${shown}${shownText}`;
      let index = byKey.get(key);
      if (index === undefined) {
        index = infoSets.length;
        byKey.set(key, index);
        infoSets.push({ key, player: b.toMove, actions });
      }
      return index;
    });
    const children = actions.map((a) => grow([...history, a], shownText + game.letters[a], b.round));
    return { history: shownText, toMove: b.toMove, actions, children, info, payoff: NO_PAYOFF };
  };
  const root = grow([], '', 0);
  return { game, deals, chance: Float64Array.from(deals, (d) => d.weight / total), infoSets, byKey, root };
}
