/**
 * A session whose training goes on in a sandbox (own-lab-host.ts), as the session host outside takes it: events come in order, states when all that
 * was measured before them has been given out. Texts of the sandbox may be anything; the page only passes them on, so they are read here.
 */

import type { StopRules } from '#contract/game/stop-rules.ts';
import { fail, LabError } from '#contract/kit/errors.ts';
import type { Json } from '#contract/kit/json.ts';
import { Flood, type LabAsk, type LabSaid, readLabSaid, type SessionCommand, saidSomethingElse } from '#contract/own/lab.ts';
import { PartReader, toWire } from '#contract/own/wire.ts';
import type { EditOf, Saved, SessionEvent, SessionState } from '#contract/run/events.ts';
import type { EditRequest, Held, SandboxEnded, SandboxPort, StepSize } from '#contract/session/session.ts';
import type { SessionOptions } from '#core/run/by-id.ts';
import type { Session } from '#core/run/session.ts';

/** A look for words of the sandbox, and how many looks without one end it. Looks are counted, not time: a frozen page looks not at all. */
const LOOK_MS = 5000;
const ASK_AFTER = 2;
const END_AFTER = 12;

type Item = Exclude<LabSaid, { kind: 'here' | 'refused' | 'answer' | 'told' | 'held' }>;
interface Request {
  readonly resolve: (saved: Saved) => void;
  readonly reject: (error: Error) => void;
}

