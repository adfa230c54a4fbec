/**
 * Strategies for repeated games. They read their agent's observation: the last round as it saw it (own action first, then the others'
 * in order behind it). "Cooperate" is the first action and "defect" the last.
 */

import type { ScriptedPolicy } from '#core/envs/api/types.ts';
import { Rng } from '#math/rng.ts';
import { actionValues, equilibria, type Profile, pureEquilibria } from './nash.ts';
import type { NormalForm } from './normal-form.ts';

interface Round {
  readonly player: number;
  /** Actions of the last round, own first, then those of player + 1, player + 2, .. in a circle; null before the first round. */
  readonly seen: readonly number[] | null;
}

/** The actions of a round from its number: own action slowest, then the others in a circle. */
function readRound(game: NormalForm, player: number, number: number): readonly number[] {
  const out = new Array<number>(game.players).fill(0);
  let rest = number;
  for (let k = game.players - 1; k >= 0; k--) {
    const size = game.sizes[(player + k) % game.players]!;
    out[k] = rest % size;
    rest = Math.floor(rest / size);
  }
  return out;
}

/** The last round is the lowest digit of an observation's index: 0 none, else its number + 1. */
function eachAgent(game: NormalForm, choose: (round: Round) => number): ScriptedPolicy {
  return {
    act(env, { obs }, out) {
      const O = env.meta.obsSize;
      for (let slot = 0; slot < env.batch * game.players; slot++) {
        const player = slot % game.players;
        const latest = obs.subarray(slot * O, (slot + 1) * O).indexOf(1) % (1 + game.joint);
        out[slot] = choose({ player, seen: latest === 0 ? null : readRound(game, player, latest - 1) });
      }
    },
  };
}

const lastOf = (game: NormalForm, player: number) => game.sizes[player]! - 1;

/** An equilibrium to play: of two players a mixed one if there is no pure one; of more the first pure one, else uniform. */
export function equilibriumOf(game: NormalForm): Profile {
  const uniform = game.sizes.map((n) => new Array<number>(n).fill(1 / n));
  const [pure] = pureEquilibria(game);
  if (pure !== undefined) return uniform.map((list, p) => list.map((_, a) => Number(a === pure[p])));
  return (game.players === 2 ? equilibria(game)[0] : undefined) ?? uniform;
}

/** The first of them is whom a person meets. */
export const STRATEGIES: { readonly [name: string]: (game: NormalForm) => ScriptedPolicy } = {
  /** Cooperates first, and after every round in which all others did. */
  'tit-for-tat': (game) =>
    eachAgent(game, ({ player, seen }) => (seen === null || seen.slice(1).every((a) => a === 0) ? 0 : lastOf(game, player))),
  'always-cooperate': (game) => eachAgent(game, () => 0),
  'always-defect': (game) => eachAgent(game, ({ player }) => lastOf(game, player)),
  /** Cooperates first, and after every round in which all did the same, cooperation or not. */
  'win-stay-lose-shift': (game) =>
    eachAgent(game, ({ player, seen }) => {
      const same = seen === null || seen.every((a) => a > 0) || seen.every((a) => a === 0);
      return same ? 0 : lastOf(game, player);
    }),
  /** The best reply to what the others did last; the best against uniform play before that. */
  'best-response': (game) =>
    eachAgent(game, ({ player, seen }) => {
      const profile = game.sizes.map((n, p) => {
        const action = seen?.[(p - player + game.players) % game.players];
        return Array.from({ length: n }, (_, a) => (action === undefined ? 1 / n : Number(a === action)));
      });
      const values = actionValues(game, profile, player);
      return values.indexOf(Math.max(...values));
    }),
  /** Draws from an equilibrium, every round anew. */
  nash: (game) => {
    const profile = equilibriumOf(game);
    const rng = Rng.from(0).split('nash');
    return eachAgent(game, ({ player }) => {
      const chances = profile[player] as readonly number[];
      let u = rng.uniform();
      let a = 0;
      while (a < chances.length - 1 && u >= chances[a]!) u -= chances[a++]!;
      return a;
    });
  },
};
