/**
 * The interface of every environment: B copies in lockstep, A agents each, flat row-major arrays owned by the caller.
 * Notation on buffers: B rows, A agents, O observation, N actions, D numbers per action, K rewards, F frame, S state.
 */

import type { z } from 'zod';
import type { FieldSchema, HumanAxis, MetricCard, Preset, ReferenceReturn, RewardTerm, Source } from '#contract/catalog/catalog.ts';
import type { LevelSolution } from '#contract/files/levels.ts';
import type { FrameLayout, Lattice, Pull } from '#contract/game/frames.ts';
import type { GameCard } from '#contract/game/payoffs.ts';
import type { ActionSpace, ObsSpace } from '#contract/game/spaces.ts';
import type { Json, JsonObject } from '#contract/kit/json.ts';
import type { VersionChange } from '#contract/run/versions.ts';
import type { GameTree } from '#math/game-tree.ts';
import type { Rng } from '#math/rng.ts';

export interface StepBuffers {
  readonly obs: Float32Array; // [B, A, O] only the environment writes it: rows that did not change may be left as they are
  readonly reward: Float32Array; // [B, A, K]
  readonly cost?: Float32Array; // [B, A, C] constraints, never mixed into the reward
  readonly terminated: Uint8Array; // [B] the task ended: no bootstrap
  readonly truncated: Uint8Array; // [B] the clock ended: bootstrap from finalObs
  readonly finalObs: Float32Array; // [B, A, O] valid where either flag is 1 (filled by auto-reset)
  readonly alive?: Uint8Array; // [B, A]
  readonly mask?: Uint8Array; // [B, A, N] legal actions
  readonly finalMask?: Uint8Array; // [B, A, N] legal actions at finalObs; valid right after the step that ended an episode
  readonly toMove?: Int32Array; // [B]
  readonly state?: Float32Array; // [B, S] global state for centralised critics
  readonly finalState?: Float32Array; // [B, S] as finalObs
  readonly shaped?: Float32Array; // [B, A] a helping reward that learners may add while they begin; never part of `reward`
}

export type Actions = Float32Array | Int32Array; // [B, A, D]

/** A named field of the complete state of one row. */
export interface StateField {
  readonly name: string;
  readonly type: 'f64' | 'u32' | 'i32'; // i32: a u32 word read as two's complement
  readonly shape: readonly number[];
  readonly unit?: string;
  readonly doc: string;
}

/**
 * Bytes of a row: u32 version, padding to 8, all f64 fields, all u32 and i32 fields, little-endian. RNG key and counter are u32 fields.
 * fromJSON and check throw LabError('state-invalid').
 */
export interface StateSpec {
  readonly version: number;
  readonly fields: readonly StateField[];
  readonly bytes: number;
  toJSON(state: Uint8Array): JsonObject;
  fromJSON(json: unknown): Uint8Array;
}

/** A scripted stand-in for the generator: golden cases replay the reference's draws in order. Returns undefined to let the generator draw. */
export interface DrawSource {
  uniform(row: number, name: string): number | undefined; // [0, 1)
  int(row: number, n: number, name: string): number | undefined; // 0..n-1
}

/** `count` agents alike. Agents are numbered through the groups in order. */
export interface AgentGroup {
  readonly count: number;
  readonly names: readonly string[];
  readonly obs: ObsSpace;
  readonly action: ActionSpace;
}

/** How a team's return becomes one number. */
export type Score = 'mean' | 'sum' | 'shared' | readonly number[];

/** Where an observation holds what was reached and what is wanted: `size` numbers each, from these places on. */
export interface GoalPlaces {
  readonly size: number;
  readonly achieved: number;
  readonly desired: number;
  /** An episode terminates where its goal pays this; missing: it never ends at its goal. */
  readonly ends?: number;
}

/**
 * How an observation tells of cells, so that cells may be goals of methods with two levels (algos/hierarchy/lib/cells.ts).
 * view: it begins with `size` x `size` cells of three numbers ahead of the agent, as MiniGrid writes them, and the heading one-hot behind; objects
 * of `enter` can be walked on by `forward`, so can a `door` whose third number is 0. places: row and column of the agent stand at `self`, of
 * things at `things`, -1 where one is gone. `changes`: actions that may change a cell beside the agent.
 */
export type CellSight =
  | {
      readonly kind: 'view';
      readonly size: number;
      readonly forward: number;
      readonly changes: readonly number[];
      readonly enter: readonly number[];
      readonly door: number;
    }
  | { readonly kind: 'places'; readonly self: number; readonly things: readonly number[]; readonly changes: readonly number[] };

