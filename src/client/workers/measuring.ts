/**
 * How fast each executor would train the draft on this machine: whole iterations for about two seconds each, one after the other, each in a
 * worker of its own that is gone afterwards. Asked for by a person, and cancelled by ending the worker.
 */

import { toFailure } from '#contract/kit/errors.ts';
import type { ExecutorId, RunConfig } from '#contract/run/config.ts';
import { beginMeasuring, endMeasuring, machineStore, measureNext, speedMeasured } from '#stores/machine.ts';
import { knowGpu } from './machine.ts';
import type { WatchWorker } from './workers.ts';

/** Longest wait for one executor: a device played by the processor may take this long to build its kernels. */
const PATIENCE_MS = 60_000;

export class Measuring {
  private readonly spawn: () => WatchWorker;
  private cancelled: (() => void) | null = null;

  constructor(spawn: () => WatchWorker) {
    this.spawn = spawn;
  }

  /** `hash`: of the draft that is measured; results of another one are not shown. */
  async start(config: RunConfig, hash: string): Promise<void> {
    this.cancel();
    await knowGpu();
    const executors: ExecutorId[] = [
      'wasm',
      ...(machineStore.getState().gpu === 'present' ? (['webgpu', 'webgpu-rollouts'] as const) : []),
    ];
    let ended = false;
    const stop = new Promise<'cancelled'>((resolve) => {
      this.cancelled = () => {
        ended = true;
        resolve('cancelled');
      };
    });
    beginMeasuring(hash);
    for (const executor of executors) {
      const tell = (stepsPerSecond: number | null, note: string): void => speedMeasured(hash, { executor, stepsPerSecond, note });
      if (ended || !measureNext(hash, executor)) break;
      const worker = this.spawn();
      let late: ReturnType<typeof setTimeout> | undefined;
      const patience = new Promise<'late'>((resolve) => {
        late = setTimeout(() => resolve('late'), PATIENCE_MS);
      });
      try {
        const found = await Promise.race([worker.api.measure(config, executor), stop, patience]);
        if (found === 'cancelled') break;
        if (found === 'late') tell(null, `No iteration within ${PATIENCE_MS / 1000} s.`);
        else tell(found.stepsPerSecond, found.started ? 'its first iteration, start included' : '');
      } catch (error) {
        const { message } = toFailure(error);
        tell(null, message);
      } finally {
        clearTimeout(late);
        worker.terminate();
      }
    }
    if (!ended) endMeasuring(hash);
  }

  /** What was measured so far stays. */
  cancel(): void {
    this.cancelled?.();
    this.cancelled = null;
    endMeasuring();
  }
}
