/**
 * What a second thread is worth to one seed: learning steps alone, and whole runs with environment, replay and logging. One thread and two
 * take turns; a figure is the median of the ratios of neighbours, so that a busy minute hits both. The parameters at the end must be equal.
 * `node`: in Node; `page`: whole runs in a Chromium page.
 *   npm run bench -- threads [--only node|page]
 */

import { type Json, type JsonObject, objectOf } from '#contract/kit/json.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { completeRun, createSession, race } from '#core/run/loaded.ts';
import { median } from '#math/stats.ts';
import { engineOn } from '../cli/train/threads.ts';
import { threadsInPage } from './threads-page.ts';
import type { BenchOptions } from './training.ts';

interface Case {
  readonly name: string;
  readonly config: RunConfig;
  /** Environment steps before which a run is not timed. */
  readonly from: number;
  /** null: the timed step has empty pictures, whose products are left out as zeros, so that it says nothing. */
  readonly learning: number | null;
  readonly whole: number;
}

const sac = (hidden: readonly number[], batchSize: number, steps: number): RunConfig =>
  completeRun({
    env: { id: 'slime-volley', config: { actionType: 'buttons' } },
    algo: { id: 'sac', config: { hidden: [...hidden], batchSize, learningStarts: 1000 } },
    run: { steps: 1000 + steps, seeds: 1, evalEpisodes: 1 },
  });

/** Targets: how many times faster two threads are to be. Networks that are too small to divide are to lose nothing. */
const CASES: readonly Case[] = [
  { name: 'SAC 256-256, batch 256', config: sac([256, 256], 256, 200), from: 1010, learning: 1.6, whole: 1.3 },
  {
    name: 'transformer 96 x 3, groups of 16',
    config: completeRun({
      env: { id: 't-reason' },
      algo: { id: 'group-rl', config: { width: 96, layers: 3, heads: 6, prompts: 16, group: 16, cloning: { kind: 'on', steps: 4 } } },
      run: { steps: 12_000, seeds: 1, evalEpisodes: 1 },
    }),
    from: 1,
    learning: 1.6,
    whole: 1.3,
  },
  {
    name: 'PPO with a convolution, MinAtar Breakout',
    config: completeRun({
      env: { id: 'minatar-breakout' },
      algo: { id: 'ppo', config: { envs: 64, minibatches: 8, filters: 16, hidden: [128], activation: 'relu', sharedTrunk: true } },
      run: { steps: 64 * 128 * 3, seeds: 1, evalEpisodes: 1 },
    }),
    from: 1,
    learning: null,
    whole: 1.3,
  },
  {
    name: 'PPO 64-64, CartPole (small)',
    config: completeRun({ env: { id: 'cartpole' }, algo: { id: 'ppo' }, run: { steps: 20_480, seeds: 1, evalEpisodes: 1 } }),
    from: 1,
    learning: 0.95,
    whole: 0.95,
  },
];

/** Steps per second of a run behind step `from`, and what it has learned. */
async function runOn({ config, from }: Case, threads: number): Promise<{ readonly speed: number; readonly hash: string }> {
  let first: { readonly at: number; readonly step: number } | null = null;
  let last = { at: 0, step: 0 };
  let hash = '';
  for await (const event of createSession({ config, seed: 1, now: () => performance.now(), sliceMs: 5, createEngine: engineOn(threads) })) {
    if (event.kind === 'state' && event.error) throw new Error(event.error.message);
    if (event.kind === 'result') hash = event.result.parameterHash;
    if (event.kind !== 'progress' || event.step < from || event.step === last.step) continue; // none of the evaluation at the end
    last = { at: performance.now(), step: event.step };
    first ??= last;
  }
  if (first === null || last.at === first.at) throw new Error('the run was too short to be timed');
  return { speed: (1000 * (last.step - first.step)) / (last.at - first.at), hash };
}

async function learningOn({ config }: Case, threads: number): Promise<number> {
  const [result] = await race(config, ['wasm'], () => performance.now(), { milliseconds: 800, createEngine: engineOn(threads) });
  return result?.updatesPerSecond ?? 0;
}

const round = (x: number): number => Number(x.toPrecision(3));

export async function run(options: BenchOptions): Promise<Json> {
  const { quick, log, only, before } = options;
  const rounds = quick ? 2 : 5;
  const wanted = (part: string): boolean => only.length === 0 || only.includes(part);
  // parts that are not asked for keep what they had
  const kept = objectOf(before);
  const results: Record<string, Json> = { ...objectOf(kept.results) };
  const page = wanted('page') ? await threadsInPage(rounds, log) : (kept.page ?? null);
  for (const one of wanted('node') ? CASES : []) {
    const learning: (readonly [number, number])[] = [];
    const whole: (readonly [number, number])[] = [];
    for (let i = 0; i < rounds; i++) {
      if (one.learning !== null) learning.push([await learningOn(one, 1), await learningOn(one, 2)]);
      const [alone, both] = [await runOn(one, 1), await runOn(one, 2)];
      if (alone.hash !== both.hash) throw new Error(`${one.name}: two threads learned something else`);
      whole.push([alone.speed, both.speed]);
    }
    const figure = (pairs: readonly (readonly [number, number])[], target: number): JsonObject => {
      const times = round(median(pairs.map(([a, b]) => b / a)));
      return { times, one: round(median(pairs.map(([a]) => a))), target, met: times >= target };
    };
    const of = { ...(one.learning !== null && { learning: figure(learning, one.learning) }), whole: figure(whole, one.whole) };
    results[one.name] = of;
    const said = Object.entries(of).map(([kind, { times }]) => `${kind} ${String(times)} x`);
    log(`${one.name.padEnd(42)} ${said.join(', ')}`);
  }
  return { unit: 'two threads over one, medians of ratios; updates/s and environment steps/s of one thread beside', results, page };
}
