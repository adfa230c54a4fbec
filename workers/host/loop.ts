/**
 * Drives one session: asks for the next event, hands it to the port and the checkpoints, and lets messages in
 * through a MessageChannel hop (browsers throttle timers of hidden pages, not messages). Clocks are compared around each hop:
 * where the browser froze the page, the gap becomes a mark, so that no pause goes unseen.
 */
import type { Saved, SessionEvent, SessionState } from '#contract/run/events.ts';
import type { Session } from '#core/run/session.ts';
import { within } from '#storage/within.ts';
import type { CheckpointWriter } from './checkpoint-writer.ts';
import type { EventPort } from './port.ts';

const GAP_MS = 2000;
/** A disk that does not answer keeps the end of a run back for no longer than this. */
const MOST_SAVING_MS = 5000;
/** Ends with a state that is kept. */
const ENDS: readonly SessionState[] = ['done', 'stopped'];

/** Resolves after everything that is already queued, messages included. Several may hop at once. */
export function hopper(): () => Promise<void> {
  const { port1, port2 } = new MessageChannel();
  const waiting: (() => void)[] = [];
  port1.onmessage = () => waiting.shift()?.();
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      port2.postMessage(null);
    });
}

export interface Clocks {
  /** Monotonic milliseconds; may stand still while the machine sleeps. */
  readonly now: () => number;
  /** Wall clock milliseconds. */
  readonly wall: () => number;
}

export class Loop {
  private readonly session: Session;
  private readonly port: EventPort;
  private readonly checkpoints: CheckpointWriter;
  private readonly clocks: Clocks;
  private readonly hop: () => Promise<void>;
  /** A state to write once the rows measured before it have come by. */
  private pending: Saved | null = null;
  private asking = false;
  private writing: Promise<void> = Promise.resolve();
  /** States that are being written, or wait for it. */
  private unwritten = 0;
  private waiters: (() => void)[] = [];

  constructor(session: Session, port: EventPort, checkpoints: CheckpointWriter, clocks: Clocks, hop: () => Promise<void> = hopper()) {
    this.session = session;
    this.port = port;
    this.checkpoints = checkpoints;
    this.clocks = clocks;
    this.hop = hop;
  }

  /**
   * Resolves when the run is over and its last state is on disk. That it is done, or stopped, is reported after that: a page that shows it may be
   * closed at once.
   */
  async run(): Promise<void> {
    let failed = false;
    let end: SessionEvent | null = null;
    for await (const event of this.session) {
      if (event.kind === 'state' && ENDS.includes(event.state)) {
        end = event;
        continue;
      }
      this.tell(event);
      if (event.kind === 'state') {
        failed = event.state === 'failed';
        // What follows a pause may be the end of the page: save at once.
        if (event.state === 'paused') this.ask();
      }
      if (event.kind !== 'progress') continue;
      void this.settle(); // training goes on while the disk is waited for
      if (this.unwritten === 0 && this.checkpoints.due) this.ask();
      await this.rest();
    }
    if (failed) {
      await this.writing;
      await this.checkpoints.saveCurves();
    } else {
      const written = this.writeLast();
      await within(MOST_SAVING_MS, written);
      if (end !== null) this.tell(end);
      this.port.flush();
      await written;
    }
    for (const answer of this.waiters.splice(0)) answer();
    this.port.flush();
  }

  private async writeLast(): Promise<void> {
    await this.writing;
    const last = await this.session.save().catch(() => null);
    if (last !== null) await this.write(last, true);
  }

  /** Saves at the next safe point; resolves when it is on disk (or cannot be). */
  save(): Promise<void> {
    const done = new Promise<void>((resolve) => {
      this.waiters.push(resolve);
    });
    this.ask();
    return done;
  }

  /** Sends an event, and remembers what the next checkpoint must hold of it. */
  tell(event: SessionEvent): void {
    this.checkpoints.note(event);
    this.port.push(event);
  }

  private ask(): void {
    if (this.asking) return;
    this.asking = true;
    this.session.save().then(
      (saved) => {
        this.asking = false;
        this.pending = saved;
        // A paused run has sent all its rows and sends nothing more: no one else would write this.
        if (this.session.state === 'paused') void this.settle();
      },
      () => {
        this.asking = false; // the run ended first; run() saves its last state
      },
    );
  }

  private async settle(): Promise<void> {
    const saved = this.pending;
    this.pending = null;
    if (saved !== null) await this.write(saved);
  }

  /** One after another: two writers would meet in one slot. `point`: another run can go on from it later. */
  private write(saved: Saved, point = false): Promise<void> {
    this.unwritten++;
    const answered = this.waiters.splice(0); // who asks from here on wants a later state
    this.writing = this.writing.then(async () => {
      for (const event of await this.checkpoints.save(saved, point)) this.port.push(event);
      this.unwritten--;
      for (const answer of answered) answer();
    });
    return this.writing;
  }

  /** Lets messages in. */
  private async rest(): Promise<void> {
    const { wall } = this.clocks;
    const begun = wall();
    await this.hop();
    const asleep = wall() - begun;
    if (asleep > GAP_MS) {
      const text = `The browser paused this page for ${Math.round(asleep / 1000)} s; nothing was lost.`;
      this.tell({ kind: 'mark', step: this.session.step, type: 'gap', text, by: 'system' });
    }
  }
}
