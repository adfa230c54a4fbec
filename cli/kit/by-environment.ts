/** What commands measure of one environment after the other: until a person ends them, each written as it comes, failures told at the end. */
import { jsonRows } from '../../tools/rows.mjs';
import { CommandFailure, Interrupted } from './failure.ts';
import { machine } from './machine.ts';
import { writeWhole } from './seed-folder.ts';

/** Runs `work` with a question whether SIGINT or SIGTERM came meanwhile, which end nothing by themselves. */
export async function untilStopped<T>(work: (stopped: () => boolean) => Promise<T>): Promise<T> {
  let stopping = false;
  const stop = (): void => {
    stopping = true;
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  try {
    return await work(() => stopping);
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}

/** Ids of the environments that could not be measured, each told on stderr. Rejects with Interrupted only. */
export async function eachOf<T extends { readonly id: string }>(
  cards: readonly T[],
  measure: (card: T) => Promise<void>,
): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const card of cards) {
    try {
      await measure(card);
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      failed.push(card.id);
      process.stderr.write(`${card.id} failed: ${error instanceof Error ? error.message : String(error)}\n`);
    }
  }
  return failed;
}

/** Throws CommandFailure where some of `count` environments failed. */
export function refuseFailed(failed: readonly string[], count: number): void {
  if (failed.length > 0) throw new CommandFailure(`${failed.length} of ${count} environments failed: ${failed.join(', ')}.`);
}

/** Environments by their ids, in alphabetical order, so that a new result changes only its own lines. */
export function writeByEnvironment(file: string, results: { readonly [env: string]: unknown }): void {
  const environments = Object.fromEntries(Object.entries(results).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeWhole(file, jsonRows({ machine: machine(), environments }));
}
