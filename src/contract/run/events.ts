/** What a training session says while it runs. Metric rows travel in transferable batches, at most 20 a second, on their own port. */

import type { PopulationReport } from '../game/population.ts';
import type { Failure } from '../kit/errors.ts';
import type { Json, JsonObject } from '../kit/json.ts';
import type { ExecutorId } from './config.ts';
import type { Finding } from './findings.ts';

export type SessionState = 'starting' | 'running' | 'paused' | 'done' | 'stopped' | 'failed';

/** Named arrays, flat and typed: parameters, buffers, environment rows. Structured-clone safe; transferable by its buffers. */
export interface Saved {
  readonly meta: JsonObject;
  readonly arrays: { readonly [name: string]: Float32Array | Float64Array | Uint32Array | Int32Array | Uint8Array };
}

/** A policy that can act without the run that made it. `saved` is what AlgoDef.policy() reads. */
export interface PolicySnapshot {
  readonly kind: 'policy';
  readonly version: 1;
  readonly env: { readonly id: string; readonly version: number; readonly config: JsonObject };
  readonly algo: { readonly id: string; readonly version: number; readonly config: JsonObject };
  readonly seed: number;
  readonly step: number;
  readonly executor: ExecutorId;
  readonly saved: Saved;
}

/** Start state, seed and actions; frames are re-simulated. `reward` checks the re-simulation. */
export interface Replay {
  readonly env: { readonly id: string; readonly version: number; readonly config: JsonObject };
  readonly seed: number;
  readonly start: Uint8Array;
  /** [T, A, D] */
  readonly actions: Float32Array;
  /** [T, A] */
  readonly reward: Float32Array;
  readonly ended: 'terminated' | 'truncated' | 'cut';
  /** The mission of this episode, where the environment states it in words. */
  readonly told?: string;
  /** Who was drawn for this episode out of the pool of each seat; missing: no seat has a pool. */
  readonly partners?: readonly { readonly seat: string; readonly player: string }[];
  /** Agent that a person moved in each step, -1: a policy moved all of them. Missing: no person took part. [T] */
  readonly human?: Int16Array;
  /** What a person pulled at in each step: part (-1: nothing), point of it, place. Missing: nothing was pulled. [T, 7] */
  readonly pulls?: Float32Array;
  /** Grids, of policies that go to cells of their own choice: the cell (row-major) that each agent went to in each step, -1: none that is on the map. [T, A] */
  readonly cells?: Int16Array;
}

/** What networks and their optimisers take: the memory of the executor, and the tensors that stay in it between two steps of training. */
export interface EngineUsage {
  readonly bytes: number;
  readonly tensors: number;
  /** Threads that divide large products among them, where there are several. */
  readonly threads?: number;
}

export interface SeedResult {
  readonly seed: number;
  readonly finalReturn: number; // mean of the last 100 training episodes, NaN -> null in JSON
  readonly evalReturn: number; // mean of the greedy evaluation episodes
  readonly evalLoops: number; // evaluation episodes that ran into evalMaxSteps
  readonly perAgent: readonly number[];
  /** What the environment measures of the greedy evaluation episodes (EnvMeta.measures), where it measures something. */
  readonly measured?: Readonly<Record<string, number>> | undefined;
  readonly steps: number;
  readonly seconds: number;
  readonly stepsPerSecond: number;
  readonly parameterHash: string;
}

export type SessionEvent =
  | { readonly kind: 'state'; readonly state: SessionState; readonly step: number; readonly error?: Failure }
  /** rows: [n, 1 + columns.length], column 0 = environment steps; NaN: not measured at that step. */
  | { readonly kind: 'metrics'; readonly columns: readonly string[]; readonly rows: Float64Array }
  | {
      readonly kind: 'progress';
      readonly step: number;
      readonly seconds: number;
      readonly stepsPerSecond: number;
      /** Of the engines of this seed; missing: the method has none. */
      readonly usage?: EngineUsage;
    }
  /** A live edit, resume, executor change, warning or the end of one, the end of the run by a rule: one mark in the event lane. */
  | {
      readonly kind: 'mark';
      readonly step: number;
      readonly type: 'edit' | 'resume' | 'executor' | 'warning' | 'recovered' | 'checkpoint' | 'gap' | 'stop';
      readonly text: string;
      readonly path?: string;
      readonly value?: Json;
      readonly by: 'user' | 'system';
      /** Of a warning: what is wrong, and what to do. */
      readonly finding?: Finding | undefined;
      /** Of a warning that no longer holds: the id of its finding. */
      readonly ends?: string | undefined;
    }
  /** keep: one of some forty spread over the run, to be watched later; otherwise only the newest so far. */
  | { readonly kind: 'policy'; readonly snapshot: PolicySnapshot; readonly keep?: boolean }
  | { readonly kind: 'visits'; readonly step: number; readonly counts: Float64Array }
  /** Of methods with a population, at most once a second: the newest replaces the one before. */
  | { readonly kind: 'population'; readonly report: PopulationReport }
  /** points: steps of all states of this seed from which another run can go on; missing: as before. */
  | {
      readonly kind: 'checkpoint';
      readonly step: number;
      readonly bytes: number;
      readonly seconds: number;
      readonly points?: readonly number[];
    }
  /** From the first checkpoint that cannot be written (why) until the next that can (null). */
  | { readonly kind: 'unsaved'; readonly failure: Failure | null }
  | { readonly kind: 'result'; readonly result: SeedResult };

/** A live edit, to be made again at the first safe point at or after `step`. */
export interface EditOf {
  readonly step: number;
  readonly path: string;
  readonly value: Json;
}
