/**
 * PSRO on small games: best responses, payoffs and NashConv are exact. A member plays both seats; with the Nash meta-solver this is the
 * double oracle (McMahan et al. 2003) on the game in which seats are drawn. A step is one position of the tree looked at.
 * In matrix games the risk-averse solver's responses are risk-averse too: best mean minus aversion times variance over whom one meets.
 */
import type { Saved } from '#contract/events.ts';
import type { GameCard } from '#contract/payoffs.ts';
import type { PopulationReport } from '#contract/population.ts';
import { bestResponse, expectedValues, exploitability } from '#math/exploitability.ts';
import { addRealisation, type GameTree, mixtureOf, type Strategy, sizeOf, uniform, zerosLike } from '#math/game-tree.ts';
import { hashBytes } from '#math/hash.ts';
import type { Progress, Run } from '../../api/types.ts';
import type { MetaSolverConfig } from './meta-solver.ts';
import { solveMeta } from './meta-solver.ts';
import { saveStrategy } from './solver.ts';
import { packed, smallGame, strategyPolicy, unpacked } from './tree-policy.ts';

export interface ExactPsroConfig extends MetaSolverConfig {
  readonly tolerance: number;
}

interface Member {
  readonly strategy: Strategy;
  readonly step: number;
}

/** What the first gets when seats are drawn. */
function payoff(tree: GameTree, a: Strategy, b: Strategy): number {
  return (expectedValues(tree, a, b)[0] + expectedValues(tree, b, a)[1]) / 2;
}

/** Mean minus aversion times variance over the other's choice, best action of both players. */
function carefulResponse(tree: GameTree, { actions, pay }: GameCard, mixture: Strategy, aversion: number): Strategy {
  const columns = (actions[1] ?? []).length;
  return tree.infoSets.map(({ actions: own }, player) => {
    const other = mixture[1 - player] as Float64Array;
    const worth = own.map((a) => {
      const gets = Array.from(other, (_, o) => pay[player === 0 ? a * columns + o : o * columns + a]?.[player] ?? 0);
      const mean = gets.reduce((sum, v, o) => sum + v * other[o]!, 0);
      return mean - aversion * gets.reduce((sum, v, o) => sum + (v - mean) ** 2 * other[o]!, 0);
    });
    const pure = new Float64Array(own.length);
    pure[worth.indexOf(Math.max(...worth))] = 1;
    return pure;
  });
}

export async function* psroExact(run: Run<ExactPsroConfig>, resume: Saved | undefined): AsyncGenerator<Progress, void, void> {
  const c = run.config;
  const game = smallGame(run.envEntry, run.envConfig);
  const { tree } = game;
  const size = sizeOf(tree);
  const members: Member[] = [];
  const pay: number[][] = [];
  let metas: { readonly step: number; readonly mixture: readonly number[] }[] = [];
  let step = 0;
  const join = (strategy: Strategy): void => {
    const all = [...members, { strategy, step }];
    const row = all.map((other) => payoff(tree, strategy, other.strategy));
    pay.forEach((line, i) => {
      line.push(payoff(tree, (members[i] as Member).strategy, strategy));
    });
    pay.push(row);
    members.push({ strategy, step });
    step += 2 * size * members.length;
  };
  const mix = (): Strategy => {
    const mixture = solveMeta(pay, c);
    metas = [...metas, { step, mixture }];
    const sums = zerosLike(tree);
    members.forEach(({ strategy }, i) => {
      addRealisation(tree, strategy, mixture[i]!, sums);
    });
    return mixtureOf(sums);
  };
  let average: Strategy;
  if (resume === undefined) {
    join(uniform(tree));
    average = mix();
  } else {
    const kept = resume.meta as unknown as { pay: number[][]; steps: number[]; metas: typeof metas; step: number };
    kept.steps.forEach((born, i) => {
      members.push({ strategy: unpacked(tree, resume.arrays[`member${i}`]), step: born });
    });
    pay.push(...kept.pay.map((line) => [...line]));
    metas = kept.metas;
    step = kept.step;
    average = unpacked(tree, resume.arrays.average);
  }
  let nashConv = exploitability(tree, average).nashConv;
  let fresh = true; // the last response was a new one
  let begun = resume !== undefined;
  while (step < run.steps && (!begun || (nashConv > c.tolerance && fresh))) {
    begun = true;
    // 1. Both seats answer the mixture.
    const careful = c.metaSolver === 'risk-averse' && run.meta.game !== undefined;
    const answers = [bestResponse(tree, average, 0).strategy, bestResponse(tree, average, 1).strategy];
    const response = careful
      ? carefulResponse(tree, run.meta.game as GameCard, average, c.aversion)
      : tree.infoSets.map(({ player }, i) => answers[player]?.[i] as Float64Array);
    step += 2 * size;
    // 2. It joins; a mixture that depends on payoffs alone would not change by a copy.
    const same = packed(response).join();
    const known = members.some(({ strategy }) => packed(strategy).join() === same);
    fresh = c.metaSolver === 'uniform' || !known;
    if (fresh) {
      join(response);
      average = mix();
    }
    const found = exploitability(tree, average);
    nashConv = found.nashConv;
    const now = average;
    const at = step;
    yield {
      step,
      metrics: { nashConv, firstValue: found.values[0], members: members.length },
      snapshot: () => saveStrategy(now),
      save: () => ({
        meta: {
          pay: pay.map((line) => [...line]),
          steps: members.map((m) => m.step),
          metas: metas.map((m) => ({ step: m.step, mixture: [...m.mixture] })),
          step,
        },
        arrays: { average: packed(now), ...Object.fromEntries(members.map((m, i) => [`member${i}`, packed(m.strategy)])) },
      }),
      policy: () => strategyPolicy(run.meta, game, () => now),
      hash: () => hashBytes(packed(now)),
      population: (): PopulationReport => ({
        step: at,
        members: members.map((m, i) => ({ id: i === 0 ? 'start' : `response ${i}`, role: 'response', step: m.step, elo: null })),
        payoffs: pay.map((line) => [...line]),
        games: pay.map((line) => line.map(() => 0)),
        meta: metas.map((m) => m.mixture),
        metaSteps: metas.map((m) => m.step),
      }),
    };
  }
}
