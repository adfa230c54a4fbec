/** One worker's side of SessionApi: starts a session, drives it to its end, passes commands on. Trains one seed at a time. */

import { isGymEnv } from '#contract/game/gym-id.ts';
import { fail, LabError, toFailure } from '#contract/kit/errors.ts';
import type { SessionEvent, SessionState } from '#contract/run/events.ts';
import type { DataPort, SessionApi } from '#contract/session/session.ts';
import { createSession, loadRun, type SessionOptions } from '#core/run/by-id.ts';
import type { Session } from '#core/run/session.ts';
import { openDataset } from '#storage/datasets.ts';
import type { Library } from '#storage/library.ts';
import { holdLock, lockName } from '#storage/locks.ts';
import { CheckpointWriter, stepOf } from './checkpoint-writer.ts';
import { type Clocks, Loop } from './loop.ts';
import { openOrigin } from './origin.ts';
import { RemoteSession } from './own/remote-session.ts';
import { EventPort } from './port.ts';
import { fetchWeights } from './weights.ts';

/** How long the trainer works before it lets messages in. */
const SLICE_MS = 30;

const ENDED: readonly SessionState[] = ['done', 'stopped', 'failed'];

export interface HostOptions {
  readonly library: Promise<Library>;
  readonly namespace: string;
  readonly clocks: Clocks;
  /** The engine of a seed on so many threads; without it seeds are trained on one. */
  readonly engineOn?: (threads: number) => NonNullable<SessionOptions['createEngine']>;
  /** In place of core's, for tests. */
  readonly createSession?: (options: SessionOptions) => Session;
}

export function createSessionHost({
  library,
  namespace,
  clocks,
  engineOn,
  createSession: create = createSession,
}: HostOptions): SessionApi {
  let current: { readonly session: Session; readonly loop: Loop } | null = null;
  /** Commands for the run that is being loaded, which obeys them before its first step; null: none is. */
  let early: ((session: Session) => void)[] | null = null;
  /** The run before has reported its end but may still be writing its last state. */
  let finished: Promise<void> = Promise.resolve();

  const running = (): { readonly session: Session; readonly loop: Loop } => {
    if (current === null) throw fail('internal', 'This worker trains nothing at the moment.', 'Press Train again.');
    return current;
  };

  const obey = (command: (session: Session) => void): void => {
    if (early === null) command(running().session);
    else early.push(command);
  };
  /** Asks nothing of a run that is over. */
  const obeyIfAny = (command: (session: Session) => void): void => {
    if (early !== null || current !== null) obey(command);
  };

  /** Of the run that trains or is being loaded; null: there is none. */
  const trained = (): Promise<Session> | null => {
    if (early === null) return current === null ? null : Promise.resolve(current.session);
    const waiting = early;
    return new Promise((resolve) => waiting.push(resolve));
  };

  const dataset = async (hash: string) => openDataset((await library).driver, hash);

  return {
    async start({ runId, config, seed, resume, from, edits = [], stops, step, threads = 1 }, dataPort: DataPort, sandbox) {
      if (early !== null || (current !== null && !ENDED.includes(current.session.state))) {
        throw fail('internal', 'This worker is already training.', 'Stop that run first.');
      }
      early = [];
      let release = (): void => {};
      try {
        await finished;
        if (sandbox === undefined) await loadRun(config); // else it is loaded there
        const disk = await library;
        release = await holdLock(lockName(namespace, runId, seed));
        const checkpoint = resume ? await disk.loadCheckpoint(runId, seed) : null;
        if (isGymEnv(config.env.id) && (checkpoint !== null || from !== undefined))
          throw fail(
            'incompatible',
            'A run in an environment in Python goes on only while its page is open: the state of such an environment cannot be kept.',
            'Train it again from the start.',
            'env.id',
          );
        const origin = checkpoint === null && from !== undefined ? await openOrigin(disk, from, seed) : null;
        const checkpoints = new CheckpointWriter(disk, runId, seed, checkpoint === null ? 0 : stepOf(checkpoint.saved), clocks.now);
        const options: SessionOptions = {
          config,
          seed,
          now: clocks.now,
          sliceMs: SLICE_MS,
          ...(stops === undefined ? {} : { stops }),
          ...(engineOn !== undefined && threads > 1 && { createEngine: engineOn(threads) }),
          dataset,
          weights: fetchWeights,
          ...(checkpoint === null ? {} : { resume: checkpoint.saved }),
          ...(origin === null ? {} : { resume: origin.saved, fork: from?.same !== true }),
          edits,
          onRung: (saved) => checkpoints.hold(saved),
        };
        const remote = sandbox === undefined ? null : new RemoteSession(options, sandbox);
        const session = remote ?? create(options);
        if (step !== undefined) session.stepOnce(step);
        for (const command of early) command(session);
        const port = new EventPort(dataPort, clocks.now);
        const loop = new Loop(session, port, checkpoints, clocks);
        for (const event of origin?.before ?? []) loop.tell(event);
        current = { session, loop };
        early = null;
        if (origin !== null) void loop.save(); // from its first state on it no longer needs the other run
        finished = loop
          .run()
          .catch((error: unknown) => {
            port.push({ kind: 'state', state: 'failed', step: session.step, error: toFailure(error) });
            port.flush();
          })
          .finally(() => {
            current = null;
            remote?.close();
            release();
          });
      } catch (error) {
        early = null;
        release();
        throw error;
      }
    },
    pause: async () => obeyIfAny((session) => session.pause()),
    resume: async () => obeyIfAny((session) => session.resume()),
    stepOnce: async (size) => obey((session) => session.stepOnce(size)),
    stop: async () => obeyIfAny((session) => session.stop()),
    stopAt: async (rules) => obeyIfAny((session) => session.stopAt(rules)),
    save: async () => {
      await current?.loop.save();
    },
    hold: async (edit) => (await trained())?.hold(edit) ?? null,
    release: async (edits, keep) => obeyIfAny((session) => session.release(edits, keep)),
    async simulate(config, seed, dataPort, sandbox = null, edits = []) {
      const port = dataPort === undefined ? null : new EventPort(dataPort, clocks.now);
      if (sandbox === null) await loadRun(config); // else it is loaded there
      const options: SessionOptions = { config, seed, now: clocks.now, sliceMs: SLICE_MS, dataset, weights: fetchWeights, edits };
      const remote = sandbox === null ? null : new RemoteSession(options, sandbox);
      let learned: SessionEvent | null = null;
      try {
        for await (const event of remote ?? create(options)) {
          if (event.kind === 'state' && event.error !== undefined) throw new LabError(event.error);
          if (event.kind === 'metrics' || event.kind === 'progress' || event.kind === 'result') port?.push(event);
          if (event.kind === 'policy') learned = event;
          if (event.kind !== 'result') continue;
          if (learned !== null) port?.push(learned); // what it learned, once
          port?.flush();
          return event.result;
        }
      } finally {
        remote?.close();
      }
      throw fail('internal', 'The simulation ended without a result.', 'Try again.');
    },
  };
}
