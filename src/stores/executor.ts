/**
 * On what a seed computes now. A run keeps the executor of its config; where a lost graphics device forced another one, a mark of type
 * 'executor' says so, and the seed goes on with that one, after a reload too.
 */
import type { ExecutorId } from '#contract/run/config.ts';
import { executorSchema } from '#contract/run/config.ts';
import type { Mark, RunGroup, SeedRun } from './types.ts';

export function executorMark(run: SeedRun): Mark | null {
  return run.marks.findLast(({ type }) => type === 'executor') ?? null;
}

export function executorOf(group: RunGroup, run: SeedRun): ExecutorId {
  const moved = executorSchema.safeParse(executorMark(run)?.value);
  return moved.success ? moved.data : group.config.run.executor;
}
