/**
 * Replayed transitions of an environment: TransitionStore fills a buffer (state/replay-buffer.ts) from an environment's buffers,
 * trainReplayed is the loop of methods that learn from it.
 */

import { present } from '#contract/kit/errors.ts';
import type { Saved } from '#contract/run/events.ts';
import type { Engine } from '#core/engine/types.ts';
import { endedRows, nextMasks, nextObservations } from '#core/envs/api/buffers.ts';
import type { Actions, EnvMeta, StepBuffers } from '#core/envs/api/types.ts';
import type { VectorEnv } from '#core/envs/api/vector-env.ts';
import { type Counters, registerState, type StateLayout } from '#core/state/checkpoint.ts';
import { type ReplayBatch, ReplayBuffer } from '#core/state/replay-buffer.ts';
import type { Rng } from '#math/rng.ts';
import { behindBuffers } from '../../api/behind.ts';
import { episodeRow } from '../../api/metrics.ts';
import { safePoint } from '../../api/safe-point.ts';
import { type ExtendedLoop, type ExtendedMethod, type Extensions, NOT_EXTENDED } from '../../api/standing.ts';
import type { Policy, Progress, Run } from '../../api/types.ts';

/** How transitions are stored. */
export interface TransitionShape {
  readonly capacity: number; // transitions
  readonly numEnvs: number; // B
  /** One transition of the whole team [B, A * O] instead of one per agent [B * A, O]. */
  readonly joint?: boolean;
  /** Store the mask before the step too, where the environment has masks. */
  readonly currentMask?: boolean;
  /** Rows of agents that have left are stored and drawn like others. */
  readonly deadToo?: boolean;
}

export class TransitionStore {
  readonly buffer: ReplayBuffer;
  private readonly meta: EnvMeta;
  private readonly buffers: StepBuffers;
  private readonly joint: boolean;
  private readonly obs: Float32Array;
  private readonly nextObs: Float32Array;
  private readonly mask: Uint8Array | undefined;
  private readonly nextMask: Uint8Array | undefined;
  private readonly terminated: Uint8Array;
  private readonly truncated: Uint8Array;
  /** [B, A] 1: alive before the step; null where rows are whole teams or single agents, and where agents come back. */
  private readonly living: Uint8Array | null;
  private readonly absent: Uint8Array | undefined;

  constructor(
    meta: EnvMeta,
    buffers: StepBuffers,
    { capacity, numEnvs, joint = false, currentMask = false, deadToo = false }: TransitionShape,
  ) {
    const { agentCount: A, obsSize, actionSize, actionCount, masked } = meta;
    const members = joint ? A : 1; // agents in a row
    const rows = joint ? numEnvs : numEnvs * A;
    const normalised = behindBuffers(buffers);
    this.meta = meta;
    this.buffers = normalised?.plain ?? buffers;
    this.joint = joint;
    this.buffer = new ReplayBuffer({
      capacity,
      rows,
      obsSize: members * obsSize,
      actionSize: members * actionSize,
      rewardSize: members * meta.rewards.length,
      maskSize: masked ? members * actionCount : 0,
      currentMask: currentMask && masked,
    });
    if (normalised !== null) {
      const { moments } = normalised;
      this.buffer.view = (id, obs, k) => {
        for (let a = 0; a < members; a++) {
          const at = (k * members + a) * obsSize;
          moments.write(joint ? a : id % A, obs, at, obs, at);
        }
      };
    }
    this.obs = new Float32Array(numEnvs * A * obsSize);
    this.nextObs = new Float32Array(numEnvs * A * obsSize);
    this.mask = currentMask && masked ? new Uint8Array(numEnvs * A * actionCount) : undefined;
    this.nextMask = masked ? new Uint8Array(numEnvs * A * actionCount) : undefined;
    this.terminated = new Uint8Array(rows);
    this.truncated = new Uint8Array(rows);
    this.living = joint || deadToo || buffers.alive === undefined || meta.agentsReturn === true ? null : new Uint8Array(rows);
    this.absent = this.living === null ? undefined : new Uint8Array(rows);
  }

  /** Before env.step(): copies the observations (and masks) that it replaces. */
  beginStep(): void {
    this.obs.set(this.buffers.obs);
    if (this.living !== null) this.living.set(present(this.buffers.alive, 'the flags of living agents'));
    if (this.mask !== undefined) this.mask.set(present(this.buffers.mask, 'the mask of a masked environment'));
  }

  /** After env.step() with `action` [rows, D]: stores one transition of every row. Those that ended keep their final observation and mask. */
  add(action: Int32Array | Float32Array): void {
    const { buffers, meta, joint, obs, nextObs, mask, nextMask, terminated, truncated } = this;
    const { reward } = buffers;
    nextObservations(buffers, meta, nextObs);
    nextMasks(buffers, meta, nextMask);
    endedRows(buffers.terminated, joint ? 1 : meta.agentCount, terminated);
    endedRows(buffers.truncated, joint ? 1 : meta.agentCount, truncated);
    this.noteDeaths();
    this.buffer.add({ obs, action, reward, nextObs, terminated, truncated, mask, nextMask, absent: this.absent });
  }

