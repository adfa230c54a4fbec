/**
 * Which executor trains this very network fastest here, timed in a worker of its own that is gone afterwards: for `auto` before
 * step 0, and in the background, while nothing trains, for the offer to use the GPU.
 */
import type { ExecutorId, RunConfig } from '#contract/run/config.ts';
import { algoCard } from '#stores/catalog.ts';
import { machineStore, offerExecutor, withdrawOffer } from '#stores/machine.ts';
import { knowGpu } from './machine.ts';
import type { WatchWorker } from './workers.ts';

/** Below this an offer is not worth a question. */
const WORTHWHILE = 1.25;

export interface Winner {
  readonly executor: Exclude<ExecutorId, 'auto'>;
  readonly speedup: number; // against wasm
  readonly reason: string;
}

const EXACT: Winner = { executor: 'wasm', speedup: 1, reason: 'exact, the default' };

export async function fastestExecutor(config: RunConfig, spawn: () => WatchWorker): Promise<Winner> {
  if (algoCard(config.algo.id)?.learner !== 'network') return { ...EXACT, reason: 'exact; this algorithm trains no network' };
  const worker = spawn();
  try {
    const results = await worker.api.race({ ...config, run: { ...config.run, executor: 'wasm' } });
    const exact = results.find(({ executor }) => executor === 'wasm')?.updatesPerSecond ?? 0;
    const best = results.reduce((a, b) => (b.updatesPerSecond > a.updatesPerSecond ? b : a), { executor: 'wasm', updatesPerSecond: exact });
    if (best.executor === 'wasm' || best.executor === 'auto' || exact === 0) {
      return { ...EXACT, reason: results.length > 1 ? 'measured: the fastest here, and exact' : 'exact, and the only one here' };
    }
    const speedup = best.updatesPerSecond / exact;
    return {
      executor: best.executor as Winner['executor'],
      speedup,
      reason: `measured: ${speedup.toFixed(1)} times as fast as wasm here; within tolerance`,
    };
  } catch {
    return EXACT;
  } finally {
    worker.terminate();
  }
}

/** Measures once per network, and asks for a GPU before the first; the offer is withdrawn as soon as the draft is another one. */
export class Offers {
  private readonly spawn: () => WatchWorker;
  private readonly idle: () => boolean;
  private asked = '';

  constructor(spawn: () => WatchWorker, idle: () => boolean) {
    this.spawn = spawn;
    this.idle = idle;
  }

  async consider(config: RunConfig, hash: string): Promise<void> {
    const about = `${config.env.id} ${JSON.stringify(config.algo)}`;
    if (about !== this.asked) withdrawOffer();
    if (about === this.asked || hash === '' || config.run.executor !== 'wasm') return;
    if (algoCard(config.algo.id)?.learner !== 'network' || !this.idle()) return;
    await knowGpu();
    const { gpu, gpuInSoftware } = machineStore.getState();
    // A run may have begun while the GPU was asked for.
    if (gpu !== 'present' || gpuInSoftware || about === this.asked || !this.idle()) return;
    this.asked = about;
    const { executor, speedup } = await fastestExecutor(config, this.spawn);
    if (executor === 'webgpu' && speedup >= WORTHWHILE && this.asked === about) offerExecutor({ executor, speedup });
  }
}
