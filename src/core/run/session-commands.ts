/** The commands of a run: what is asked for between two safe points, and the edits that the next one applies. */

import type { StopRules } from '#contract/game/stop-rules.ts';
import type { Json } from '#contract/kit/json.ts';
import type { SessionEvent } from '#contract/run/events.ts';
import { nestedEdit, nestedPath } from '#contract/run/flat-settings.ts';
import type { EditRequest, Held, StepSize } from '#contract/session/session.ts';
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
  /** Who waits for the run to stand still, and the run that does. */
  private holders: ((step: number | null) => void)[] = [];
  private free: ((keep: boolean) => void) | null = null;
  private over = false;

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
    return this.pendingEdits.length > 0 || this.dueEdits() > 0;
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
    this.pendingEdits.push({ step: this.parts.memory.step, ...this.checked(named, value) });
    this.wake();
  }

  private checked(named: string, value: Json): EditRequest {
    const { memory, algo, env } = this.parts;
    const path = nestedPath({ algo: algo.id, env: env.id }, named);
    return { path, value: checkEdit(memory, algo, env, path, value) };
  }

  /** The run stands still at its next safe point; null: none comes any more. Throws LabError('config-invalid') for an edit that cannot be made. */
  async hold({ path, value }: EditRequest): Promise<Held | null> {
    const edit = this.checked(path, value);
    if (this.over) return null;
    const step = await new Promise<number | null>((resolve) => {
      this.holders.push(resolve);
      this.wake();
    });
    return step === null ? null : { step, edit };
  }

  /** It goes on, with these edits in place of those that were to come. `keep`: the state where it stands is kept. */
  release(edits: readonly Edit[], keep: boolean): void {
    this.parts.schedule(edits);
    this.free?.(keep);
    this.wake();
  }

  /** At a safe point: stands still where that was asked for. Answers whether the state is to be kept. */
  async standStill(): Promise<boolean> {
    if (this.holders.length === 0) return false;
    const released = new Promise<boolean>((resolve) => {
      this.free = resolve;
    });
    this.answerHolders(this.parts.memory.step);
    const keep = await released;
    this.free = null;
    return keep;
  }

  /** No safe point comes any more. */
  end(): void {
    this.over = true;
    this.answerHolders(null);
  }

  private answerHolders(step: number | null): void {
    const holders = this.holders;
    this.holders = [];
    for (const answer of holders) answer(step);
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
    if (this.holders.length > 0 || this.pendingEdits.length > 0) return Promise.resolve(); // they came before anybody waited
    return new Promise((resolve) => this.woken.push(resolve));
  }

  wake(): void {
    for (const resolve of this.woken.splice(0)) resolve();
  }

  /** Edits that are due, applied; a mark for each. */
  applyEdits(): SessionEvent[] {
    const { memory, script, algo, env } = this.parts;
    const due = this.dueEdits();
    this.pendingEdits.push(...script.slice(0, due));
    this.parts.script = script.slice(due);
    return this.pendingEdits.splice(0).map((edit) => {
      const { path, value } = nestedEdit({ algo: algo.id, env: env.id }, memory.live, edit);
      applyEdit(memory, path, value);
      if (path.startsWith('env.')) this.parts.configure();
      const text = `${path} set to ${JSON.stringify(value)}`;
      return { kind: 'mark', step: memory.step, type: 'edit', text, path, value, by: 'user' };
    });
  }

  /** How many of the edits to come are due here. */
  private dueEdits(): number {
    const { script, memory } = this.parts;
    const next = script.findIndex(({ step }) => step > memory.step);
    return next < 0 ? script.length : next;
  }

  private set(command: Command): void {
    if (!this.stopped) this.command = command;
    this.wake();
  }
}
