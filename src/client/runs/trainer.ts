/** The life of runs: train, pause, resume, step, stop, remove; what happens when a worker is lost. */

import { NOT_LOADED } from '#client/workers/downloads.ts';
import type { StopRules } from '#contract/game/stop-rules.ts';
import { utf8 } from '#contract/kit/canonical.ts';
import type { Failure } from '#contract/kit/errors.ts';
import { toFailure } from '#contract/kit/errors.ts';
import type { ExecutorId, RunConfig } from '#contract/run/config.ts';
import { configHash, sha256 } from '#contract/run/config-hash.ts';
import type { EditOf } from '#contract/run/events.ts';
import type { Origin } from '#contract/run/origin.ts';
import { freeName, nameOfRun, newRunId } from '#contract/run/run-names.ts';
import type { StepSize } from '#contract/session/session.ts';
import { curves } from '#stores/curves.ts';
import { executorOf } from '#stores/executor.ts';
import { addRun, changeGroup, changeSeed, findGroup, findSeed, forkStep, newSeed, nextLook, runsStore } from '#stores/runs.ts';
import type { Mark, Parent, RunGroup, SeedRun } from '#stores/types.ts';
import type { Inbox } from './inbox.ts';
import { cutPolicies } from './policies.ts';
import type { Job, Pool } from './pool.ts';

/** A seed whose worker is lost this often without getting further has failed. */
const MOST_LOSSES = 3;

/** A second lost device within this time (ms) and the seed moves to the next executor. */
const DEVICE_PATIENCE_MS = 5 * 60_000;

/** Where a seed goes when its device is lost for good. The page's own wasm ends the chain: it runs everywhere and needs no device. */
const NEXT_EXECUTOR: { readonly [executor: string]: ExecutorId } = {
  webgpu: 'wasm',
  'webgpu-rollouts': 'wasm',
  'tfjs-webgpu': 'tfjs-webgl',
  'tfjs-webgl': 'wasm',
};

/** Time for a worker to report a gap itself, ms. */
const NOTICE_MS = 500;

export const LIVE_STATES: readonly SeedRun['state'][] = ['starting', 'running'];
/** It trains, or waits for a worker. */
export const isUnderWay = ({ state }: Pick<SeedRun, 'state'>): boolean => LIVE_STATES.includes(state) || state === 'queued';
const RESUMABLE: readonly SeedRun['state'][] = ['paused', 'interrupted', 'stopped', 'failed'];

export interface TrainerOptions {
  readonly pool: () => Pool;
  readonly inbox: Inbox;
  readonly envTitle: (id: string) => string;
  readonly algoTitle: (id: string) => string;
  readonly now: () => number;
  readonly random: () => number;
}

export interface TrainOptions {
  /** One of many, which neither becomes the active run nor draws its curves. */
  readonly quiet?: boolean;
  /** It is a fork; the seeds that are named there begin at these states. */
  readonly parent?: Parent | null;
  /** When its seeds end early. */
  readonly stops?: StopRules | undefined;
  /** It waits for its first step. */
  readonly paused?: boolean;
  /** Live edits that it begins with, each at a step, and the marks that each seed brings from the run that it goes on from. */
  readonly edits?: readonly EditOf[];
  readonly marksOf?: (seed: number) => readonly Mark[];
  /** Before all that wait. */
  readonly first?: boolean;
  /** In place of its method and environment. */
  readonly name?: string;
  readonly origin?: Origin | undefined;
}

export class Trainer {
  private readonly options: TrainerOptions;
  private readonly losses = new Map<string, { step: number; count: number }>();
  /** When each seed lost a device. */
  private readonly deviceLosses = new Map<string, number[]>();

  constructor(options: TrainerOptions) {
    this.options = options;
  }