/** A seat that is given to a pool of players. */
export interface PartnerSeat {
  readonly seat: string;
  readonly members: readonly string[];
  readonly told: boolean;
}

/** All that depends on the config. */
export interface EnvMeta {
  readonly id: string;
  readonly version: number;
  readonly agents: readonly AgentGroup[];
  readonly agentCount: number; // A
  readonly obsSize: number; // O, the widest agent's
  readonly actionSize: number; // D
  readonly actionCount: number; // N: discrete actions of the widest agent, 0 for box
  readonly rewards: readonly string[]; // K names; ['reward'] unless multi-objective
  /** Parts of which the reward is the sum, each with its weight in the config: Environment.terms writes them in this order. */
  readonly terms?: readonly RewardTerm[];
  readonly costs: readonly string[];
  /** Its observations hold a goal that may be exchanged: Environment.goalReward is there. */
  readonly goals?: GoalPlaces;
  /** Its observations tell where its agents went and what they changed: cells may be goals. */
  readonly cells?: CellSight;
  readonly globalSize: number; // S
  readonly masked: boolean;
  /** It gives a helping reward beside the reward: buffers have `shaped`. */
  readonly shaped?: boolean;
  /** Players move one after the other: buffers have `toMove`, -1 when the game is over. */
  readonly turns?: boolean;
  /** A game of two, in turn, in which both see everything: EnvEntry.lookAhead gives what methods that search need. */
  readonly searchable?: boolean;
  /** Methods and their policies see observations less their running mean, divided by their running deviation (algos/api/normalised.ts). */
  readonly normalised?: true;
  /** Agents whose `alive` is 0 come back within the episode (a time-out): their own return goes on while they are out. */
  readonly agentsReturn?: boolean;
  readonly score: Score;
  /** The discount its literature uses; algorithms may take it as default. */
  readonly gamma: number;
  /** Standard deviation over steps of random play of the return discounted backwards, R = gamma R + r; for worlds that no method was measured in. */
  readonly returnSpread?: number;
  readonly maxSteps: number; // 0: no limit of its own
  readonly evalMaxSteps: number; // an evaluation stops here and reports a loop
  readonly state: StateSpec;
  readonly frame: FrameLayout;
  readonly references: readonly ReferenceReturn[];
  readonly keys: readonly (readonly string[])[]; // KeyboardEvent.key per discrete action, for human play; 'A+B': both held
  readonly game?: GameCard; // of a matrix game: its table
  readonly listed?: boolean; // a game of two that is small enough for exact solvers: Environment.game
  readonly axes?: readonly HumanAxis[]; // continuous actions, for human play (contract/catalog/catalog.ts)
  readonly idleAction: number | null; // what happens while a person presses nothing; null: the world waits
  readonly noopAction?: number; // the action that does nothing, where it is not idleAction
  readonly fps: number;
  /** What else an episode is judged by, beside its return: order, throughput, .. Environment.measure writes them in this order. */
  readonly measures?: readonly MetricCard[];
  /** It is written in tokens: observations are a grid of [1, places, 1] ids, 0 behind the last; an action is the next id. A row starts with `begin`, `end` closes. `rows`: every turn is answered by a row that begins anew, so often at most. `words`: texts are words, with spaces between them. `roles`: the id behind `begin` says who writes the row, one of these. */
  readonly tokens?: {
    readonly begin: number;
    readonly end: number;
    readonly rows?: number;
    readonly words?: true;
    readonly roles?: readonly number[];
  };
  /** Names of what its agents can do for some time, the same for all of them: EnvEntry.skills performs them. */
  readonly skills?: readonly string[];
  /**
   * Agents are proposed plans: of their two actions 0 takes one, 1 asks again, and who may not ask is masked. All see alike: `base` numbers, then the
   * plan that runs of every agent (one-hot over `names`; 0: none), the agent itself first and the others in their order, then what is proposed to each.
   */
  readonly plans?: { readonly names: readonly string[]; readonly base: number };
  /** A seat whose player others may watch, and the live setting, 0..1, that says how often they see it. */
  readonly watched?: { readonly seat: number; readonly setting: string };
  /** Tasks of a list that agents are told: the last `told` numbers they see begin with the code of the task. */
  readonly tasks?: { readonly told: number; readonly codes: readonly (readonly number[])[] };
  /** Seats whose player is drawn for each episode, in the order of Environment.partner. Of all that are `told`, in their order, the last numbers that every agent sees say who plays: one for each member. */
  readonly partners?: readonly PartnerSeat[];
  /** Its levels can be changed a little: Environment.editLevel. A level is the state in which an episode begins. */
  readonly edited?: true;
  /** Points evenly over the picture's bounds at which Environment.latticeObs tells what would be seen, for maps beside Environment.goalDistance. */
  readonly lattice?: Lattice;
  /** Environment steps of a block, over all copies together, where tasks follow one another (contexts with an order of blocks). */
  readonly blockSteps?: number;
}

