/** Rows of the bench page that a worker computes: one worker for each, gone afterwards, so that cancelling is ending it. */
import type { BenchValue } from '#contract/run/bench.ts';
import { knowGpu } from './machine.ts';
import { spawnWatch } from './workers.ts';

export interface Measured {
  /** Rejects with what kept the row from being measured; never settles once it was cancelled. */
  readonly value: Promise<BenchValue>;
  cancel(): void;
}

/** So that a result names the graphics card. */
export async function knowMachine(): Promise<void> {
  await knowGpu();
}

export function benchRow(id: string): Measured {
  let ended = (_: Error): void => undefined;
  const death = new Promise<never>((_, reject) => {
    ended = reject;
  });
  const worker = spawnWatch(`rl-workbench:bench ${id} ${crypto.getRandomValues(new Uint32Array(1))}`, (message) =>
    ended(new Error(message)),
  );
  return { value: Promise.race([worker.api.bench(id), death]).finally(() => worker.terminate()), cancel: () => worker.terminate() };
}
