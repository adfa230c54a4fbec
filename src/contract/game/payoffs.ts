/** What an environment says about the payoffs of its config, so that one editor serves every game in normal form. Plain data. */

import type { Payoffs } from '#math/nash.ts';

/** Payoffs of two players with the names of their actions. */
export interface Bimatrix extends Payoffs {
  readonly rowActions: readonly string[];
  readonly columnActions: readonly string[];
}

/** A game of any number of players as a table. Joint actions are numbered with the first player's action as the slowest digit. */
export interface GameCard {
  readonly actions: readonly (readonly string[])[]; // [P] names of each player's actions
  readonly pay: readonly (readonly number[])[]; // [joint][P]
}

/** Belongs to the field that names a game. The tables stand in fields beside it and win over the name; null: the named game's. A game without a table here has one on the card. */
export interface PayoffFormat {
  readonly games: { readonly [name: string]: Bimatrix };
  /** Field of a symmetric game of two actions: [CC, CD, DC, DD], own action first. */
  readonly symmetric?: string;
  /** Fields of a table each, one list per action of the row player. */
  readonly row?: string;
  readonly column?: string;
  /** Field of a table for any number of players, GameCard.pay; and the field that says how many there are. */
  readonly tensor?: string;
  readonly players?: string;
}
