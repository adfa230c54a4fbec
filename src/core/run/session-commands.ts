/** The commands of a run: what is asked for between two safe points, and the edits that the next one applies. */

import type { StopRules } from '#contract/game/stop-rules.ts';
import type { Json } from '#contract/kit/json.ts';
import type { SessionEvent } from '#contract/run/events.ts';
import { nestedEdit, nestedPath } from '#contract/run/flat-settings.ts';
import type { StepSize } from '#contract/session/session.ts';
import { checkEdit } from './edits.ts';
import { applyEdit, type Edit } from './session-memory.ts';
import type { RunParts } from './session-parts.ts';

/** `once`: one iteration, then pause; `episode`: until one has ended, then pause. */
type Command = 'run' | 'pause' | 'once' | 'episode' | 'stop';

export class Commands {
  stops: StopRules;
  private readonly parts: RunParts;
  private command: Command = 'run';
  private readonly pendingEdits: Edit[] = [];
  /** Episodes finished when the next one was asked for. */
  private episodesBefore = 0;
  private readonly woken: (() => void)[] = [];

  constructor(parts: RunParts) {
    this.parts = parts;
    this.stops = parts.options.stops ?? {};
  }

  get stopped(): boolean {
    return this.command === 'stop';
  }

  get paused(): boolean {
    return this.command === 'pause';
  }

  get hasEdits(): boolean {
    return this.pendingEdits.length > 0;
  }

  run(): void {
    this.set('run');
  }

  pause(): void {
    if (!this.stopped) this.command = 'pause'; // what waits is paused already
  }

  step(size: StepSize): void {
    this.episodesBefore = this.parts.finishedEpisodes();
    this.set(size === 'update' ? 'once' : 'episode');
  }

  stop(): void {
    this.command = 'stop';
    this.wake();
  }

  /** Throws LabError('config-invalid'). */
  edit(named: string, value: Json): void {
    const { memory, algo, env } = this.parts;
    const path = nestedPath({ algo: algo.id, env: env.id }, named);
    this.pendingEdits.push({ step: memory.step, path, value: checkEdit(memory, algo, env, path, value) });
    this.wake();
  }

  /** A single iteration begins. */
  beginIteration(): void {
    if (this.command === 'once') this.command = 'pause';
  }

  /** An iteration is over: pauses where an episode was asked for and one has ended. */
  endIteration(): void {
    if (this.command === 'episode' && this.parts.finishedEpisodes() > this.episodesBefore) this.command = 'pause';
  }

  /** Resolves with the next command, edit or request. */
  waiting(): Promise<void> {
    return new Promise((resolve) => this.woken.push(resolve));
  }

  wake(): void {
    for (const resolve of this.woken.splice(0)) resolve();
  }

  /** Edits that are due, applied; a mark for each. */
  applyEdits(): SessionEvent[] {
    const { memory, script, algo, env } = this.parts;
    while (script[0] !== undefined && script[0].step <= memory.step) this.pendingEdits.push(script.shift() as Edit);
    return this.pendingEdits.splice(0).map((edit) => {
      const { path, value } = nestedEdit({ algo: algo.id, env: env.id }, memory.live, edit);
      applyEdit(memory, path, value);
      if (path.startsWith('env.')) this.parts.configure();
      const text = `${path} set to ${JSON.stringify(value)}`;
      return { kind: 'mark', step: memory.step, type: 'edit', text, path, value, by: 'user' };
    });
  }

  private set(command: Command): void {
    if (!this.stopped) this.command = command;
    this.wake();
  }
}