  /** Makes a run of a complete config and queues its seeds. Answers its id. */
  train(
    config: RunConfig,
    executorReason: string,
    { quiet = false, parent = null, stops = {}, paused = false, origin, edits, marksOf = () => [], first = false, name }: TrainOptions = {},
  ): string {
    const { now, random, envTitle, algoTitle, pool } = this.options;
    const { groups } = runsStore.getState();
    const state = paused ? 'paused' : 'queued';
    const seeds = Array.from({ length: config.run.seeds }, (_, i): SeedRun => {
      const seed = config.run.seedStart + i;
      return { ...newSeed(seed), state, marks: marksOf(seed) };
    });
    const group: RunGroup = {
      ...nextLook(groups),
      id: newRunId(config, now(), random()),
      name: freeName(
        name ?? nameOfRun(algoTitle(config.algo.id), envTitle(config.env.id)),
        groups.map(({ name }) => name),
      ),
      config,
      hash: hashOf(config, parent),
      createdAt: now(),
      visible: !quiet,
      note: '',
      parent,
      executorReason,
      ...(Object.keys(stops).length > 0 && { stops }),
      ...(origin !== undefined && { origin }),
      ...(edits !== undefined && { edits }),
      seeds,
    };
    addRun(group, quiet);
    if (!paused)
      pool().add(
        seeds.map((run) => this.jobOf(group, run, false)),
        first,
      );
    return group.id;
  }

  /**
   * These runs, which wait for their first step, train beside each other: the first seed of each begins at once, on a machine of few cores too, and
   * the other seeds follow in turn before all that wait.
   */
  trainBeside(runIds: readonly string[]): void {
    const groups = runIds.flatMap((id) => findGroup(id) ?? []);
    const most = Math.max(0, ...groups.map(({ seeds }) => seeds.length));
    const inTurn = Array.from({ length: most }, (_, at) =>
      groups.flatMap((group) => (group.seeds[at] ? [this.jobOf(group, group.seeds[at], false)] : [])),
    );
    for (const { runId, seed } of inTurn.flat()) changeSeed(runId, seed, (run) => ({ ...run, state: 'queued' }));
    const [first = [], ...later] = inTurn;
    this.options.pool().begin(first);
    this.options.pool().add(later.flat(), true);
  }

  pause(runId: string): void {
    for (const { seed } of this.options.pool().unqueue(runId)) changeSeed(runId, seed, (run) => ({ ...run, state: 'paused' }));
    this.command(runId, (api) => api.pause());
  }

  /** Goes on where it stood; what has no worker any more continues from its checkpoint, bit for bit. A rule that ended it holds no more. */
  resume(runId: string): void {
    if (findGroup(runId)?.seeds.some(endedByRule) === true) changeGroup(runId, ({ stops: _, ...group }) => group);
    const group = findGroup(runId);
    if (group === null || group.elsewhere === true) return;
    const pool = this.options.pool();
    const jobs: Job[] = [];
    for (const run of group.seeds) {
      if (this.options.inbox.isEnding(runId, run.seed)) continue;
      const api = pool.apiOf(runId, run.seed);
      if (api !== null) {
        this.send(runId, run.seed, api.resume()); // where it trains: a pause may not be reported yet
      } else if (RESUMABLE.includes(run.state) && !pool.isQueued(runId, run.seed)) {
        jobs.push(this.jobOf(group, run, true));
        this.rewind(runId, run.seed);
      }
    }
    pool.add(jobs);
  }

  stop(runId: string): void {
    for (const { seed } of this.options.pool().unqueue(runId)) changeSeed(runId, seed, (run) => ({ ...run, state: 'stopped' }));
    const withWorker = new Set(findGroup(runId)?.seeds.filter(({ seed }) => this.options.pool().apiOf(runId, seed) !== null));
    changeGroup(runId, (group) => ({
      ...group,
      seeds: group.seeds.map((run) =>
        !withWorker.has(run) && (run.state === 'paused' || run.state === 'interrupted') ? { ...run, state: 'stopped' } : run,
      ),
    }));
    this.command(runId, (api) => api.stop());
  }

  /** From now on these rules end the seeds of this run, those that wait included. */
  stopAt(runId: string, rules: StopRules): void {
    changeGroup(runId, (group) => ({ ...group, stops: rules }));
    this.options.pool().change(runId, (job) => ({ ...job, stops: rules }));
    this.command(runId, (api) => api.stopAt(rules));
  }

  /** One step of the first seed that can do one; the others pause. */
  stepOnce(runId: string, size: StepSize = 'update'): void {
    const group = findGroup(runId);
    const pool = this.options.pool();
    const first = group?.seeds.find(({ seed, state }) => state !== 'done' && pool.apiOf(runId, seed) !== null);
    if (first === undefined) {
      const next = group?.seeds.find(({ seed, state }) => RESUMABLE.includes(state) && !pool.isQueued(runId, seed));
      if (group === null || next === undefined || group.elsewhere === true) return;
      this.rewind(runId, next.seed);
      pool.add([{ ...this.jobOf(group, next, true), step: size }]);
      return;
    }
    for (const { seed } of group?.seeds ?? []) {
      const api = pool.apiOf(runId, seed);
      if (api !== null) this.send(runId, seed, seed === first.seed ? api.stepOnce(size) : api.pause());
    }
  }

