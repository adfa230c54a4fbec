/** The state of a run as bytes: for those who asked, before an edit, at the places of its ladder, and at its end. */
import { fail } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { Saved } from '#contract/run/events.ts';
import type { Progress } from '../algos/api/types.ts';
import { joinSaved } from '../state/saved.ts';
import { copyJson } from './session-memory.ts';
import type { RunParts } from './session-parts.ts';

interface Request {
  resolve(saved: Saved): void;
  reject(error: unknown): void;
}

export class Saves {
  /** The last state, once the run is over. */
  kept: Saved | null = null;
  private readonly parts: RunParts;
  private requests: Request[] = [];

  constructor(parts: RunParts) {
    this.parts = parts;
  }

  get hasRequests(): boolean {
    return this.requests.length > 0;
  }

  async now(progress: Progress): Promise<Saved> {
    const { memory, seed, algo, env } = this.parts;
    const meta = { kind: 'checkpoint', version: 1, seed, algo: algo.id, env: env.id, session: copyJson(memory) } satisfies JsonObject;
    return joinSaved(meta, { algo: await progress.save() });
  }

  /** Resolves with the state at the next safe point. */
  request(): Promise<Saved> {
    return new Promise((resolve, reject) => this.requests.push({ resolve, reject }));
  }

  async answer(progress: Progress): Promise<void> {
    if (!this.hasRequests) return;
    const saved = await this.now(progress);
    for (const { resolve } of this.take()) resolve(saved);
  }

  /** A run that goes on without an edit begins at the state before it. */
  async beforeEdit(last: Progress | null): Promise<void> {
    const { onRung } = this.parts.options;
    if (onRung === undefined) return;
    const state = last === null ? this.parts.begun() : await this.now(last);
    if (state !== null) onRung(state);
  }

  /** The run is over: those who still wait get its last state, or a failure where there is none. */
  close(): void {
    for (const { resolve, reject } of this.take()) {
      if (this.kept !== null) resolve(this.kept);
      else reject(fail('internal', 'The run ended before it could be saved.', 'Its last checkpoint is kept.'));
    }
  }

  private take(): readonly Request[] {
    const answered = this.requests;
    this.requests = [];
    return answered;
  }
}
