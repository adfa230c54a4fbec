/** Threads of one engine in Node. They share its memory and end with the thread that started them. */
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { RunConfig } from '#contract/run/config.ts';
import { createEngine } from '#core/engine/index.ts';
import { createWasmEngine } from '#core/engine/wasm/engine.ts';
import { MOST_THREADS, type ThreadHost } from '#core/engine/wasm/threads.ts';
import { race } from '#core/run/by-id.ts';
import { UsageError } from '../kit/failure.ts';

/** The bundle puts every entry into one folder and shared code into chunks/ below it. */
function entry(name: string): string {
  const here = dirname(fileURLToPath(import.meta.url));
  return join(here.endsWith('chunks') ? dirname(here) : here, name);
}

/** `file`: the built kernel-thread.ts, where it is not beside the command line. */
export function threadHost(threads: number, file = entry('thread.mjs')): ThreadHost {
  return {
    threads,
    spawn: (start) =>
      new Promise((resolve, reject) => {
        const worker = new Worker(file, { workerData: start });
        worker.unref();
        worker.once('error', reject);
        worker.once('message', () => resolve({ terminate: () => void worker.terminate() }));
      }),
  };
}

/** The engine of a run: on the wasm executor several threads compute large products. */
export function engineOn(threads: number): typeof createEngine {
  if (threads <= 1) return createEngine;
  return (executor) => (executor === 'wasm' ? createWasmEngine({ threads: threadHost(threads) }) : createEngine(executor));
}

/**
 * How many threads compute one seed. `auto`: one where the seeds fill the cores, or where this config's training step is not at least a
 * tenth faster on the cores that are left; says on stderr which. Throws UsageError.
 */
export async function threadsFor(option: string | undefined, config: RunConfig): Promise<number> {
  if (option === undefined) return 1;
  if (option !== 'auto') {
    const threads = Number(option);
    if (!Number.isInteger(threads) || threads < 1 || threads > MOST_THREADS)
      throw new UsageError(`--threads must be an integer from 1 to ${MOST_THREADS} or auto, not "${option}".`);
    return threads;
  }
  const cores = availableParallelism();
  const most = Math.min(MOST_THREADS, Math.floor(cores / Math.min(config.run.seeds, cores)));
  const say = (threads: number, why: string): number => {
    process.stderr.write(`threads auto: ${threads} for each seed (${why})\n`);
    return threads;
  };
  if (most < 2) return say(1, `${config.run.seeds} seeds fill ${cores} cores`);
  if (config.run.executor !== 'wasm') return say(1, `only wasm divides a seed, not ${config.run.executor}`);
  const time = async (threads: number): Promise<number> => {
    const [result] = await race(config, ['wasm'], () => performance.now(), { createEngine: engineOn(threads) });
    return result?.updatesPerSecond ?? 0;
  };
  const one = await time(1);
  const several = await time(most);
  const speeds = `updates/s: 1 thread ${one.toFixed(0)}, ${most} threads ${several.toFixed(0)}`;
  return say(several > 1.1 * one ? most : 1, one === 0 ? 'no network to time' : speeds);
}