  /** From now on these are the live edits of this run, each at a step: of its seeds that wait, too. */
  schedule(runId: string, edits: readonly EditOf[]): void {
    changeGroup(runId, (group) => ({ ...group, edits }));
    this.options.pool().change(runId, (job) => ({ ...job, edits }));
  }

  /** These seeds, which train and whose states are kept, give their workers up and wait behind all that wait. */
  standBack(runId: string, seeds: readonly number[]): void {
    const pool = this.options.pool();
    const waiting = pool.unqueue(runId);
    for (const seed of seeds) this.rewind(runId, seed);
    const group = findGroup(runId);
    if (group === null) return;
    pool.add([...group.seeds.filter(({ seed }) => seeds.includes(seed)).map((run) => this.jobOf(group, run, true)), ...waiting]);
    for (const seed of seeds) pool.end(runId, seed);
  }

  /** Asks the workers of this run for a checkpoint; resolves when it is on disk. One that is refused leaves what there was. */
  async save(runId: string): Promise<void> {
    const apis = (findGroup(runId)?.seeds ?? []).map(({ seed }) => this.options.pool().apiOf(runId, seed));
    await Promise.allSettled(apis.map((api) => api?.save()));
  }

  /** Asks every training worker for a checkpoint: the page may be about to vanish. */
  saveAll(): void {
    for (const api of this.options.pool().apis()) api.save().catch(() => {}); // nothing more can be done on the way out
  }

  /** The browser froze the page: every run that goes on gets a mark, unless its worker noticed by itself. */
  wasFrozen(ms: number): void {
    const text = `The browser froze this page for ${Math.max(1, Math.round(ms / 1000)).toLocaleString('en')} s; nothing was lost.`;
    const gaps = ({ marks }: SeedRun): number => marks.filter(({ type }) => type === 'gap').length;
    for (const { id, seeds } of runsStore.getState().groups) {
      for (const before of seeds.filter(({ state }) => LIVE_STATES.includes(state))) {
        setTimeout(() => {
          const run = findSeed(id, before.seed);
          if (run === null || gaps(run) > gaps(before)) return;
          this.options.inbox.tell(id, run.seed, { kind: 'mark', step: run.step, type: 'gap', text, by: 'system' });
        }, NOTICE_MS);
      }
    }
  }

  /** A worker is gone: reports it, and go on from the checkpoint in a new one, on another executor if it must be. */
  lost(job: Job, why: string, device?: 'lost' | 'missing'): void {
    const { runId, seed } = job;
    const run = findSeed(runId, seed);
    const group = findGroup(runId);
    if (run === null || group === null) return;
    const step = Math.max(0, run.checkpointStep);
    const key = `${runId}/${seed}`;
    const before = this.losses.get(key);
    const count = before !== undefined && before.step === step ? before.count + 1 : 1;
    this.losses.set(key, { step, count });
    const from = step.toLocaleString('en');
    if (count >= MOST_LOSSES && device === undefined) {
      const error: Failure =
        why === NOT_LOADED
          ? {
              id: 'worker-lost',
              message: `The code that trains seed ${seed} could not be loaded: the network did not answer ${count} times, and that code is not kept on this device.`,
              fix: `Connect to the network, then press Resume: it goes on from step ${from}.`,
            }
          : {
              id: 'worker-lost',
              message: `The worker that trained seed ${seed} was lost ${count} times at the same point (${why}).`,
              fix: `Resume tries again from step ${from}; a smaller network or fewer seeds at once need less memory.`,
            };
      this.options.inbox.tell(runId, seed, { kind: 'state', state: 'failed', step, error });
      return;
    }
    const text = `The worker that trained seed ${seed} was lost (${why}); a new one goes on from step ${from}.`;
    this.options.inbox.tell(runId, seed, { kind: 'mark', step, type: 'warning', text, by: 'system' });
    if (device !== undefined) this.moveOn(group, run, step, device);
    const wasPaused = run.state === 'paused';
    this.rewind(runId, seed);
    if (wasPaused) changeSeed(runId, seed, (one) => ({ ...one, state: 'interrupted' }));
    else this.options.pool().add([this.jobOf(group, findSeed(runId, seed) ?? run, true)], true);
  }