  /** An agent's own episode ends with its death, of what it is shown then nothing is learned, and later rows of it are not drawn. */
  private noteDeaths(): void {
    const { living, absent, terminated, truncated, obs, nextObs } = this;
    const { alive } = this.buffers;
    const width = this.meta.obsSize;
    if (living === null || absent === undefined || alive === undefined) return;
    for (let row = 0; row < living.length; row++) {
      absent[row] = 1 - living[row]!;
      if (living[row] === 0 || alive[row] !== 0 || terminated[row] !== 0 || truncated[row] !== 0) continue;
      terminated[row] = 1;
      nextObs.set(obs.subarray(row * width, (row + 1) * width), row * width);
    }
  }

  /**
   * Fills the first `count` rows of a batch, usually a program's inputs, with transitions drawn uniformly, with replacement. `relabel` may change
   * each row.
   */
  sample(rng: Rng, count: number, gamma: number, batch: ReplayBatch, relabel?: ExtendedLoop['sampledRow']): void {
    const { buffer } = this;
    for (let row = 0; row < count; row++) {
      const id = buffer.draw(rng);
      buffer.read(id, row, 1, gamma, batch);
      relabel?.(rng, id, row, batch);
    }
  }

  save(): Saved {
    return this.buffer.save();
  }

  load(saved: Saved): void {
    this.buffer.load(saved);
  }
}

/** Updates that fall due between two step counts: `gradientSteps` for every `trainEvery` steps passed. */
export function updatesDue(before: number, after: number, c: { readonly trainEvery: number; readonly gradientSteps: number }): number {
  return (Math.floor(after / c.trainEvery) - Math.floor(before / c.trainEvery)) * c.gradientSteps;
}

/** Environment steps from one safe point to the next: about 64 updates' worth, so that pausing stays quick. */
export function stepsPerIteration(c: { readonly envs: number; readonly trainEvery: number; readonly gradientSteps: number }): number {
  return Math.max(c.envs, Math.min(1000, Math.ceil((64 * c.trainEvery) / c.gradientSteps)));
}

/** Settings of fields.replay that the loop reads. */
export interface ReplaySettings {
  readonly learningStarts: number;
  readonly envs: number;
  readonly trainEvery: number;
  readonly gradientSteps: number;
}

/** What trainReplayed trains. */
export interface ReplayLearner {
  readonly store: TransitionStore;
  /** Its counters, the environment steps so far among them, and what else it saves beside engine, environment and buffer. */
  readonly state: StateLayout<Counters & { step: number }>;
  readonly means: { take(step: number): Readonly<Record<string, number>> };
  /** Environment steps from one safe point to the next; stepsPerIteration if missing. */
  readonly stepsPerRow?: number;
  /** Copies networks into their targets, when a run begins. */
  copyTargets(): Promise<void>;
  /** What the environment gets. `warmUp`: no update was made yet. */
  act(warmUp: boolean): Actions | Promise<Actions>;
  /** Of a method with extensions: its places, of which the loop calls those around a step and behind the updates. */
  readonly extended?: ExtendedLoop;
  /** What the buffer gets, [rows, D], once act has chosen. */
  readonly stored: Int32Array | Float32Array;
  /** The k-th of the updates that are due, from 1. */
  update(k: number): Promise<void>;
  /** After the updates of an environment step, once learning has started; `before`: steps so far without it. */
  afterStep?(before: number): Promise<void>;
  /** Further metrics of a row. */
  metrics?(): Readonly<Record<string, number>>;
  snapshot(): Saved | Promise<Saved>;
  policy(): Policy;
}

/** The loop of methods that learn from replayed transitions: act, store, update as often as is due. Throws LabError('nan-loss'). */
export async function* trainReplayed(
  run: Run<ReplaySettings>,
  resume: Saved | undefined,
  makeLearner: (engine: Engine, env: VectorEnv, extended: ExtendedMethod) => ReplayLearner,
  extensions?: Extensions,
): AsyncGenerator<Progress, void, void> {
  const c = run.config; // fields marked live may change between iterations
  const engine = await run.makeEngine();
  const env = run.makeEnv(c.envs);
  const beginning = { engine, meta: run.meta };
  const learner = makeLearner(engine, env, (await extensions?.begin(run.config, beginning)) ?? NOT_EXTENDED);
  const { store, extended: also } = learner;
  const state = registerState(learner.state, { parts: { env, engine, memory: store } }, ...(also?.states ?? []));
  const { counters } = state;
  const point = safePoint({ state, engine, snapshot: () => learner.snapshot(), policy: () => learner.policy() });
  if (resume === undefined) {
    env.reset();
    await learner.copyTargets();
  } else state.load(resume);

  while (counters.step < run.steps) {
    const until = Math.min(run.steps, counters.step + (learner.stepsPerRow ?? stepsPerIteration(c)));
    while (counters.step < until) {
      const actions = await learner.act(counters.step < c.learningStarts);
      store.beginStep();
      also?.beforeStep?.(0);
      env.step(actions);
      also?.afterStep?.(0);
      store.add(learner.stored);
      const before = counters.step;
      counters.step += env.batch;
      if (counters.step <= c.learningStarts) continue;
      const due = updatesDue(before, counters.step, c);
      for (let k = 1; k <= due; k++) await learner.update(k);
      await learner.afterStep?.(before);
      const pending = also?.afterUpdates?.({ before, now: counters.step, next: counters.step + env.batch }, null);
      if (pending) await pending;
    }
    const { step } = counters;
    yield { step, metrics: { ...episodeRow(env), ...learner.means.take(step), ...learner.metrics?.(), ...also?.metrics?.() }, ...point };
  }
}
