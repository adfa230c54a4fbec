/** Where a fork begins: a state of another run, and what that run had measured and kept up to it. */
import { fail } from '#contract/kit/errors.ts';
import type { Saved, SessionEvent } from '#contract/run/events.ts';
import type { Origin } from '#contract/session/session.ts';
import type { Library } from '#storage/library.ts';
import { stepOf } from './checkpoint-writer.ts';
import { selectRows } from './tables.ts';

export interface OpenOrigin {
  readonly saved: Saved;
  /** Curve rows and kept policies up to it, as the fork's own. */
  readonly before: readonly SessionEvent[];
}

/** Throws LabError('file-invalid') where this seed of that run has no such checkpoint any more. */
export async function openOrigin(library: Library, { runId, step }: Origin, seed: number): Promise<OpenOrigin> {
  const loaded = await library.loadCheckpoint(runId, seed, step);
  // A run that goes on may have put another state in its place while this one was read.
  if (loaded === null || stepOf(loaded.saved) !== step) {
    throw fail(
      'file-invalid',
      `The checkpoint of seed ${seed} at step ${step.toLocaleString('en')} from which this run was to go on is not stored any more.`,
      'Fork again from another checkpoint.',
    );
  }
  const before: SessionEvent[] = [];
  for (const { columns, rows } of await library.curves(runId, seed)) {
    const shared = selectRows({ columns, rows }, (at) => at <= step);
    if (shared.rows.length > 0) before.push({ kind: 'metrics', ...shared });
  }
  for (const { snapshot, keep } of await library.policies(runId, seed)) {
    if (keep && snapshot.step <= step) before.push({ kind: 'policy', snapshot, keep });
  }
  return { saved: loaded.saved, before };
}
