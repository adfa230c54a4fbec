/**
 * Decides when a run is saved and writes what belongs together: the state at a safe point, the curve rows measured up to it
 * and the policies kept since the last save. The pause between saves starts at a few seconds and stretches so that saving takes
 * under 5 % of the time. A full disk pauses saving with one notice; training goes on.
 */
import { toFailure } from '#contract/errors.ts';
import type { Saved, SessionEvent } from '#contract/events.ts';
import type { CurveChunk, KeptPolicy, Library } from '#storage/library.ts';
import { joinTables, selectRows, type Table } from './tables.ts';

const FIRST_PAUSE_MS = 3000;
const SHARE = 0.05;
const PAUSE_AFTER_FAILURE = 10; // times as long

export class CheckpointWriter {
  private readonly library: Library;
  private readonly runId: string;
  private readonly seed: number;
  private readonly now: () => number;
  private curves: Table[] = [];
  private policies: KeptPolicy[] = [];
  /** Curves on disk reach up to this step. */
  private from: number;
  private savedAt: number;
  private pauseMs = FIRST_PAUSE_MS;
  private troubled = false;

  constructor(library: Library, runId: string, seed: number, from: number, now: () => number) {
    this.library = library;
    this.runId = runId;
    this.seed = seed;
    this.from = from;
    this.now = now;
    this.savedAt = now();
  }

  /** Remembers what the next save must hold. Arrays are copied: the port gives the originals away. */
  note(event: SessionEvent): void {
    if (event.kind === 'metrics') this.curves.push({ columns: event.columns, rows: event.rows.slice() });
    if (event.kind === 'policy') {
      this.policies = this.policies.filter(({ keep }) => keep);
      this.policies.push({ snapshot: event.snapshot, keep: event.keep === true });
    }
  }

  get due(): boolean {
    return this.now() - this.savedAt >= this.pauseMs;
  }

  /** Writes the state and what was measured up to it. Answers the events to tell; never throws. */
  async save(saved: Saved): Promise<readonly SessionEvent[]> {
    const step = stepOf(saved);
    const begun = this.now();
    const curves = this.chunks(step);
    try {
      const bytes = await this.library.saveCheckpoint(this.runId, this.seed, {
        saved,
        step,
        sealedNames: sealedNames(saved),
        curves,
        policies: this.policies,
        now: Date.now(),
      });
      this.curves = this.select((at) => at > step);
      this.policies = [];
      this.from = step;
      this.savedAt = this.now();
      const took = this.savedAt - begun;
      this.pauseMs = Math.max(FIRST_PAUSE_MS, took / SHARE);
      const recovered: readonly SessionEvent[] = this.troubled
        ? [
            { kind: 'unsaved', failure: null },
            { kind: 'mark', step, type: 'recovered', text: 'This run is saved again.', by: 'system' },
          ]
        : [];
      this.troubled = false;
      return [...recovered, { kind: 'checkpoint', step, bytes, seconds: took / 1000 }];
    } catch (error) {
      this.savedAt = this.now();
      this.pauseMs = FIRST_PAUSE_MS * PAUSE_AFTER_FAILURE;
      if (this.troubled) return [];
      this.troubled = true;
      const failure = toFailure(error);
      const text = `${failure.message} ${failure.fix}`;
      return [
        { kind: 'unsaved', failure },
        { kind: 'mark', step, type: 'warning', text, by: 'system' },
      ];
    }
  }

  /** A run that failed has no state to save, but its curves up to the failure are kept. Never throws. */
  async saveCurves(): Promise<void> {
    try {
      await this.library.putCurves(this.runId, this.seed, this.chunks(Number.POSITIVE_INFINITY));
    } catch {
      // The failure itself is already reported; the curves stay on the page.
    }
  }

  private chunks(upTo: number): CurveChunk[] {
    return joinTables(this.select((step) => step <= upTo)).map((table) => ({ from: this.from, ...table }));
  }

  private select(wanted: (step: number) => boolean): Table[] {
    return this.curves.map((table) => selectRows(table, wanted)).filter(({ rows }) => rows.length > 0);
  }
}

/** The training step a checkpoint was made at, as core/run/session.ts writes it. */
export function stepOf(saved: Saved): number {
  return (saved.meta.session as { readonly step: number }).step;
}

function sealedNames(saved: Saved): readonly string[] {
  const names = saved.meta.sealed;
  return Array.isArray(names) ? (names as string[]) : [];
}
