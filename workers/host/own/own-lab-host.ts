/**
 * The inside of a sandbox that the laboratory uses: the environment that a person's code defines stands among those of the catalogue, and the
 * ordinary session trains in it, the ordinary watch host plays it. What is stored, drawn and counted stays outside (remote-session.ts,
 * client/own/lab.ts).
 */
import { fail, toFailure } from '#contract/kit/errors.ts';
import { cutFailure, type LabAsk, type LabSaid, type SessionCommand } from '#contract/own/lab.ts';
import { ASKED, fromWire, PART_MS, partsOf, TAKEN, toWire } from '#contract/own/wire.ts';
import type { Saved } from '#contract/run/events.ts';
import type { WatchApi } from '#contract/session/session.ts';
import { giveWorld, loadEnv } from '#core/envs/index.ts';
import type { LineOf } from '#core/own/call.ts';
import { carrying } from '#core/own/carried.ts';
import { define, type Given } from '#core/own/definition.ts';
import { createSession, loadRun } from '#core/run/by-id.ts';
import type { Session } from '#core/run/session.ts';
import { EventPort } from '../port.ts';

/** How long training works before it lets messages in. */
const SLICE_MS = 30;
/** Texts that wait to be taken before training waits too. */
const MOST_WAITING = 4;
/** Bytes of a state that can leave a sandbox. */
const LARGEST_STATE = 140_000_000;

export interface LabHostOptions {
  readonly send: (text: string) => void;
  readonly now: () => number;
  /** Resolves after messages had their turn. */
  readonly turn: () => Promise<void>;
  readonly later: (call: () => void, ms: number) => void;
  readonly watch: WatchApi;
}

export interface LabHost {
  /** Throws LabError for code that cannot be used here. */
  open(given: Given, id: string, code: string, lineOf: LineOf): Promise<void>;
  hear(text: string): Promise<void>;
}