  /** A device that is lost twice in a short time, or gone, will not come back: the next executor takes over, and the run says so. */
  private moveOn(group: RunGroup, run: SeedRun, step: number, device: 'lost' | 'missing'): void {
    const key = `${group.id}/${run.seed}`;
    const now = this.options.now();
    const recent = [...(this.deviceLosses.get(key) ?? []).filter((at) => now - at < DEVICE_PATIENCE_MS), now];
    this.deviceLosses.set(key, recent);
    const executor = executorOf(group, run);
    const next = NEXT_EXECUTOR[executor];
    if (next === undefined || (device === 'lost' && recent.length < 2)) return;
    this.deviceLosses.delete(key);
    const text = `From step ${step.toLocaleString('en')} on, seed ${run.seed} trains on ${next}: ${executor} ${device === 'lost' ? 'lost its graphics device twice' : 'finds no graphics device any more'}.`;
    this.options.inbox.tell(group.id, run.seed, {
      kind: 'mark',
      step,
      type: 'executor',
      text,
      path: 'run.executor',
      value: next,
      by: 'system',
    });
  }

  /** A seed that another tab trains stays what it is here; anything else that keeps a run from starting is its failure. */
  refused({ runId, seed }: Job, failure: Failure): void {
    if (failure.id === 'storage-missing') {
      changeSeed(runId, seed, (run) => ({ ...run, state: 'interrupted', failure }));
      return;
    }
    this.options.inbox.tell(runId, seed, { kind: 'state', state: 'failed', step: findSeed(runId, seed)?.step ?? 0, error: failure });
  }

  /** Forgets what lies after the checkpoint, because it is about to be done again. */
  private rewind(runId: string, seed: number): void {
    const [group, run] = [findGroup(runId), findSeed(runId, seed)];
    if (group === null || run === null) return;
    const step = Math.max(0, run.checkpointStep, forkStep(group, seed) ?? 0);
    curves.cut(runId, seed, run.checkpointStep);
    cutPolicies(runId, seed, run.checkpointStep);
    changeSeed(runId, seed, (one) => ({
      ...one,
      state: 'queued',
      step,
      failure: null,
      marks: one.marks.filter((mark) => mark.step <= step),
    }));
  }

  private jobOf(group: RunGroup, run: SeedRun, resume: boolean): Job {
    const { id, config, edits = [] } = group;
    const executor = executorOf(group, run);
    const step = forkStep(group, run.seed);
    const from = group.parent === null || step === null ? undefined : { runId: group.parent.id, step, same: group.parent.same };
    return { runId: id, seed: run.seed, config: { ...config, run: { ...config.run, executor } }, resume, from, edits, stops: group.stops };
  }

  private command(runId: string, action: (api: NonNullable<ReturnType<Pool['apiOf']>>) => Promise<void>): void {
    for (const { seed } of findGroup(runId)?.seeds ?? []) {
      const api = this.options.pool().apiOf(runId, seed);
      if (api !== null) this.send(runId, seed, action(api));
    }
  }

  /** A command that is refused (a field that is not live, say) becomes a mark of the run. */
  private send(runId: string, seed: number, answer: Promise<void>): void {
    answer.catch((error: unknown) => {
      const { message, fix } = toFailure(error);
      const step = findSeed(runId, seed)?.step ?? 0;
      this.options.inbox.tell(runId, seed, { kind: 'mark', step, type: 'warning', text: `${message} ${fix}`, by: 'system' });
    });
  }
}

const endedByRule = ({ state, step, marks }: SeedRun): boolean =>
  state === 'stopped' && marks.some((mark) => mark.type === 'stop' && mark.step === step);

/** A fork is not what its config alone would train: nothing that looks for a run of that config may find it. */
function hashOf(config: RunConfig, parent: Parent | null): string {
  const own = configHash(config);
  if (parent === null) return own;
  const starts = (parent.seeds ?? []).map(({ seed, step }) => `${seed}:${step}`).join(' ');
  return sha256(utf8(`${own} ${parent.id} ${parent.step} ${starts}`)).slice(0, own.length);
}
