/**
 * Which executor a run gets on the command line. `tfjs` is its best backend here: webgpu where this Node has one, else wasm.
 * `auto` times one training step of this very config on each (core/run/race.ts). Neither word is ever stored.
 */
import { performance } from 'node:perf_hooks';
import type { ExecutorId, RunConfig } from '#contract/run/config.ts';
import { race } from '#core/run/by-id.ts';
import { fastest } from '#core/run/race.ts';
import { prepareTfjs } from './tfjs-files.ts';

export const EXECUTORS = ['wasm', 'webgpu', 'webgpu-rollouts', 'tfjs', 'auto', 'tfjs-webgpu', 'tfjs-wasm', 'tfjs-cpu'] as const;

/** A browser has navigator.gpu; Node has it only if it was installed there. */
const hasGpu = (): boolean => 'gpu' in (globalThis.navigator ?? {});
const bestTfjs = (): Exclude<ExecutorId, 'auto'> => (hasGpu() ? 'tfjs-webgpu' : 'tfjs-wasm');

/** What a config may say for this option; `auto` is settled by withExecutor. */
export function executorFor(option: string | undefined): string | undefined {
  return option === 'tfjs' ? bestTfjs() : option;
}

/** The config with `auto` replaced by the executor that was fastest here; says on stderr which, and why. */
export async function withExecutor(config: RunConfig): Promise<RunConfig> {
  if (config.run.executor !== 'auto') return config;
  prepareTfjs();
  const gpu = hasGpu() ? (['webgpu'] as const) : [];
  const results = await race(config, ['wasm', ...gpu, bestTfjs(), 'tfjs-cpu'], () => performance.now());
  const executor = fastest(results);
  const speeds = results.map((result) => `${result.executor} ${result.updatesPerSecond.toFixed(0)}`).join(', ');
  process.stderr.write(`executor auto: ${executor}${speeds ? ` (updates/s: ${speeds})` : ''}\n`);
  return { ...config, run: { ...config.run, executor } };
}