export interface Environment {
  readonly meta: EnvMeta;
  readonly batch: number;
  /** Starts rows (all, or those marked 1) from seeds [B]; fills obs (and mask, state) of those rows and clears their flags. */
  reset(seeds: Uint32Array, out: StepBuffers, rows?: Uint8Array): void;
  /** Starts marked rows again with the generator each row already has: what auto-reset calls between episodes. Leaves flags and rewards of the step that ended them. */
  restart(rows: Uint8Array, out: StepBuffers): void;
  /** One step of every row; never restarts. A row whose episode has ended must not be stepped before restart. Actions are not checked here: the code that accepts them from outside does. */
  step(actions: Actions, out: StepBuffers): void;
  frame(row: number, out: Float32Array): void; // [F]
  save(row: number): Uint8Array;
  load(row: number, state: Uint8Array, out: StepBuffers): void; // refreshes that row's obs, mask and state; clears its flags and rewards
  /**
   * Takes other values of the fields whose schema says `live`; `config` is complete and parsed (EnvEntry.parse) and differs from the
   * one in force in those fields only. Every row follows it from its next step. State, generators and `meta` stay as they are, so a
   * field that sizes, frames or observations follow from is never live. Absent: the environment has no live field.
   */
  configure?(config: JsonObject): void;
  /** What golden files list beyond state, obs and reward: { image: [...] }. */
  extras?(row: number): JsonObject;
  /** meta.measures of this row's episode so far, from out[at] on; NaN: means nothing here. Asked once an episode, at its end. Allocates nothing. */
  measure?(row: number, out: Float64Array, at: number): void;
  /** Where meta has partners: which member of its pool plays this seat of meta.partners in this row's episode. */
  partner?(row: number, seat: number): number;
  /** What each of meta.terms, weighed, added to the rewards of this row's last step, summed over agents, from out[at] on. Stays until the row's next step. */
  terms?(row: number, out: Float64Array, at: number): void;
  /**
   * Where meta has goals: what a step pays whose observation shows achieved[a ..] while desired[d ..] is wanted. It depends on nothing else, so a
   * step may be judged again by another goal.
   */
  goalReward?(achieved: Float32Array, a: number, desired: Float32Array, d: number): number;
  /**
   * Where meta has goals: steps of the shortest way from what obs[at ..] shows to its goal, by a planner that knows everything. Never negative;
   * for measures and maps, never for learning. Absent: nothing knows it.
   */
  goalDistance?(obs: Float32Array, at: number): number;
  /**
   * Where meta.lattice: writes what the row's agent would see at each of its points, everything else as it is, [lines * columns, O], line by line
   * from below; NaN where it cannot stand. For maps, never for learning.
   */
  latticeObs?(row: number, out: Float32Array): void;
  /**
   * Where the picture's parts may be pulled (BodiesLayout.pulls): from this row's next step on, until null. The force is part of no state, so
   * who saves and loads gives it again. Never called while learning.
   */
  pull?(row: number, pull: Pull | null): void;
  /** Where a person may order agents about (PointsLayout.ordered). Part of no state. Never called while learning. */
  readonly orders?: {
    /** Who goes where, or after whom stands there, until that is done or another order comes. */
    give(row: number, pull: Pull): void;
    /** Writes what agents with an order do next over their actions, [B, A, D]. Returns the first of them; -1: none has one. */
    follow(row: number, actions: Actions): number;
  };
  /** Grids: the cell (row-major index) agent 0 stands in, for visit counts; -1: none. */
  cellOf?(row: number): number;
  /** Grids: states equal to this row's but with agent 0 at each place it could stand. For value maps. */
  placements?(row: number): readonly { readonly cell: number; readonly state: Uint8Array }[];
  /** Where meta.edited: a copy of a level with one small change, drawn; what it leaves may have no solution. */
  editLevel?(level: Uint8Array, rng: Rng): Uint8Array;
  /** What a planner that knows all of a level needs for it; null: it finds no way within the time. Absent: there is no such planner. */
  solveLevel?(level: Uint8Array): LevelSolution | null;
  /** Small known models: every transition, for planning and exact evaluation. Only environments with a discrete observation. */
  model?(): TabularModel;
  /** Games of two that are small enough to be listed: for exact solvers and exploitability. */
  game?(): SmallGame;
  /** Small Markov games in which all players see the same and choose at once: their whole table, for exact methods. */
  joint?(): JointModel;
  /**
   * Frees what garbage collection does not: memory of a WebAssembly module, for instance. A second call does nothing. Nothing else may be
   * called afterwards. Absent: there is nothing to free.
   */
  dispose?(): void;
}

