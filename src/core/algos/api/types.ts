/**
 * An algorithm owns its whole loop as an async generator; each yield is a safe point to pause, save, explain or stop.
 * It calls plain functions from math/ and core/engine, never base classes.
 */

import type { z } from 'zod';
import type { AlgoCard, FieldSchema, MetricCard, Preset, Source, Trial } from '#contract/catalog/catalog.ts';
import type { Dataset } from '#contract/files/dataset.ts';
import type { PopulationReport } from '#contract/game/population.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { ExecutorId } from '#contract/run/config.ts';
import type { Saved } from '#contract/run/events.ts';
import type { Comparison } from '#contract/run/tokens.ts';
import type { VersionChange } from '#contract/run/versions.ts';
import type { ExtraCard } from '#contract/session/session.ts';
import type { AgentNetwork } from '#core/nets/agent-network.ts';
import type { SplitNetwork, SplitOutput } from '#core/nets/split-network.ts';
import type { Rng } from '#math/rng.ts';
import type { Engine } from '../../engine/types.ts';
import type { Actions, EnvEntry, EnvMeta } from '../../envs/api/types.ts';
import type { VectorEnv } from '../../envs/api/vector-env.ts';
import type { Stand } from './extension.ts';
import type { Extensions } from './standing.ts';

/** Everything a run gives an algorithm. Randomness only from `rng` (split it by purpose). */
export interface Run<C> {
  /** Complete. Live edits change its fields in place between two yields: read a field where a change should take effect, do not copy it. */
  readonly config: C;
  readonly envEntry: EnvEntry;
  readonly envConfig: JsonObject;
  readonly meta: EnvMeta;
  readonly steps: number; // budget, environment steps summed over copies
  readonly seed: number;
  readonly rng: Rng;
  /** Copies with auto-reset, episode statistics and visit counts; their states are part of save(). The algorithm says how many it wants. */
  makeEnv(batch: number, envConfig?: JsonObject): VectorEnv; // another config: to train elsewhere than where the run is judged
  /**
   * Copies of another environment, by its id and settings of it, to train there too: as makeEnv's, but live edits do not reach them. Missing where
   * a run knows no environment but its own. Throws LabError('unknown-id' or 'config-invalid').
   */
  makeOther?(id: string, batch: number, config: unknown): Promise<VectorEnv>;
  makeEngine(): Promise<Engine>;
  /** The recorded dataset whose file has this SHA-256; missing where a run has none. Throws LabError('dataset-missing') where it is not on this machine. */
  dataset?(hash: string): Promise<Dataset>;
  /** A file of trained weights, by its name in public/; missing where a run has none. Throws LabError('engine-missing') where it cannot be had. */
  weights?(file: string, hash: string): Promise<Uint8Array>;
}

export interface Progress {
  readonly step: number; // environment steps so far
  readonly metrics: Readonly<Record<string, number>>; // NaN: nothing to report this time
  /** Parameters only: enough for policy(). */
  snapshot(): Saved | Promise<Saved>;
  /** All the loop needs to go on bit for bit: parameters, optimiser, buffers, normalisers, counters, generators, environment rows. */
  save(): Saved | Promise<Saved>;
  /** The policy as it is now, for evaluation; shares the parameters, so use it only before the next `next()`. */
  policy(): Policy | Promise<Policy>;
  hash(): string | Promise<string>;
  /** Methods with a population of policies: how it stands now. */
  population?(): PopulationReport;
}

/** Recurrent state, rows x size; empty for others. */
export type Hidden = Float32Array;

export interface ActQuery {
  readonly obs: Float32Array; // [rows, O]
  readonly mask?: Uint8Array; // [rows, N]
  readonly agent: Int32Array; // [rows] which agent each row is
  readonly hidden: Hidden;
  readonly rng: Rng;
  readonly rows: number;
  readonly greedy: boolean;
  /** [rows] 1: the answer of this row is not read, so that a policy may leave it out where other rows do not hear of it. */
  readonly unread?: Uint8Array;
  /** Values are not read: they may be missing. */
  readonly valueless?: boolean;
  /** [rows] what the last action was paid; what stands there before the first action of an episode has no meaning. */
  readonly paid?: Float32Array;
}

export interface Act {
  readonly actions: Actions; // [rows, D]
  readonly hidden: Hidden;
  readonly logits?: Float32Array; // [rows, N]
  readonly mean?: Float32Array; // [rows, D]
  readonly logStd?: Float32Array; // [rows, D]
  readonly q?: Float32Array; // [rows, N]
  readonly value?: Float32Array; // [rows]
  /** What this method alone reports, by the ids of `Policy.extras`: [rows, width] each, NaN in rows that have no such output. */
  readonly extras?: Readonly<Record<string, Float32Array>>;
}

