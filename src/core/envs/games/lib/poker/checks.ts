/** What golden files ask of a poker game. Policies come by `policyName` or as a table `policy` { information set: probabilities }. */
import { fail } from '#contract/kit/errors.ts';
import type { Json, JsonObject } from '#contract/kit/json.ts';
import { expectedValues, exploitability } from '#math/exploitability.ts';
import { type Strategy, uniform } from '#math/game-tree.ts';
import { emptyBetting, payoff, type Tree } from './game.ts';

export type NamedPolicies = { readonly [name: string]: () => Strategy };

/** An information set reads: own card, public card if shown, moves with "/" between rounds: "K", "Jpb", "QKrc/r". */
function readPolicy(tree: Tree, named: NamedPolicies, source: JsonObject): Strategy {
  if (source.policyName !== undefined) {
    const make = named[String(source.policyName)];
    if (make === undefined) throw wrong(`there is no policy "${String(source.policyName)}"`);
    return make();
  }
  const table = (source.policy ?? {}) as { readonly [key: string]: Json };
  return tree.infoSets.map(({ key, actions }) => {
    const p = table[key];
    if (!Array.isArray(p) || p.length !== actions.length) throw wrong(`"${key}" needs ${actions.length} probabilities`);
    return Float64Array.from(p as readonly number[]);
  });
}

/** Moves of a written history; "/" is for people. */
function readHistory(tree: Tree, text: unknown): number[] {
  return [...String(text ?? '')]
    .filter((letter) => letter !== '/')
    .map((letter) => {
      const a = tree.game.letters.indexOf(letter);
      if (a < 0) throw wrong(`"${letter}" is no move`);
      return a;
    });
}

export interface Evaluation {
  readonly valueFirstPlayer: number;
  readonly bestResponseValues: readonly [number, number];
  readonly nashConv: number;
  readonly exploitability: number;
}

export function evaluate(tree: Tree, strategy: Strategy): Evaluation {
  const { values, bestResponseValues, nashConv } = exploitability(tree, strategy);
  return { valueFirstPlayer: values[0], bestResponseValues, nashConv, exploitability: nashConv / 2 };
}

export function pokerChecks(
  tree: () => Tree,
  named: NamedPolicies,
): { readonly [check: string]: (config: object, inputs: JsonObject) => JsonObject } {
  const follow = (text: unknown) => {
    const b = emptyBetting();
    const t = tree();
    const moves = readHistory(t, text);
    for (let i = 0; i <= moves.length; i++) {
      t.game.follow(moves, 0, i, b);
      const a = moves[i];
      if (a !== undefined && b.over) throw wrong(`move ${i + 1} of "${String(text)}" comes after the end`);
    }
    return b;
  };
  const all: NamedPolicies = { uniform: () => uniform(tree()), ...named };
  return {
    'game-size': () => {
      const t = tree();
      return { deals: t.deals.reduce((n, d) => n + d.weight, 0), informationSets: t.infoSets.length };
    },
    'policy-evaluation': (_c, inputs) => ({ ...evaluate(tree(), readPolicy(tree(), all, inputs)) }),
    /** inputs: first, second: a policy each; or policyNames of both. */
    'cross-play': (_c, inputs) => {
      const names = inputs.policyNames as readonly string[] | undefined;
      const of = (seat: number, key: string) =>
        readPolicy(tree(), all, names === undefined ? ((inputs[key] ?? {}) as JsonObject) : { policyName: names[seat] ?? '' });
      return { valueFirstPlayer: expectedValues(tree(), of(0, 'first'), of(1, 'second'))[0] };
    },
    payoff: (_c, inputs) => {
      const { game } = tree();
      const b = follow(inputs.history);
      const rank = (card: unknown) => {
        const r = game.ranks.indexOf(String(card));
        if (r < 0) throw wrong(`"${String(card)}" is no card`);
        return r;
      };
      const cards = inputs.cards as readonly Json[];
      const shown = game.publicCards > 0 ? rank(inputs.public) : -1;
      return { terminal: b.over, payoffFirstPlayer: b.over ? payoff(b, rank(cards[0]), rank(cards[1]), shown) : 0 };
    },
    'legal-actions': (_c, inputs) => {
      const { game } = tree();
      const b = follow(inputs.history);
      const legal = game.actions.map((_, a) => a).filter((a) => !b.over && (b.legal >> a) & 1);
      return { terminal: b.over, toMove: b.over ? -1 : b.toMove, actions: legal, letters: legal.map((a) => game.letters[a] as string) };
    },
  };
}

function wrong(what: string): Error {
  return fail('file-invalid', `Poker check: ${what}.`, 'Compare with the notation of the game.');
}
