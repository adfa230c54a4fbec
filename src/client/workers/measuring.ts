/**
 * How fast each executor would train the draft on this machine: whole iterations for about two seconds each, one after the other, each in a
 * worker of its own that is gone afterwards. Asked for by a person, and cancelled by ending the worker.
 */
import type { ExecutorId, RunConfig } from '#contract/config.ts';
import { toFailure } from '#contract/errors.ts';
import { machineStore } from '#stores/machine.ts';
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
    machineStore.setState({ speeds: { about: hash, busy: executors[0] ?? null, results: [] } });
    for (const executor of executors) {
      const tell = (stepsPerSecond: number | null, note: string): void => {
        const { speeds } = machineStore.getState();
        if (speeds?.about !== hash) return;
        machineStore.setState({ speeds: { ...speeds, results: [...speeds.results, { executor, stepsPerSecond, note }] } });
      };
      const { speeds } = machineStore.getState();
      if (ended || speeds === null || speeds.about !== hash) break;
      machineStore.setState({ speeds: { ...speeds, busy: executor } });
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
    const { speeds } = machineStore.getState();
    if (!ended && speeds?.about === hash) machineStore.setState({ speeds: { ...speeds, busy: null } });
  }

  /** What was measured so far stays. */
  cancel(): void {
    this.cancelled?.();
    this.cancelled = null;
    const { speeds } = machineStore.getState();
    if (speeds !== null) machineStore.setState({ speeds: { ...speeds, busy: null } });
  }
}
