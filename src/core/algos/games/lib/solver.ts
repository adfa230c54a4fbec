/**
 * What exact methods on small games share: iterate, measure, report. A step is one position of the tree looked at (all deals counted), so
 * that budgets mean work; the average strategy is the policy, because it is the average that goes to an equilibrium.
 */
import { z } from 'zod';
import type { MetricCard } from '#contract/catalog/catalog.ts';
import { fail } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { Saved } from '#contract/run/events.ts';
import type { EnvEntry, EnvMeta, SmallGame } from '#core/envs/api/types.ts';
import { type Packed, registerState } from '#core/state/checkpoint.ts';
import { exploitability } from '#math/exploitability.ts';
import { log } from '#math/functions.ts';
import type { GameTree, Strategy } from '#math/game-tree.ts';
import { hashBytes } from '#math/hash.ts';
import type { Policy, Progress, Run } from '../../api/types.ts';

export const toleranceField = z
  .number()
  .min(0)
  .max(1000)
  .default(1e-4)
  .meta({
    title: 'stop at NashConv',
    unit: 'payoff',
    description: 'Ends the run once no player could gain more than this by changing alone.',
    source: 'own choice',
    log: true,
    slider: [1e-6, 1],
    group: 'length',
  });

export const solverMetrics: readonly MetricCard[] = [
  {
    id: 'nashConv',
    title: 'NashConv',
    description: 'What both players together could gain by answering the average strategy best; 0 in an equilibrium.',
    unit: 'payoff',
  },
  { id: 'firstValue', title: 'value', description: 'What the first player gets when both play the average strategy.', unit: 'payoff' },
  { id: 'iterations', title: 'iterations', description: 'Passes over the whole game so far.' },
];

export interface Solver {
  /** Steps of one iteration. */
  readonly cost: number;
  /** Iteration t, from 1. */
  advance(t: number): void;
  average(): Strategy;
  /** Everything that changes, by its name in a checkpoint. */
  readonly arrays: { readonly [name: string]: Packed };
}

const ROWS = 500;

export async function* solve<C extends { readonly tolerance: number }>(
  run: Run<C>,
  resume: Saved | undefined,
  make: (tree: GameTree) => Solver,
): AsyncGenerator<Progress, void, void> {
  const game = smallGame(run.envEntry, run.envConfig);
  const solver = make(game.tree);
  const perRow = Math.max(1, Math.floor(run.steps / solver.cost / ROWS));
  const state = registerState({ counters: { iterations: 0 }, arrays: solver.arrays });
  const { counters } = state;
  let nashConv = Number.POSITIVE_INFINITY;
  if (resume !== undefined) {
    state.load(resume);
    nashConv = exploitability(game.tree, solver.average()).nashConv;
  }
  while (counters.iterations * solver.cost < run.steps && nashConv > run.config.tolerance) {
    for (let k = 0; k < perRow && counters.iterations * solver.cost < run.steps; k++) solver.advance(++counters.iterations);
    const { iterations } = counters;
    const average = solver.average();
    const found = exploitability(game.tree, average);
    nashConv = found.nashConv;
    yield {
      step: iterations * solver.cost,
      metrics: { nashConv, firstValue: found.values[0], iterations },
      snapshot: () => saveStrategy(average),
      save: () => state.save(),
      policy: () => strategyPolicy(run.meta, game, () => average),
      hash: () => hashBytes(packed(average)),
    };
  }
}

export function saveStrategy(strategy: Strategy): Saved {
  return { meta: {}, arrays: { strategy: packed(strategy) } };
}

/** From what `saveStrategy` gave. */
export function savedStrategyPolicy(
  context: {
    readonly meta: EnvMeta;
    readonly envEntry: Parameters<typeof smallGame>[0];
    readonly envConfig: Parameters<typeof smallGame>[1];
  },
  saved: Saved,
): Policy {
  const game: SmallGame = smallGame(context.envEntry, context.envConfig);
  const strategy = unpacked(game.tree, saved.arrays.strategy);
  return strategyPolicy(context.meta, game, () => strategy);
}

/**
 * Strategies of small games as policies: an observation names an information set, the set its probabilities. Actions are drawn even when
 * the caller asks for the greedy ones: the mixture is the point, its likeliest action alone could be exploited.
 */

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

/** A strategy that changes in place, as a checkpoint holds it. */
export const packedStrategy = (tree: GameTree, strategy: Strategy): Packed => ({
  pack: () => packed(strategy),
  unpack(numbers) {
    for (const [i, p] of unpacked(tree, numbers).entries()) strategy[i]!.set(p);
  },
});

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
        const p = now[info]!;
        const legal = tree.infoSets[info]!.actions;
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
