/** What training a config over seeds gave, as the last JSON line and as a table. IQM and its 95 % bootstrap interval as in math/seeds.ts. */

import type { Summary } from '#contract/files/files.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { summariseSeeds } from '#math/seeds.ts';
import { number, table } from '../kit/output.ts';
import type { SeedOutcome } from './seeds.ts';

const orNull = (value: number): number | null => (Number.isFinite(value) ? value : null);

export function summarise(config: RunConfig, outcomes: readonly SeedOutcome[]): Summary {
  const final = summariseSeeds(outcomes.map((outcome) => outcome.finalReturn));
  const evaluated = summariseSeeds(outcomes.map((outcome) => outcome.evalReturn));
  return {
    type: 'summary',
    env: config.env.id,
    algo: config.algo.id,
    config,
    executor: config.run.executor,
    seeds: outcomes.map((outcome) => ({
      seed: outcome.seed,
      finalReturn: orNull(outcome.finalReturn),
      evalReturn: orNull(outcome.evalReturn),
      evalLoops: outcome.evalLoops,
      perAgent: outcome.perAgent.map(orNull),
      steps: outcome.steps,
      seconds: outcome.seconds,
      stepsPerSecond: outcome.stepsPerSecond,
      parameterHash: outcome.parameterHash,
    })),
    iqm: { finalReturn: final.iqm, evalReturn: evaluated.iqm },
    ci95: { finalReturn: final.ci95, evalReturn: evaluated.ci95 },
  };
}

export function summaryText(summary: Summary): string {
  const rows = summary.seeds.map((seed) => [
    String(seed.seed),
    number(seed.finalReturn),
    number(seed.evalReturn) + (seed.evalLoops ? ` (${seed.evalLoops} loops)` : ''),
    number(seed.steps),
    number(seed.seconds),
    number(Math.round(seed.stepsPerSecond)),
    seed.parameterHash,
  ]);
  const lines = [table(['seed', 'final return', 'eval return', 'steps', 'seconds', 'steps/s', 'parameters'], rows)];
  for (const metric of ['finalReturn', 'evalReturn'] as const) {
    const interval = summary.ci95[metric];
    const range = interval ? `, 95 % interval ${number(interval[0])} to ${number(interval[1])}` : ', no interval below 5 seeds';
    lines.push(`${metric}: IQM ${number(summary.iqm[metric])}${range} (n = ${summary.seeds.length})`);
  }
  return lines.join('\n');
}