/** The channel of a policy whose agents exchange messages. */
export interface Communication {
  /** 'peer': agents send messages to each other; 'central': one messenger sends each agent its message. */
  readonly topology: 'peer' | 'central';
  /** As Policy.act, where messages of rows with `muted` [rows] 1 are not delivered. `messages` [rows, M]: sent ('central': received) in this step. */
  act(query: ActQuery, muted: Uint8Array | null): Promise<{ readonly act: Act; readonly messages: Float32Array }>;
}

/** A move that a search has tried. */
export interface SearchedMove {
  /** Index, in the same list, of the move it follows; -1: it is made in the position that was asked about. */
  readonly parent: number;
  readonly move: number;
  /** How often the search went through it. */
  readonly visits: number;
  /** For the player who makes it: 1 won, -1 lost. */
  readonly value: number;
  /** Its chance before the search; NaN: the method has none. */
  readonly prior: number;
  /** The game ends with it. */
  readonly over: boolean;
}

/** What a decoder-only transformer makes of one row of tokens, at the last of them: the place that writes the next one. */
export interface TransformerReading {
  readonly layers: number;
  readonly heads: number;
  /** [layers, heads, places]: how much each head draws from each place of the row, 1 in all; 0 behind the last token. */
  readonly attention: Float32Array;
  /** [layers + 1, N]: logits of the next token if the network ended there, after the embedding and after each layer (the logit lens). */
  readonly logits: Float32Array;
}

/** Any number of rows per call. The arrays of an Act are valid until the next call. */
export interface Policy {
  initial(rows: number): Hidden;
  act(query: ActQuery): Act | Promise<Act>;
  /** An output of the network of this agent; null: there is no such output, or a network that cannot be cut. */
  split?(output: SplitOutput, agent: number): SplitNetwork | null;
  /** Only where the greedy action of this agent follows from one network and its own observation: what other programs need to act so. */
  network?(agent: number): AgentNetwork;
  /**
   * Where agents go to cells of their own choice: from its next action on, this row goes to the cell so many cells to the right and ahead of where
   * it then stands, until it is there. Changes `hidden`.
   */
  aim?(hidden: Hidden, row: number, right: number, ahead: number): void;
  /** What the entries of Act.extras are, for views. */
  readonly extras?: readonly ExtraCard[];
  /** Only where agents exchange messages. */
  readonly communication?: Communication;
  /**
   * Only where moves are found by search: the search from what one agent sees (obs [O]), up to `depth` moves ahead, siblings best first. null:
   * it is not its turn.
   */
  searched?(obs: Float32Array, depth: number): Promise<readonly SearchedMove[] | null>;
  /** Only where a transformer reads rows of tokens: inside it, for one row (obs [O]). */
  inspect?(obs: Float32Array): Promise<TransformerReading>;
  /** Only where a critic reads rows of tokens: the value before the token behind each place, [lines, O] ids -> [lines, O - 1]. */
  values?(ids: Float32Array): Promise<Float32Array>;
  /** [rows, O] how much less likely `actions` become with every number seen (of continuous ones: how far the mean moves from them). */
  gradient?(query: ActQuery, actions: Actions): Promise<Float32Array>;
  dispose(): void;
}

/** Environments of core/testing that each need one ability of a learner; their names there. */
export type ProbeId =
  | 'aimedBefore' // continuous: an action that pays one step later
  | 'bandit'
  | 'climbing'
  | 'cued'
  | 'cuedTable'
  | 'delayed'
  | 'masked'
  | 'memoryOne'
  | 'pointing'
  | 'pointingTeam'
  | 'roles'
  | 'team'
  | 'tell'
  | 'tellLater'
  | 'twoStep'
  | 'xorTeam';

/** Probes a method must solve within this many steps, each in a run of its own. */
export interface ProbeTask {
  readonly on: readonly ProbeId[];
  readonly steps: number;
  /** Settings over those of `probeConfig`. */
  readonly config?: JsonObject;
  /** Least evaluated return; without it the best possible one, 1. */
  readonly atLeast?: number;
}

