/**
 * Decides when a run is saved and writes what belongs together: the state at a safe point, the curve rows measured up to it, the policies
 * kept since the last save and the states on the way that are kept as points from which other runs may go on. The pause between saves starts at a few seconds and stretches so that saving takes
 * under 5 % of the time. A full disk pauses saving with one notice; training goes on.
 */

import type { KeptState } from '#contract/files/points-file.ts';
import { toFailure } from '#contract/kit/errors.ts';
import type { Saved, SessionEvent } from '#contract/run/events.ts';
import type { CheckpointAnswer, CurveChunk, KeptPolicy, Library } from '#storage/library.ts';
import { leastMissed, POINTS_SHARE, without } from '#storage/points.ts';
import { joinTables, selectRows, type Table } from './tables.ts';

const FIRST_PAUSE_MS = 3000;
const SHARE = 0.05;
const PAUSE_AFTER_FAILURE = 10; // times as long
/** Bytes of points that wait in memory for the next save; of more, fewer are kept. */
const MOST_HELD = 96 * 1024 * 1024;
/** Saves after which the room for points is looked up again: other runs take of it too. */
const ROOM_EVERY = 20;

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
  /** Points since the last save, without what lies in files already. */
  private held: KeptState[] = [];
  /** Sealed arrays that the last save has put into files. */
  private onDisk: ReadonlySet<string> = new Set();
  private room: { readonly bytes: number; readonly at: number } | null = null;
  private saves = 0;
  private toldFull = false;

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

  /** Keeps this state as a point; it is on disk with the next save at its step or later. */
  hold(saved: Saved): void {
    const names = sealedNames(saved);
    const state = without(saved, new Set(names.filter((name) => this.onDisk.has(name))));
    this.held.push({ saved: state, step: stepOf(saved), sealedNames: names });
    while (this.held.length > 1 && bytesOf(this.held) > MOST_HELD) this.held.splice(leastMissed(this.held), 1);
  }

  /**
   * Writes the state and what was measured up to it, while the run may go on; one save after another. `point`: it is kept. Answers the events
   * to tell; never throws.
   */
  async save(saved: Saved, point = false): Promise<readonly SessionEvent[]> {
    const step = stepOf(saved);
    const begun = this.now();
    const curves = this.chunks(step);
    const points = this.held.filter((state) => state.step <= step);
    const names = sealedNames(saved);
    const { policies } = this;
    // Files of what this state no longer has may go: points held meanwhile must bring it themselves.
    this.onDisk = new Set(names.filter((name) => this.onDisk.has(name)));
    try {
      const written = await this.library.saveCheckpoint(this.runId, this.seed, {
        saved,
        step,
        sealedNames: names,
        curves,
        policies,
        now: Date.now(),
        points,
        point,
        room: await this.roomForPoints(),
      });
      this.letGo(points);
      this.onDisk = new Set(names);
      this.curves = this.select((at) => at > step);
      this.policies = this.policies.filter((policy) => !policies.includes(policy));
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
      const checkpoint: SessionEvent = { kind: 'checkpoint', step, bytes: written.bytes, seconds: took / 1000, points: written.points };
      return [...recovered, ...this.tellFull(step, written), checkpoint];
    } catch (error) {
      this.letGo(points);
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

  private async roomForPoints(): Promise<number> {
    if (this.room === null || this.saves - this.room.at >= ROOM_EVERY)
      this.room = { bytes: await this.library.pointRoom(this.runId, this.seed), at: this.saves };
    this.saves++;
    return this.room.bytes;
  }

  private letGo(points: readonly KeptState[]): void {
    this.held = this.held.filter((state) => !points.includes(state));
  }

  /** Once per run: fewer points are kept than there are marks on its timeline. */
  private tellFull(step: number, { full, points }: CheckpointAnswer): readonly SessionEvent[] {
    if (!full || this.toldFull) return [];
    this.toldFull = true;
    const share = `${Math.round(100 * POINTS_SHARE)} %`;
    const kept = points.length === 0 ? 'none' : `only ${points.length}`;
    const text = `Checkpoints to fork from may take ${share} of what the browser gives this page, and that is used up: of this run ${kept} could be kept so far. Delete or export old runs on the storage page to keep more.`;
    return [{ kind: 'mark', step, type: 'warning', text, by: 'system' }];
  }

  private chunks(upTo: number): CurveChunk[] {
    return joinTables(this.select((step) => step <= upTo)).map((table) => ({ from: this.from, ...table }));
  }

  private select(wanted: (step: number) => boolean): Table[] {
    return this.curves.map((table) => selectRows(table, wanted)).filter(({ rows }) => rows.length > 0);
  }
}

/** Bytes that these states hold beside the run: full replay chunks are the run's own arrays. */
function bytesOf(states: readonly KeptState[]): number {
  let bytes = 0;
  for (const { saved, sealedNames: sealed } of states) {
    const shared = new Set(sealed);
    for (const [name, array] of Object.entries(saved.arrays)) if (!shared.has(name)) bytes += array.byteLength;
  }
  return bytes;
}

/** The training step a checkpoint was made at, as core/run/session.ts writes it. */
export function stepOf(saved: Saved): number {
  return (saved.meta.session as { readonly step: number }).step;
}

function sealedNames(saved: Saved): readonly string[] {
  const names = saved.meta.sealed;
  return Array.isArray(names) ? (names as string[]) : [];
}