export class RemoteSession implements Session {
  state: SessionState = 'starting';
  step = 0;
  private readonly options: SessionOptions;
  private readonly port: SandboxPort;
  private readonly reader = new PartReader();
  private readonly flood = new Flood();
  private readonly queue: Item[] = [];
  private wake: () => void = () => {};
  /** Commands before the first iteration. */
  private before: SessionCommand[] | null = [];
  private readonly requests = new Map<number, Request>();
  private readonly holds = new Map<number, { resolve(held: Held | null): void; reject(error: Error): void }>();
  private next = 1;
  private broken: Error | null = null;
  /** Events are no longer asked for. */
  private over = false;
  /** Arrays of the state that never change: they are sent once. */
  private lasting: Saved['arrays'] = {};
  private silentLooks = 0;
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor(options: SessionOptions, port: SandboxPort) {
    this.options = options;
    this.port = port;
    port.onmessage = ({ data }) => this.hear(data);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SessionEvent, void, void> {
    const { config, seed, resume = null, fork = false, stops = null, edits = [] } = this.options;
    this.post({ kind: 'begin', config, seed, resume, fork, stops, commands: this.before ?? [], edits });
    this.before = null;
    this.timer = setInterval(() => this.look(), LOOK_MS);
    try {
      for (;;) {
        const item = this.queue.shift();
        if (item === undefined) {
          if (this.broken !== null) throw this.broken;
          await new Promise<void>((done) => {
            this.wake = done;
          });
        } else if (item.kind === 'events')
          for (const event of item.events) {
            this.follow(event);
            yield event;
          }
        else if (item.kind === 'saved') this.answer(item.id, this.whole(item));
        else if (item.kind === 'rung') this.keep(this.whole(item));
        else return;
      }
    } finally {
      this.over = true;
    }
  }

  pause(): void {
    this.command({ do: 'pause' });
  }

  resume(): void {
    this.command({ do: 'resume' });
  }

  stepOnce(size?: StepSize): void {
    this.command({ do: 'step', size: size ?? null });
  }

  stop(): void {
    this.command({ do: 'stop' });
  }

  stopAt(rules: StopRules): void {
    this.command({ do: 'stopAt', rules });
  }

  /** What the sandbox refuses comes back as a mark. */
  edit(path: string, value: Json): void {
    this.command({ do: 'edit', edit: { path, value } });
  }

  hold(edit: EditRequest): Promise<Held | null> {
    if (this.broken !== null || this.over || this.before !== null) return Promise.resolve(null);
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.holds.set(id, { resolve, reject });
      this.post({ kind: 'hold', id, edit });
    });
  }

  release(edits: readonly EditOf[], keep = false): void {
    this.command({ do: 'release', edits, keep });
  }

  save(): Promise<Saved> {
    if (this.broken !== null) return Promise.reject(this.broken);
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.requests.set(id, { resolve, reject });
      this.post({ kind: 'save', id });
    });
  }

  /** The run is over and its last state is here: the sandbox may go. */
  close(): void {
    clearInterval(this.timer);
    this.end(fail('internal', 'The run is over.', 'Train again.'));
    this.port.postMessage({ close: true });
  }

  private command(command: SessionCommand): void {
    if (this.before !== null) this.before.push(command);
    else this.post({ kind: 'command', command });
  }

  private post(ask: LabAsk): void {
    this.port.postMessage(toWire(ask));
  }

  private hear(data: string | SandboxEnded): void {
    if (this.broken !== null) return;
    this.silentLooks = 0;
    if (typeof data !== 'string') {
      this.end(new LabError(data.ended));
      return;
    }
    const said = this.read(data);
    if (said === null) return;
    if (said === 'nonsense') this.foul();
    else if (said.kind === 'refused') this.refuse(said.id, new LabError(said.failure));
    else if (said.kind === 'held') {
      this.holds.get(said.id)?.resolve(said.held);
      this.holds.delete(said.id);
    } else if (said.kind === 'saved' && this.over) this.answer(said.id, this.whole(said));
    else if (said.kind !== 'here' && said.kind !== 'answer' && said.kind !== 'told') {
      this.queue.push(said);
      this.wake();
    }
  }

  /** null: more of it is to come. */
  private read(part: string): LabSaid | null | 'nonsense' {
    let text: string | null;
    try {
      text = this.reader.take(part);
    } catch {
      return 'nonsense';
    }
    if (text === null) return null;
    const said = readLabSaid(text);
    return said === null || !this.isOfThisRun(said) ? 'nonsense' : said;
  }

  /** Policies and results are of this config and seed, and there are not more of anything than a run has. */
  private isOfThisRun(said: LabSaid): boolean {
    if (said.kind === 'rung') return !this.flood.isTooMuch(said);
    if (said.kind !== 'events') return true;
    const { config, seed } = this.options;
    return said.events.every((event) => {
      if (this.flood.isTooMuch(event)) return false;
      if (event.kind === 'result') return event.result.seed === seed;
      if (event.kind !== 'policy') return true;
      const { env, algo, seed: own } = event.snapshot;
      return env.id === config.env.id && algo.id === config.algo.id && own === seed;
    });
  }

  /** It is what it says no longer: ended here, and by the page. */
  private foul(): void {
    this.end(saidSomethingElse());
    this.port.postMessage({ close: true });
  }

  private follow(event: SessionEvent): void {
    if (event.kind === 'state') this.state = event.state;
    if (event.kind === 'state' || event.kind === 'progress') this.step = event.step;
  }

  /** A state with the arrays that were sent before. */
  private whole({ saved, known }: { readonly saved: Saved; readonly known: readonly string[] }): Saved | null {
    const before = known.map((name) => [name, Object.hasOwn(this.lasting, name) ? this.lasting[name] : undefined] as const);
    if (before.some(([, array]) => array === undefined)) return null;
    const arrays = { ...saved.arrays, ...Object.fromEntries(before) } as Saved['arrays'];
    const { sealed } = saved.meta;
    const names = Array.isArray(sealed) ? sealed.map(String) : [];
    this.lasting = Object.fromEntries(names.flatMap((name) => (Object.hasOwn(arrays, name) ? [[name, arrays[name]!]] : [])));
    return { meta: saved.meta, arrays };
  }

  private keep(saved: Saved | null): void {
    if (saved === null) this.foul();
    else this.options.onRung?.(saved);
  }

  private answer(id: number, saved: Saved | null): void {
    if (saved === null) {
      this.foul();
      return;
    }
    this.requests.get(id)?.resolve(saved);
    this.requests.delete(id);
  }

  private refuse(id: number, error: Error): void {
    for (const asked of [this.requests, this.holds]) {
      asked.get(id)?.reject(error);
      asked.delete(id);
    }
  }

  private look(): void {
    this.silentLooks++;
    if (this.silentLooks === ASK_AFTER) this.post({ kind: 'ping' });
    if (this.silentLooks === END_AFTER) this.port.postMessage({ silent: (END_AFTER * LOOK_MS) / 1000 });
  }

  private end(error: Error): void {
    if (this.broken !== null) return;
    this.broken = error;
    clearInterval(this.timer);
    for (const id of [...this.requests.keys()]) this.refuse(id, error);
    for (const { resolve } of this.holds.values()) resolve(null);
    this.wake();
  }
}
