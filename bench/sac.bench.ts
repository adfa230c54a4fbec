/**
 * SAC's gradient steps per second as a user gets them: whole runs on slime volley (12 numbers seen, 3 buttons), one environment step for
 * every update of both critics, the policy, the temperature and the targets; replay, statistics and logging included. Each figure is
 * the median of `rounds` runs with different seeds; the clock of a run starts when learning has begun. Targets: docs/performance.md.
 */
import type { Json } from '#contract/kit/json.ts';
import { completeRun, createSession } from '#core/run/loaded.ts';
import { median } from '#math/stats.ts';
import { engineOn } from '../cli/train/threads.ts';

interface Case {
  readonly hidden: number;
  readonly batch: number;
  readonly updates: number;
  /** That compute one seed. */
  readonly threads?: number;
  readonly target: number; // gradient steps per second
}

const CASES: readonly Case[] = [
  { hidden: 64, batch: 256, updates: 4000, target: 800 },
  { hidden: 64, batch: 64, updates: 10_000, target: 2500 },
  { hidden: 256, batch: 256, updates: 500, target: 75 },
  { hidden: 256, batch: 256, updates: 500, threads: 2, target: 120 },
];
const START = 1000; // steps before learning

/** Gradient steps per second of one run. */
async function rate({ hidden, batch, updates, threads = 1 }: Case, seed: number): Promise<number> {
  const config = completeRun({
    env: { id: 'slime-volley', config: { actionType: 'buttons' } },
    algo: { id: 'sac', config: { hidden: [hidden, hidden], batchSize: batch, learningStarts: START } },
    run: { steps: START + updates, seeds: 1, evalEpisodes: 1 },
  });
  let first: { readonly at: number; readonly step: number } | null = null;
  let last = { at: 0, step: 0 };
  for await (const event of createSession({ config, seed, now: () => performance.now(), sliceMs: 10, createEngine: engineOn(threads) })) {
    if (event.kind === 'state' && event.error) throw new Error(event.error.message);
    if (event.kind !== 'progress' || event.step <= START || event.step === last.step) continue; // none of the evaluation at the end
    last = { at: performance.now(), step: event.step };
    first ??= last;
  }
  if (first === null || last.at === first.at) throw new Error('the run was too short to be timed');
  return (1000 * (last.step - first.step)) / (last.at - first.at);
}

export async function run(options: { readonly quick: boolean; readonly log: (line: string) => void }): Promise<Json> {
  const rounds = options.quick ? 2 : 5;
  const rates: number[][] = CASES.map(() => []);
  // Interleaved, so that a busy minute of the machine does not hit one of them alone.
  for (let seed = 1; seed <= rounds; seed++) {
    for (const [i, one] of CASES.entries())
      rates[i]!.push(Math.round(await rate(options.quick ? { ...one, updates: one.updates / 4 } : one, seed)));
  }
  const results: Record<string, Json> = {};
  for (const [i, { hidden, batch, target, threads }] of CASES.entries()) {
    const runs = rates[i]!;
    const middle = Math.round(median(runs));
    const name = `${hidden}-${hidden}, batch ${batch}${threads === undefined ? '' : `, ${threads} threads`}`;
    results[name] = { gradientSteps: middle, runs, target, met: middle >= target };
    options.log(`sac ${name.padEnd(32)} ${middle} gradient steps/s, median of ${runs.join(' ')} (target ${target})`);
  }
  return { unit: 'gradient steps per second, environment and replay included', env: 'slime-volley, buttons', results };
}
