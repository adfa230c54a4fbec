/** What a session is started with, and the commands it takes. */

import type { Dataset } from '#contract/files/dataset.ts';
import type { StopRules } from '#contract/game/stop-rules.ts';
import type { Json } from '#contract/kit/json.ts';
import type { CompleteConfig } from '#contract/run/config.ts';
import type { PolicySnapshot, Saved, SessionEvent, SessionState } from '#contract/run/events.ts';
import type { EditRequest, Held, StepSize } from '#contract/session/session.ts';
import type { AlgoEntry, EngineFactory } from '../algos/api/types.ts';
import type { EnvEntry } from '../envs/api/types.ts';
import type { Edit } from './session-memory.ts';

/** Greedy episodes of the policy as it is. */
export interface Evaluated {
  readonly step: number;
  readonly score: number;
  readonly snapshot: () => Promise<PolicySnapshot>;
}

export interface SessionOptions {
  readonly config: CompleteConfig;
  /** The entries that the config names. */
  readonly env: EnvEntry;
  readonly algo: AlgoEntry;
  readonly seed: number;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
  /** What save() gave. */
  readonly resume?: Saved;
  /**
   * `resume` is of another run, which had other settings: this run's hold from there on. In another world episodes begin anew; what was
   * learned goes on. Settings of which the state is of another size are refused.
   */
  readonly fork?: boolean;
  /**
   * Gets the state at about forty places of the run (session-memory.ts), at the steps whose policies are kept, and before each live edit. The
   * end is not among them.
   */
  readonly onRung?: (saved: Saved) => void;
  /** More steps at which the state and the policy are given out, where the run stands at them after an iteration. */
  readonly keepAt?: ReadonlySet<number>;
  /** Live edits, each at a step: those that `resume` has made already are not made again. */
  readonly edits?: readonly Edit[];
  readonly createEngine?: EngineFactory;
  /** Finds recorded datasets by hash; none are there without it. */
  readonly dataset?: (hash: string) => Promise<Dataset | null>;
  /** Gets files of trained weights, by their names in public/; none are there without it. */
  readonly weights?: (file: string, hash: string) => Promise<Uint8Array>;
  /** Gets environments by id, for methods that train in several; without it a run knows its own alone. */
  readonly world?: (id: string) => Promise<EnvEntry>;
  readonly sliceMs?: number;
  /** Hears of every greedy evaluation before training goes on, the last one too. What it answers ends the run, as a sentence that says why. */
  readonly onEvaluation?: (evaluated: Evaluated) => Promise<string | null> | string | null;
  readonly stops?: StopRules;
}

export interface Session extends AsyncIterable<SessionEvent> {
  readonly state: SessionState;
  readonly step: number;
  pause(): void;
  resume(): void;
  /** One iteration (one yield of the algorithm), or those until an episode has ended, then pauses. */
  stepOnce(size?: StepSize): void;
  /** Ends the run at the next safe point; save() still gives its state afterwards. */
  stop(): void;
  /** From the next safe point on. */
  stopAt(rules: StopRules): void;
  /** A field marked `live`, e.g. ('algo.lr', 1e-4) or ('env.gravity', 3). Throws LabError('config-invalid'). */
  edit(path: string, value: Json): void;
  /** Stands still at the next safe point until `release`; null: the run is over before. Rejects for an edit that cannot be made there. */
  hold(edit: EditRequest): Promise<Held | null>;
  /** Goes on with all edits of the run, each at its step. `keep`: `onRung` gets the state there. */
  release(edits: readonly Edit[], keep?: boolean): void;
  /** Everything the run is, at the next safe point. Rejects if the run fails before. */
  save(): Promise<Saved>;
}
