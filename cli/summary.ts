/** What training a config over seeds gave, as the last JSON line and as a table. IQM and its 95 % bootstrap interval as in math/stats.ts. */
import type { RunConfig } from '#contract/config.ts';
import type { Summary } from '#contract/files.ts';
import { Rng } from '#math/rng.ts';
import { bootstrapInterval, iqm } from '#math/stats.ts';
import { number, table } from './output.ts';
import type { SeedOutcome } from './seeds.ts';

/** Below five seeds no interval is honest. */
const SEEDS_FOR_INTERVAL = 5;

const orNull = (value: number): number | null => (Number.isFinite(value) ? value : null);

export function iqmOf(values: readonly number[]): number | null {
  return values.length > 0 && values.every(Number.isFinite) ? iqm(values) : null;
}

export function interval95(values: readonly number[]): [number, number] | null {
  if (values.length < SEEDS_FOR_INTERVAL || !values.every(Number.isFinite)) return null;
  const { low, high } = bootstrapInterval(
    values.map((value) => [value]),
    iqm,
    Rng.from(0),
  );
  return [low, high];
}

export function summarise(config: RunConfig, outcomes: readonly SeedOutcome[]): Summary {
  const finals = outcomes.map((outcome) => outcome.finalReturn);
  const evals = outcomes.map((outcome) => outcome.evalReturn);
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
    iqm: { finalReturn: iqmOf(finals), evalReturn: iqmOf(evals) },
    ci95: { finalReturn: interval95(finals), evalReturn: interval95(evals) },
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
