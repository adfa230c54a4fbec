/**
 * What exact methods on small games share: iterate, measure, report. A step is one position of the tree looked at (all deals counted), so
 * that budgets mean work; the average strategy is the policy, because it is the average that goes to an equilibrium.
 */
import { z } from 'zod';
import type { MetricCard } from '#contract/catalog.ts';
import type { Saved } from '#contract/events.ts';
import type { EnvMeta, SmallGame } from '#core/envs/api/types.ts';
import { exploitability } from '#math/exploitability.ts';
import type { GameTree, Strategy } from '#math/game-tree.ts';
import { hashBytes } from '#math/hash.ts';
import type { Policy, Progress, Run } from '../../api/types.ts';
import { packed, smallGame, strategyPolicy, unpacked } from './tree-policy.ts';

export const toleranceField = z
  .number()
  .min(0)
  .max(1000)
  .default(1e-4)
  .meta({
    title: 'stop at NashConv',
    unit: 'payoff',
    description: 'Ends the run once nobody could gain more than this by changing alone.',
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
  /** Everything that changes, to be saved; and back again. */
  arrays(): Saved['arrays'];
  load(arrays: Saved['arrays']): void;
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
  let iterations = 0;
  let nashConv = Number.POSITIVE_INFINITY;
  if (resume !== undefined) {
    solver.load(resume.arrays);
    iterations = resume.meta.iterations as number;
    nashConv = exploitability(game.tree, solver.average()).nashConv;
  }
  while (iterations * solver.cost < run.steps && nashConv > run.config.tolerance) {
    for (let k = 0; k < perRow && iterations * solver.cost < run.steps; k++) solver.advance(++iterations);
    const average = solver.average();
    const found = exploitability(game.tree, average);
    nashConv = found.nashConv;
    yield {
      step: iterations * solver.cost,
      metrics: { nashConv, firstValue: found.values[0], iterations },
      snapshot: () => saveStrategy(average),
      save: () => ({ meta: { iterations }, arrays: solver.arrays() }),
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
