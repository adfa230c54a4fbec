/**
 * Games in normal form for any number of players: payoffs of every joint action. Joint actions are numbered with the first player's
 * action as the slowest digit. Named games of many players count cooperators; k is their number, the player itself included.
 */
import type { Bimatrix } from '#contract/game/payoffs.ts';

export interface NormalForm {
  readonly players: number; // P
  readonly sizes: readonly number[]; // [P] actions of each
  readonly actions: readonly (readonly string[])[]; // [P] their names
  readonly joint: number; // product of sizes
  readonly pay: Float64Array; // [joint, P]
}

export function normalForm(actions: readonly (readonly string[])[], pay: (joint: readonly number[], player: number) => number): NormalForm {
  const sizes = actions.map((list) => list.length);
  const joint = sizes.reduce((a, b) => a * b, 1);
  const players = sizes.length;
  const digits = new Array<number>(players).fill(0);
  const table = new Float64Array(joint * players);
  for (let j = 0; j < joint; j++) {
    digitsOf(sizes, j, digits);
    for (let p = 0; p < players; p++) table[j * players + p] = pay(digits, p);
  }
  return { players, sizes, actions, joint, pay: table };
}

/** Writes each player's action of joint action j. */
export function digitsOf(sizes: readonly number[], j: number, out: number[]): void {
  let rest = j;
  for (let p = sizes.length - 1; p >= 0; p--) {
    out[p] = rest % sizes[p]!;
    rest = Math.floor(rest / sizes[p]!);
  }
}

export function fromBimatrix(game: Bimatrix): NormalForm {
  return normalForm([game.rowActions, game.columnActions], ([r = 0, c = 0], p) => (p === 0 ? game.row : game.column)[r]![c]!);
}

export interface CrowdSettings {
  readonly players: number;
  readonly multiplier: number;
  readonly needed: number;
}

interface Crowd {
  readonly actions: readonly [string, string];
  /** Own action (0 the first), how many chose the first action, itself included. */
  readonly pay: (own: number, k: number, s: CrowdSettings) => number;
}

/** Games of two actions for any number of players. */
export const CROWDS = {
  /** Each may put 1 into a pot that is multiplied and shared by all. */
  'public-goods': { actions: ['contribute', 'keep'], pay: (own, k, s) => (s.multiplier * k) / s.players - (own === 0 ? 1 : 0) },
  /** The prisoner's dilemma 3, 0, 5, 1 against the average of the others. */
  'n-dilemma': {
    actions: ['cooperate', 'defect'],
    pay: (own, k, s) => (own === 0 ? (3 * (k - 1)) / (s.players - 1) : 1 + (4 * k) / (s.players - 1)),
  },
  /** The stag is worth 4 when enough hunt it, the hare always 2. */
  'n-stag-hunt': { actions: ['stag', 'hare'], pay: (own, k, s) => (own === 1 ? 2 : k >= s.needed ? 4 : 0) },
  /** All get 2 if anyone volunteers, which costs 1. */
  volunteer: { actions: ['volunteer', 'wait'], pay: (own, k) => (k > 0 ? 2 : 0) - (own === 0 ? 1 : 0) },
  /** 1 for those on the side with fewer. */
  minority: {
    actions: ['left', 'right'],
    pay: (own, k, s) => Number(2 * (own === 0 ? k : s.players - k) < s.players),
  },
  /** The share of the others that do the same. */
  'n-coordination': {
    actions: ['left', 'right'],
    pay: (own, k, s) => ((own === 0 ? k : s.players - k) - 1) / (s.players - 1),
  },
} as const satisfies { readonly [name: string]: Crowd };

export function crowd(name: keyof typeof CROWDS, s: CrowdSettings): NormalForm {
  const game: Crowd = CROWDS[name];
  return normalForm(
    Array.from({ length: s.players }, () => game.actions),
    (joint, p) => game.pay(joint[p]!, joint.filter((a) => a === 0).length, s),
  );
}
