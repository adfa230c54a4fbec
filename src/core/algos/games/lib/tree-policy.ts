/**
 * Strategies of small games as policies: an observation names an information set, the set its probabilities. Actions are drawn even when
 * the caller asks for the greedy ones: the mixture is the point, its likeliest action alone could be read by anybody.
 */
import { fail } from '#contract/errors.ts';
import type { JsonObject } from '#contract/json.ts';
import type { EnvEntry, EnvMeta, SmallGame } from '#core/envs/api/types.ts';
import { log } from '#math/functions.ts';
import type { GameTree, Strategy } from '#math/game-tree.ts';
import type { Policy } from '../../api/types.ts';

const NEVER = -1e8;

/** Throws LabError('incompatible') where the game cannot be listed. */
export function checkSmall(meta: EnvMeta, title: string): void {
  if (meta.listed === true && meta.agentCount === 2) return;
  throw fail(
    'incompatible',
    `${title} needs a game of two players that is small enough to be listed.`,
    'Choose Kuhn poker, Leduc poker or a matrix game of two, with both seats open.',
    'env.id',
  );
}

export function smallGame(entry: EnvEntry, config: JsonObject): SmallGame {
  const game = entry.create(config, 1).game?.();
  if (game === undefined) throw fail('incompatible', `${entry.title} cannot be listed.`, 'Choose another method.', 'algo.id');
  return game;
}

/** All numbers of a strategy, one information set after the other. */
export function packed(strategy: Strategy): Float64Array {
  return Float64Array.from(strategy.flatMap((p) => [...p]));
}

/** The other way round. Throws LabError('file-invalid') if it is another game's. */
export function unpacked(tree: GameTree, numbers: unknown): Strategy {
  const sizes = tree.infoSets.map(({ actions }) => actions.length);
  const total = sizes.reduce((a, b) => a + b, 0);
  if (!(numbers instanceof Float64Array) || numbers.length !== total)
    throw fail('file-invalid', 'This strategy belongs to another game.', 'Use it with the settings it was made with.');
  let at = 0;
  return sizes.map((n) => {
    at += n;
    return numbers.slice(at - n, at);
  });
}

/** Overwrites a strategy in place. */
export function restore(into: Strategy, tree: GameTree, numbers: unknown): void {
  unpacked(tree, numbers).forEach((p, i) => {
    (into[i] as Float64Array).set(p);
  });
}

/** Asks for the strategy at every call, so that it may change. */
export function strategyPolicy(meta: EnvMeta, { tree, infoSet }: SmallGame, strategy: () => Strategy): Policy {
  const none = new Float32Array(0);
  const { obsSize: O, actionCount: N } = meta;
  return {
    initial: () => none,
    act({ obs, agent, rng, rows }) {
      const now = strategy();
      const actions = new Int32Array(rows);
      const logits = new Float32Array(rows * N).fill(NEVER);
      for (let row = 0; row < rows; row++) {
        const info = infoSet(obs, row * O, agent[row]!);
        if (info < 0) {
          logits[row * N] = 0; // nothing to decide: action 0 is the one that does nothing
          continue;
        }
        const p = now[info] as Float64Array;
        const legal = (tree.infoSets[info] as { readonly actions: readonly number[] }).actions;
        let u = rng.uniform();
        let pick = 0;
        while (pick < p.length - 1 && u >= p[pick]!) u -= p[pick++]!;
        actions[row] = legal[pick]!;
        legal.forEach((a, i) => {
          if (p[i]! > 0) logits[row * N + a] = log(p[i]!);
        });
      }
      return { actions, hidden: none, logits };
    },
    dispose() {},
  };
}
