/**
 * One training run without a worker: a complete config and a seed in, events out, commands at any time.
 *
 *   const session = createSession({ config, env, algo, seed: 1, now: () => performance.now() });
 *   for await (const event of session) { ...; await macrotask(); }   // the run goes on only while events are asked for
 *
 * Commands take effect at the next safe point (a yield of the algorithm). The clock decides when events are sent and nothing
 * else: the same config, seed and edits give the same parameters and metrics at any speed. The consumer gets control at least
 * every `sliceMs` (or after each iteration, if that is longer) and must itself let the event loop run.
 *
 * The loop is here; what it is made of stands beside it: session-parts (config, environments, engines), -commands, -saves, -evaluation, -reports.
 */
import { fail, toFailure } from '#contract/kit/errors.ts';
import type { SessionEvent, SessionState } from '#contract/run/events.ts';
import type { Progress } from '../algos/api/types.ts';
import { brokenNumbers } from './diagnoses/broken.ts';
import { warningOf } from './health.ts';
import { inputFinding } from './inputs.ts';
import { Commands } from './session-commands.ts';
import { RunEvaluation } from './session-evaluation.ts';
import { forkFailure, rungAt } from './session-memory.ts';
import { RunParts } from './session-parts.ts';
import { Reports } from './session-reports.ts';
import { Saves } from './session-saves.ts';
import type { Session, SessionOptions } from './session-types.ts';
import { stopCheck } from './stop-rules.ts';

export type { Session, SessionOptions };