export function createLabHost({ send, now, turn, later, watch }: LabHostOptions): LabHost {
  const out = new Out(send, later);
  let session: Session | null = null;
  /** Commands for the run that is being loaded, which obeys them before its first iteration. */
  let early: SessionCommand[] = [];
  let port: EventPort | null = null;
  /** Arrays that the outside has and that never change. */
  let known: ReadonlySet<string> = new Set();

  /** A state without what the outside has of it. Throws LabError('storage-full'). */
  const stateOf = (saved: Saved): { readonly saved: Saved; readonly known: string[] } => {
    const size = Object.values(saved.arrays).reduce((sum, { byteLength }) => sum + byteLength, 0);
    if (size > LARGEST_STATE)
      throw fail(
        'storage-full',
        `The state of this run has ${Math.round(size / 1e6)} MB; ${LARGEST_STATE / 1e6} are the most that leave a sandbox.`,
        'Choose a smaller replay buffer, or train on the command line: rl train --env-file FILE --out FOLDER.',
      );
    const { sealed } = saved.meta;
    const lasting = Array.isArray(sealed) ? sealed.map(String) : [];
    const there = lasting.filter((name) => known.has(name));
    const without = new Set(there);
    known = new Set(lasting);
    return {
      saved: { meta: saved.meta, arrays: Object.fromEntries(Object.entries(saved.arrays).filter(([name]) => !without.has(name))) },
      known: there,
    };
  };

  const obey = (to: Session, command: SessionCommand): void => {
    if (command.do === 'step') to.stepOnce(command.size ?? undefined);
    else if (command.do === 'stopAt') to.stopAt(command.rules);
    else if (command.do === 'edit') to.edit(command.edit.path, command.edit.value);
    else if (command.do === 'release') to.release(command.edits, command.keep);
    else to[command.do]();
  };

  /** A command that is refused, a field that is not live, say, becomes a mark. */
  const tryTo = (to: Session, command: SessionCommand): void => {
    try {
      obey(to, command);
    } catch (error) {
      const { message, fix } = cutFailure(toFailure(error));
      port?.push({ kind: 'mark', step: to.step, type: 'warning', text: `${message} ${fix}`.slice(0, 2000), by: 'system' });
    }
  };

  async function train({ config, seed, resume, fork, stops, commands, edits = [] }: Extract<LabAsk, { kind: 'begin' }>): Promise<void> {
    const events = new EventPort(
      { postMessage: (batch) => out.push({ kind: 'events', events: batch.events.filter(({ kind }) => kind !== 'population') }) },
      now,
    );
    port = events;
    early = [...commands];
    try {
      await loadRun(config);
      const running = createSession({
        config,
        seed,
        now,
        sliceMs: SLICE_MS,
        ...(resume !== null && { resume }),
        ...(fork && { fork }),
        ...(stops !== null && { stops }),
        edits,
        dataset: () =>
          Promise.reject(
            fail(
              'dataset-missing',
              'Recorded data are not in the sandbox of an own environment.',
              'Choose a method that learns from its own experience.',
              'algo',
            ),
          ),
        onRung: (saved) => {
          events.flush();
          out.push({ kind: 'rung', ...stateOf(saved) });
        },
      });
      session = running;
      for (const command of early) tryTo(running, command);
      for await (const event of running) {
        events.push(event);
        if (event.kind !== 'progress') continue;
        await turn();
        await out.room(MOST_WAITING);
      }
    } catch (error) {
      events.push({ kind: 'state', state: 'failed', step: session?.step ?? 0, error: cutFailure(toFailure(error)) });
    }
    events.flush();
    out.push({ kind: 'ended' });
  }

  async function save(id: number): Promise<void> {
    if (session === null) throw fail('internal', 'This worker trains nothing at the moment.', 'Press Train again.');
    const saved = await session.save();
    port?.flush(); // rows that were measured before it come first
    out.push({ kind: 'saved', id, ...stateOf(saved) });
  }

  async function hold({ id, edit }: Extract<LabAsk, { kind: 'hold' }>): Promise<void> {
    const held = session === null ? null : await session.hold(edit);
    out.push({ kind: 'held', id, held });
  }

  async function call(id: number, method: string, args: readonly unknown[]): Promise<void> {
    const found = Object.hasOwn(watch, method) ? watch[method as keyof WatchApi] : null;
    if (found === null) throw fail('internal', `There is no question "${method}".`, 'Reload the page.');
    // only an explanation has more to tell than its answer
    const told = { postMessage: (soFar: unknown) => out.push({ kind: 'told', id, value: soFar }) };
    const value = await (found as (...given: readonly unknown[]) => Promise<unknown>)(...args, ...(method === 'explain' ? [told] : []));
    out.push({ kind: 'answer', id, value: value === undefined ? null : value });
  }

  async function answer(ask: LabAsk): Promise<void> {
    if (ask.kind === 'ping') out.push({ kind: 'here' });
    else if (ask.kind === 'begin') await train(ask);
    else if (ask.kind === 'command') {
      if (session === null) early.push(ask.command);
      else tryTo(session, ask.command);
    } else {
      try {
        await (ask.kind === 'save' ? save(ask.id) : ask.kind === 'hold' ? hold(ask) : call(ask.id, ask.method, ask.args));
      } catch (error) {
        out.push({ kind: 'refused', id: ask.id, failure: cutFailure(toFailure(error)) });
      }
    }
  }

  return {
    async open(given, id, code, lineOf) {
      if (given.kind === 'method' || given.kind === 'player')
        throw fail(
          'world-invalid',
          `This code defines a ${given.kind}, no environment.`,
          'Open it where it was written: it is trained there.',
        );
      const { env } = await define(given, id, lineOf, loadEnv);
      giveWorld(carrying(env, code));
    },
    hear: async (text) => (text === TAKEN ? out.taken() : answer(fromWire(text.slice(ASKED.length)) as LabAsk)),
  };
}

/** Characters of a part behind which the next waits a while; behind a smaller one it waits for so many milliseconds, which the frame's bound on messages asks for. */
const LARGE = 100_000;
const SMALL_MS = 4;

/** Sends texts one after another, in parts that are taken one by one. */
class Out {
  private readonly send: (text: string) => void;
  private readonly later: LabHostOptions['later'];
  private readonly parts: string[] = [];
  private waiting: (() => void)[] = [];
  /** The part that was sent and not taken yet. */
  private under: string | null = null;

  constructor(send: (text: string) => void, later: LabHostOptions['later']) {
    this.send = send;
    this.later = later;
  }

  push(value: LabSaid): void {
    this.parts.push(...partsOf(toWire(value)));
    this.next();
  }

  /** Resolves when no more than so many parts wait. */
  async room(most: number): Promise<void> {
    while (this.parts.length > most) await new Promise<void>((done) => this.waiting.push(done));
  }

  /** The outside has the part that was sent last. */
  taken(): void {
    if (this.under === null) return;
    const wait = this.under.length > LARGE ? PART_MS : SMALL_MS;
    this.later(() => {
      this.under = null;
      this.next();
    }, wait);
  }

  private next(): void {
    if (this.under !== null) return;
    this.under = this.parts.shift() ?? null;
    for (const done of this.waiting.splice(0)) done();
    if (this.under !== null) this.send(this.under);
  }
}
