/** Removing runs, with an undo that holds for a while. */

import { dropPolicies } from '#client/runs/policies.ts';
import type { RunPersistence } from '#client/runs/run-persistence.ts';
import { curves } from '#stores/curves.ts';
import { bringRunBack, findGroup, removeRun, runsStore } from '#stores/runs.ts';
import type { RunGroup, SeedRun } from '#stores/types.ts';

/** How long a removed run can be brought back. */
const UNDO_MS = 15_000;
const GOING_ON: readonly SeedRun['state'][] = ['running', 'starting', 'queued', 'paused'];

export interface RemovalOptions {
  readonly persistence: Promise<RunPersistence>;
  /** Ends a run's workers at once. */
  readonly kill: (runId: string) => void;
}

export class Removal {
  private readonly options: RemovalOptions;
  /** Removed runs that can still come back. */
  private readonly removed = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(options: RemovalOptions) {
    this.options = options;
  }

  /** Answers the undo. */
  remove(runId: string): () => void {
    const group = findGroup(runId);
    if (group === null) return () => {};
    this.options.kill(runId);
    const { activeId } = runsStore.getState();
    removeRun(runId);
    this.removed.set(
      runId,
      setTimeout(() => this.forget(runId), UNDO_MS),
    );
    return () => this.bringBack(group, activeId);
  }

  /** The page closes: nothing can be undone any more. */
  forgetRemoved(): void {
    for (const runId of [...this.removed.keys()]) this.forget(runId);
  }

  private forget(runId: string): void {
    clearTimeout(this.removed.get(runId));
    this.removed.delete(runId);
    curves.drop(runId);
    dropPolicies(runId);
    // A disk that fails here leaves an orphan, which the next visit sweeps away.
    void this.options.persistence.then((persistence) => persistence.remove(runId)).catch(() => {});
  }

  private bringBack(group: RunGroup, activeId: string | null): void {
    const timer = this.removed.get(group.id);
    if (timer === undefined) return;
    clearTimeout(timer);
    this.removed.delete(group.id);
    const seeds = group.seeds.map((run) => (GOING_ON.includes(run.state) ? { ...run, state: 'interrupted' as const } : run));
    bringRunBack({ ...group, seeds }, activeId);
  }
}