export function createSession(options: SessionOptions): Session {
  const parts = new RunParts(options);
  const commands = new Commands(parts);
  const saves = new Saves(parts);
  const evaluation = new RunEvaluation(parts);
  const { memory, budget } = parts;
  const { now } = options;
  let state: SessionState = 'starting';
  let last: Progress | null = null;
  const setState = (next: SessionState): SessionEvent => {
    state = next;
    return { kind: 'state', state: next, step: memory.step };
  };

  /** The safe point: it stands still where it was asked to; edits are applied, after the state before them is kept. */
  async function safePoint(): Promise<SessionEvent[]> {
    const keep = await commands.standStill();
    if (keep || commands.hasEdits) await saves.beforeEdit(last);
    return commands.applyEdits();
  }

  async function* events(): AsyncGenerator<SessionEvent, void, void> {
    yield setState('starting');
    const trainer = await parts.train();
    await evaluation.prepare();
    const reports = new Reports(parts);
    const check = stopCheck(options.seed, memory.step);

    /** One iteration of the method, and all that is reported of it; false: it was the last. */
    async function iterate(): Promise<boolean> {
      commands.beginIteration();
      const from = now();
      const next = await trainer.next();
      memory.seconds += (now() - from) / 1000;
      if (next.done === true) return false;
      const progress = next.value;
      const before = memory.step;
      last = progress;
      memory.step = progress.step;
      memory.episodes = progress.metrics.episodes ?? memory.episodes;
      reports.out.push(...evaluation.examine(progress.metrics));
      const over = memory.step >= budget;
      const judged = await evaluation.measureIfDue(progress, before);
      commands.endIteration();
      const row = { ...parts.measures(), ...progress.metrics, ...judged?.more, evalReturn: judged?.score ?? Number.NaN };
      reports.row(row);
      const rung = rungAt(memory.step, budget);
      const onRung = rung > memory.rung;
      const kept = onRung || options.keepAt?.has(memory.step) === true;
      memory.rung = rung;
      await reports.policy(progress, kept || over);
      reports.population(progress, over);
      if (kept && !over) options.onRung?.(await saves.now(progress));
      // A request for the state at the very end is answered once the result is there: a run resumed from it has none to give.
      if (over) return false;
      const { step, seconds, episodes } = memory;
      const meanReturn = parts.first?.episodes.meanReturn() ?? progress.metrics.episodicReturn ?? Number.NaN;
      const heard = judged === null ? null : await hear(progress, judged.score);
      const reason = check(commands.stops, { step, row, seconds, episodes, meanReturn }) ?? heard;
      if (reason !== null && !commands.stopped) {
        reports.out.push({ kind: 'mark', step: memory.step, type: 'stop', text: reason, by: 'system' });
        commands.stop();
      }
      await saves.answer(progress);
      return true;
    }

    /** Tells of an evaluation; answers why the run is to end, null: it is not. */
    const hear = (progress: Progress, score: number): Promise<string | null> | string | null =>
      options.onEvaluation?.({ step: memory.step, score, snapshot: () => reports.snapshotOf(progress) }) ?? null;

    /** Until another command comes; edits and requests for the state are answered meanwhile. */
    async function* pause(): AsyncGenerator<SessionEvent, void, void> {
      yield* reports.flush();
      yield setState('paused');
      while (commands.paused) {
        const woken = commands.waiting();
        if (saves.hasRequests && last !== null) await saves.answer(last);
        else await woken;
        reports.out.push(...(await safePoint()));
        yield* reports.out.splice(0);
      }
      if (!commands.stopped) yield setState('running');
    }

    /** The last state, policy and evaluation. A run that was stopped has no result. */
    async function* end(): AsyncGenerator<SessionEvent, void, void> {
      yield* reports.flush();
      if (last === null) {
        saves.kept = parts.begun(); // its state is the one it began with, unless that is another run's
        yield setState(memory.step >= budget ? 'done' : 'stopped'); // resumed at its very end, or stopped before it began
        return;
      }
      saves.kept = await saves.now(last);
      const finished = !commands.stopped || memory.step >= budget;
      if (finished) {
        await reports.lastPolicy(last);
        if (memory.step < budget) reports.population(last, true);
        const final = await evaluation.measure(last);
        reports.row({ ...final.more, evalReturn: final.score });
        await hear(last, final.score);
        yield* reports.flush();
        yield { kind: 'result', result: await evaluation.result(last, final) };
      }
      yield setState(finished ? 'done' : 'stopped');
    }

    try {
      await parts.prepare();
      if (options.resume !== undefined) {
        const text = parts.forks ? `goes on from step ${memory.step} of another run` : `resumed at step ${memory.step}`;
        yield { kind: 'mark', step: memory.step, type: 'resume', text, by: 'system' };
      }
      yield setState('running');
      for (;;) {
        reports.out.push(...(await safePoint()));
        if (commands.stopped) break;
        if (commands.paused) yield* pause();
        else if (!(await iterate())) break;
        else if (reports.isDue) yield* reports.flush();
      }
      yield* end();
    } catch (error) {
      yield* reports.flush();
      state = 'failed';
      const failure = toFailure(error);
      const { step } = memory;
      const settings = parts.settings();
      const finding = failure.id === 'nan-input' ? inputFinding(failure, step, settings) : brokenNumbers(failure, step, settings);
      if (finding !== null) yield warningOf(finding, step);
      yield { kind: 'state', state, step, error: parts.forks && last === null ? forkFailure(failure) : failure };
    } finally {
      saves.close();
      commands.end();
      await trainer.return();
      parts.dispose();
    }
  }

  const stream = events();
  return {
    get state() {
      return state;
    },
    get step() {
      return memory.step;
    },
    pause: () => commands.pause(),
    resume: () => commands.run(),
    stepOnce: (size = 'update') => commands.step(size),
    stop: () => commands.stop(),
    stopAt(rules) {
      commands.stops = rules;
    },
    edit: (named, value) => commands.edit(named, value),
    hold: (edit) => commands.hold(edit),
    release: (edits, keep = false) => commands.release(edits, keep),
    save() {
      if (saves.kept !== null) return Promise.resolve(saves.kept);
      if (state === 'failed' || state === 'stopped' || state === 'done') {
        return Promise.reject(fail('internal', 'This run ended without a state to save.', 'Its last checkpoint is kept.'));
      }
      const saved = saves.request();
      commands.wake();
      return saved;
    },
    [Symbol.asyncIterator]: () => stream,
  };
}