export interface SmallGame {
  readonly tree: GameTree;
  /** Information set in which `seat` sees obs[at ..]; -1: it has nothing to decide. */
  infoSet(obs: Float32Array, at: number, seat: number): number;
}

/**
 * A Markov game of P players with N actions each, of which every episode begins in place 0 and has `horizon` steps. A joint action j has the first
 * player's action slowest; observations are step * S + place.
 */
export interface JointModel {
  readonly players: number;
  readonly states: number; // S
  readonly actions: number; // N
  readonly horizon: number;
  readonly joint: number; // J = N^P
  readonly pay: Float64Array; // [S, J, P]
  readonly next: Int32Array; // [S, J] the place that follows
}

/** P as lists: outcomes of (state, action) are entries from offset[s*N+a] to offset[s*N+a+1]. */
export interface TabularModel {
  readonly states: number;
  readonly actions: number;
  readonly offset: Int32Array; // [S*N + 1]
  readonly probability: Float64Array;
  readonly next: Int32Array;
  readonly reward: Float64Array;
  readonly terminated: Uint8Array;
  readonly start: Float64Array; // [S] probability
}

/** Where an action comes from without learning: random, experts, planners, controllers. Writes [B, A, D]. */
export interface ScriptedPolicy {
  act(env: Environment, buffers: StepBuffers, out: Actions): void;
}

/**
 * What an agent can do for some time: options with policies of their own (Sutton, Precup & Singh 1999), for methods that choose among them.
 * They look at one agent's observation and remember nothing, so they work for any rows, in any seat.
 */
export interface Skills {
  /** Writes the action [D] of the agent whose observation begins at obs[o], performing meta.skills[skill], from out[a] on. Allocates nothing. */
  act(skill: number, obs: Float32Array, o: number, out: Actions, a: number): void;
  /** A whole number below 2^24 that is another one once something has happened that calls for a new choice: a touch, a turn. */
  moment(obs: Float32Array, o: number): number;
}

/** Where each number of an observation [O], and of a row over the actions [N], comes from when a game is turned or mirrored. */
export interface Symmetry {
  readonly obs: Int32Array;
  readonly actions: Int32Array;
}

/**
 * A game of two who move in turn and see everything, for methods that search: they load, step and save copies of it. Chance has no part
 * in it, and the reward of the end, +1, 0 or -1, is all that is paid.
 */
export interface LookAhead {
  /** The same game with both seats open, for any policies. */
  readonly config: JsonObject;
  /** Ways to turn or mirror the game that leave it as it is; the first changes nothing. */
  readonly symmetries: readonly Symmetry[];
  /** The saved state in that game that an agent sees whose observation begins at obs[at]; null: it is not its turn. */
  state(obs: Float32Array, at: number): Uint8Array | null;
  /** Where a search stops early: how a position looks to the player who is to move, in (-1, 1). */
  outlook(state: Uint8Array): number;
}

export type EnvSpec<C> = EnvCard<C> & EnvSettings<C>;

/** zod objects with `.meta()` on fields (FieldMeta); parse fills defaults; unknown keys are errors (z.strictObject). */
export type EnvSettings<C> =
  | { readonly config: z.ZodType<C>; readonly flat?: never }
  /** `flat`: all settings side by side, as the definition reads them; of a variant (variant.ts) those of the other kinds are defaults. */
  | { readonly config: z.ZodType<object>; readonly flat: z.ZodType<C> };

/**
 * Checks a new config beyond its schema: throws LabError('config-invalid'). It is not called for a stored config, which has a version.
 * `fields`: the properties of the environment's schema; `config`: complete.
 */
export type NewCheck = (fields: NonNullable<FieldSchema['properties']>, config: JsonObject) => void;

interface EnvCard<C> extends Offer {
  readonly id: string; // = file name
  readonly version: number;
  /** What each version after the first changed: older configs are completed by it. */
  readonly changes?: readonly VersionChange[];
  readonly title: string;
  readonly summary: string;
  readonly source: Source;
  readonly presets: readonly Preset[];
  readonly checkNew?: NewCheck;
  meta(config: C): EnvMeta;
}