export interface AlgoSpec<C> {
  readonly id: string;
  readonly version: number;
  /** One for each version after the first: what it changed, and how older configs are completed. */
  readonly changes?: readonly VersionChange[];
  readonly title: string;
  readonly summary: string;
  readonly source: Source;
  readonly config: z.ZodType<C>;
  /** What may change it without being a method (extensions/index.ts): their settings, metrics and checks join its own. */
  readonly extensions?: Extensions;
  readonly presets: readonly Preset[];
  /** Id of the preset that a run starts from where actions are continuous; without it from the defaults, as elsewhere. */
  readonly continuous?: string;
  readonly action: AlgoCard['action'];
  readonly learner: AlgoCard['learner'];
  readonly agents: AlgoCard['agents'];
  /** It learns a mixed strategy: actions are sampled from the policy even where greedy ones are asked for. Or: the id of the setting that asks for it. */
  readonly mixed?: true | string;
  /** It learns from the play of an expert or another player, recorded or asked for, and not by trying. */
  readonly shown?: true;
  /** It plans on the transition table, which only some environments give. */
  readonly needsModel?: true;
  readonly metrics: readonly MetricCard[];
  /** Further metrics, those that depend on the environment. */
  readonly metricsOf?: (meta: EnvMeta) => readonly MetricCard[];
  /** A short run in an environment it is made for: tests interrupt it, resume it and act with its snapshot. Without it CartPole, or Pendulum for continuous actions. */
  readonly trial?: Trial;
  /** Tasks that the method must solve in tests; none for methods that plan, solve games exactly or need an environment of their own. */
  readonly probes?: readonly ProbeTask[];
  /** Settings that make a run on a probe short. */
  readonly probeConfig?: JsonObject;
}

export interface PolicyContext<C> {
  readonly config: C;
  readonly meta: EnvMeta;
  readonly envEntry: EnvEntry;
  readonly envConfig: JsonObject;
  readonly makeEngine: () => Promise<Engine>;
}

export interface AlgoDef<C> {
  readonly spec: AlgoSpec<C>;
  /** Throws LabError('incompatible') before any work if it cannot act there, naming why. Called by parse of a whole run. */
  fits?(meta: EnvMeta, config: C): void;
  train(run: Run<C>, resume?: Saved): AsyncGenerator<Progress, void, void>;
  /** A policy from a snapshot, on its own small engine (wasm unless told otherwise). */
  policy(context: PolicyContext<C>, saved: Saved): Promise<Policy>;
  /** Of methods that compare whole answers, or weigh their tokens by a critic: what each of these would weigh in an update. */
  weigh?(config: C, sampled: Sampled): Weighed;
  /** One training step at the sizes of this config, on zeros but for what `seen` names: what the executor race times. */
  benchmark?(context: { readonly config: C; readonly meta: EnvMeta; readonly engine: Engine }): BenchmarkStep;
}

/** Sampled answers, `size` of each prompt next to each other. */
export interface Sampled {
  readonly size: number;
  readonly rewards: ArrayLike<number>;
  /** 1: the verifier found it right. */
  readonly solved: ArrayLike<number>;
  /** Tokens written, and how many an episode may have. */
  readonly lengths: ArrayLike<number>;
  readonly longest: number;
  /** What each turn of an answer was paid, and its tokens; missing: not told, an answer counts as one turn. */
  readonly turns?: readonly (readonly { readonly reward: number; readonly tokens: number }[])[];
  /** What the step of each token written was paid, and what the critic of the policy said before it, where it has one. */
  readonly paid?: readonly (readonly number[])[];
  readonly values?: readonly (readonly number[])[];
}

/** By answer, with how they were compared. */
export interface Weighed {
  readonly kind: Comparison;
  readonly advantages: ArrayLike<number>;
  /** 0: it is left out of the update. */
  readonly counts: ArrayLike<number>;
  /** Of each token written, where they differ; missing: all tokens have that of their answer. */
  readonly tokens?: readonly (readonly number[])[];
}

interface BenchmarkStep {
  run(): Promise<void> | undefined;
  /** Buffers from which the method reads observations, [rows, O]. Methods with convolutions name it: products leave out the zeros of empty pictures. */
  seen?(): readonly Float32Array[];
}

export interface AlgoEntry extends Omit<AlgoSpec<unknown>, 'config' | 'extensions'> {
  readonly changes: readonly VersionChange[];
  /** Where its loop calls extensions; missing: nowhere. */
  readonly stand?: Stand;
  readonly trial: Trial;
  readonly probes: readonly ProbeTask[];
  readonly probeConfig: JsonObject;
  readonly schema: FieldSchema;
  parse(config: unknown): JsonObject;
  fits(meta: EnvMeta, config: unknown): void;
  train(run: Run<JsonObject>, resume?: Saved): AsyncGenerator<Progress, void, void>;
  policy(context: PolicyContext<JsonObject>, saved: Saved): Promise<Policy>;
  weigh?(config: unknown, sampled: Sampled): Weighed;
  benchmark?(context: { readonly config: JsonObject; readonly meta: EnvMeta; readonly engine: Engine }): BenchmarkStep;
}

export type EngineFactory = (executor: Exclude<ExecutorId, 'auto'>) => Promise<Engine>;
