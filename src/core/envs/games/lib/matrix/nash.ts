/**
 * Best responses and equilibria of games in normal form, for any number of players. Pure equilibria by testing every joint action; mixed
 * ones of two players by the support enumeration of math/nash.ts.
 */
import { supportEnumeration } from '#math/nash.ts';
import { digitsOf, type NormalForm } from './normal-form.ts';

/** One mixed strategy per player: probabilities of its actions. */
export type Profile = readonly (readonly number[])[];

const TIE = 1e-9;

/** What each action of a player is worth when the others mix as in the profile. */
export function actionValues(game: NormalForm, profile: Profile, player: number): readonly number[] {
  const out = new Array<number>(game.sizes[player]!).fill(0);
  const digits = new Array<number>(game.players).fill(0);
  for (let j = 0; j < game.joint; j++) {
    digitsOf(game.sizes, j, digits);
    let chance = 1;
    for (let p = 0; p < game.players; p++) if (p !== player) chance *= profile[p]![digits[p]!]!;
    const own = digits[player]!;
    out[own] = out[own]! + chance * game.pay[j * game.players + player]!;
  }
  return out;
}

export function value(game: NormalForm, profile: Profile, player: number): number {
  return actionValues(game, profile, player).reduce((sum, v, a) => sum + v * profile[player]![a]!, 0);
}

/** All best actions (within 1e-9) and what they are worth. */
export function bestResponse(
  game: NormalForm,
  profile: Profile,
  player: number,
): { readonly actions: readonly number[]; readonly value: number } {
  const values = actionValues(game, profile, player);
  const top = Math.max(...values);
  return { actions: values.flatMap((v, a) => (v >= top - TIE ? [a] : [])), value: top };
}

/** What all players together could gain by changing alone: 0 exactly in equilibria. */
export function nashConv(game: NormalForm, profile: Profile): number {
  let sum = 0;
  for (let p = 0; p < game.players; p++) sum += bestResponse(game, profile, p).value - value(game, profile, p);
  return sum;
}

export function pureEquilibria(game: NormalForm): readonly (readonly number[])[] {
  const out: (readonly number[])[] = [];
  const digits = new Array<number>(game.players).fill(0);
  for (let j = 0; j < game.joint; j++) {
    digitsOf(game.sizes, j, digits);
    let place = 1; // of player p's digit in the number of the joint action
    let stable = true;
    for (let p = game.players - 1; p >= 0 && stable; p--) {
      const own = digits[p]!;
      for (let a = 0; a < game.sizes[p]!; a++)
        if (game.pay[(j + (a - own) * place) * game.players + p]! > game.pay[j * game.players + p]! + TIE) stable = false;
      place *= game.sizes[p]!;
    }
    if (stable) out.push([...digits]);
  }
  return out;
}

/** Equilibria of a game of two players, pure ones first; at most 9 actions each, so supports are few. */
export function equilibria(game: NormalForm): readonly Profile[] {
  const [R = 1, C = 1] = game.sizes;
  const payoffs = (p: number) =>
    Array.from({ length: R }, (_, r) => Array.from({ length: C }, (_unused, c) => game.pay[2 * (r * C + c) + p]!));
  return supportEnumeration({ row: payoffs(0), column: payoffs(1) }).map(({ row, column }) => [row, column]);
}