/** What the workbench offers first for an environment. */
export interface Offer {
  /** What to train there first, where the rule of core/recommend.ts does not serve. */
  readonly recommended?: Recommended;
  /** Why what is offered stays below a quarter of the way from random to the best known play, in a sentence (in the list of environments). */
  readonly learnNote?: string;
  /** Every reward is 0: there is no task, so nothing can be learned. */
  readonly unrewarded?: true;
  /** The scripted policy that is shown before anything is learned, where random actions only make a heap. */
  readonly before?: string;
}

/** An algorithm with one of its presets, and settings over it. */
export interface Recommended {
  readonly algo: string;
  readonly preset?: string;
  readonly config?: JsonObject;
  readonly steps: number;
  /** Settings of the world that it trains with, where these are not its defaults. */
  readonly env?: JsonObject;
  /** Steps between two evaluations; left out: there are none but the last. */
  readonly evalEvery?: number;
}

export interface EnvDef<C> {
  readonly spec: EnvSpec<C>;
  /**
   * Loads what `create` needs beyond code, a WebAssembly module for instance. Called once, before the first `create`, and again only if it
   * failed. `meta` must work without it.
   */
  prepare?(): Promise<void>;
  create(config: C, batch: number, options?: { readonly draws?: DrawSource }): Environment;
  /** Golden `rule`, `value` and `transition-table` cases: what the check named by `check` gives for these inputs. `memory` carries over in sequences. */
  readonly checks?: { readonly [check: string]: (config: C, inputs: JsonObject, memory: { [key: string]: Json }) => Json };
  readonly policies?: { readonly [name: string]: (config: C) => ScriptedPolicy };
  /** What the prompt of a task in tokens asks, in words. */
  readonly question?: (config: C, prompt: string) => string;
  /** Where meta names skills. */
  readonly skills?: (config: C) => Skills;
  /** Where meta is `searchable`. */
  readonly lookAhead?: (config: C) => LookAhead;
  /** Where a golden state or config is not plain field names: conversions to and from it. `config` prepares a golden case's config and state for `parse`. */
  readonly golden?: {
    readonly config?: (config: JsonObject, state: JsonObject) => JsonObject;
    readonly fromJson?: (state: JsonObject, config: C) => Uint8Array;
    readonly toJson?: (state: Uint8Array, config: C) => JsonObject;
    readonly draws?: (draws: JsonObject) => DrawSource;
    /** How many numbers of an observation, its first, the reference observes too, where more is told here. */
    readonly observed?: (config: C) => number;
    /** The `controller` of a case: computes every agent's action, called once per step from t = 1. */
    readonly controller?: (controller: JsonObject, config: C) => ScriptedPolicy;
    /** What becomes possible with data that are not part of the project: the golden file's own fields and those of the files a case requires. */
    readonly extern?: (data: JsonObject) => GoldenExtras;
  };
}

export interface GoldenExtras {
  readonly policies?: { readonly [name: string]: ScriptedPolicy };
  readonly checks?: { readonly [check: string]: (inputs: JsonObject, memory: { [key: string]: Json }) => Json };
}

/** An environment with its config type forgotten: what registries hold. Every method takes raw JSON and parses it (LabError('config-invalid')). */
export interface EnvEntry extends Offer {
  readonly id: string;
  readonly version: number;
  readonly changes: readonly VersionChange[];
  readonly title: string;
  readonly summary: string;
  readonly source: Source;
  readonly presets: readonly Preset[];
  readonly schema: FieldSchema;
  readonly checkNew?: NewCheck;
  parse(config: unknown): JsonObject; // complete config, defaults filled
  meta(config: unknown): EnvMeta;
  /** To be awaited before `create` where it is there. Calls after the first wait for the same loading; one that failed is tried again. */
  prepare?(): Promise<void>;
  /** Throws LabError('internal') where `prepare` is there and was not awaited. */
  create(config: unknown, batch: number, options?: { readonly draws?: DrawSource }): Environment;
  check(name: string, config: unknown, inputs: JsonObject, memory: { [key: string]: Json }): Json | undefined; // undefined: no such check
  /** Names of its scripted policies, without building them. */
  readonly policyNames: readonly string[];
  policies(config: unknown): { readonly [name: string]: ScriptedPolicy };
  /** What the prompt of a task in tokens asks, in words; absent elsewhere. */
  question?(config: unknown, prompt: string): string;
  /** What agents can do for some time, in the order of meta.skills; null: nothing is prepared here. */
  skills(config: unknown): Skills | null;
  /** What searching methods need; null: the environment is not `searchable`. */
  lookAhead(config: unknown): LookAhead | null;
  readonly golden: NonNullable<EnvDef<unknown>['golden']>;
}
