/**
 * Extensions: what changes a method without being one, such as an exploration bonus or hindsight goals. An extension is a folder of
 * algos/extensions and a line in its index. A method says in which loop it stands (`Stand`) and calls each place of that loop once; which
 * extensions there are it does not know.
 *
 * Order of effects. Wherever a place is called, extensions act in the order of extensions/index.ts.
 *   begin        parts of networks are decided, before any parameter is made
 *   attach       networks are there, programs are not: parameters of the extension's own
 *     inputs, penalty      while the learning program of each network is compiled; penalties are added to its loss
 *   places       all programs of the method are compiled: programs of the extension's own
 * The loop `rollout` (PPO), per update:
 *   for each of T steps: actions are drawn, `beforeStep`, the environments step, `afterStep` (rewards may be changed in the buffers),
 *     the step is written, `recorded`
 *   advantages by GAE, `advantages` (may change advantages and targets), `schedule` (may change the numbers of this update)
 *   for each minibatch: rows are gathered, `sampled`, one step of the optimiser, `afterUpdate`
 *   `afterUpdates`, then a row of metrics with `metrics`
 *   `shown` whenever a snapshot of the policy is made
 * The loop `replay` (DQN, SAC, TD3 ...), per step:
 *   an action is chosen (where a deterministic policy explores: normal numbers are drawn, `noise` may change them, they are scaled and added),
 *     `beforeStep`, the environments step, `afterStep` (rewards may be changed), the transition is stored
 *   for each update that is due: `beforeUpdate`, rows are drawn, each followed by `sampledRow`, and for each network `sampled`, one step of
 *     the optimiser, `afterUpdate`
 *   targets are copied if they are due, `afterUpdates`
 * The loop `team` (IPPO, MAPPO, HAPPO, learned communication), per update:
 *   for each of T steps: the environments step, `rewards` (may change the rewards of all agents; where it is filled, an agent's episode does not
 *     end with its death), the step is written
 *   a row of metrics with `metrics`
 * The loops `groups` (group policy gradients on worlds) and `tokens` (methods on tokens) begin with `before`: each call takes the place of an iteration
 *   of the method, until none of the extensions has one
 * The loop `groups`, then, per update:
 *   `beforeEpisodes` (may change the horizon and the weight of the shaped reward), then one episode in every row, rows of a group from one start
 *   advantages of episodes in their groups, given to each of their steps; `compared` (may change advantages, and which groups are learned
 *     from), `silenced` (names steps that lose their gradient)
 *   for each minibatch: rows are gathered, `sampled`, one step of the optimiser, `afterUpdate`
 *   `afterGroups` (may make further steps of the optimiser), `afterUpdates`, then a row of metrics with `metrics`
 */
import type { z } from 'zod';
import type { MetricCard, Preset } from '#contract/catalog/catalog.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { Saved } from '#contract/run/events.ts';
import type { Activation } from '#core/engine/ops.ts';
import type { Engine, Graph, InputShapes, ParamGroup, Shape, Tensor } from '#core/engine/types.ts';
import type { StateLayout } from '#core/state/checkpoint.ts';
import type { ReplayBatch, ReplayBuffer } from '#core/state/replay-buffer.ts';
import type { Rng } from '#math/rng.ts';
import type { EnvMeta, ScriptedPolicy } from '../../envs/api/types.ts';
import type { VectorEnv } from '../../envs/api/vector-env.ts';

/** The loop that a method stands in, and which networks it shows to extensions. */
export type Stand =
  | { readonly loop: 'rollout'; readonly networks: 'policy' }
  | { readonly loop: 'replay'; readonly networks: ReplayNetworks }
  /** `shared`: all agents learn from one reward of the team. */
  | { readonly loop: 'team'; readonly networks: 'other'; readonly reward: 'own' | 'shared' }
  | { readonly loop: 'groups'; readonly networks: 'other' }
  /** `cloned`: whether it has a cloned start by default, or knows a number of updates alone. */
  | { readonly loop: 'tokens'; readonly networks: 'other'; readonly cloned: 'on' | 'off' | 'steps' };
/** `deterministic`: a policy whose actions are explored by noise that the method adds. */
type ReplayNetworks = 'q' | 'soft' | 'deterministic' | 'other';

/** The setting of an extension: a variant, one of whose kinds changes nothing (OFF), or a number, of which 0 changes nothing. */
export type Setting = { readonly kind: string } | number;

/** The complete settings of a method, for what depends on others. */
export type MethodSettings = { readonly [name: string]: unknown };

/** What a network is made of where its parts belong to tasks, say. */
export interface NetworkParts {
  /** How often the outputs of the last layer are there, side by side. */
  readonly heads: number;
  /** Once the parameters of a network are made. */
  bind(network: ParamGroup): BoundParts;
}

/** Outputs of a network as each row takes them: those of `build` as they are where no part belongs to a task. `seen`: encoded observations [B, W]. */
export const outputsOf = (
  bound: BoundParts | null,
  seen: () => Tensor,
  build: () => readonly Tensor[],
  params?: ParamGroup['params'],
): readonly Tensor[] => (bound === null ? build() : bound.read(seen(), build, params));

export interface BoundParts {
  /** Parameters that a policy needs beside those of the network; null: none. */
  readonly group: ParamGroup | null;
  /**
   * The outputs [B, ...] that each row is to take. `seen`: encoded observations [B, W]; `build` applies the network. `params`: of another
   * network of the same form, such as its target, in the same order.
   */
  read(seen: Tensor, build: () => readonly Tensor[], params?: ParamGroup['params']): readonly Tensor[];
}

/** Inputs of a program by name; those that it does not have are missing. */
export type Inputs = { readonly [name: string]: Tensor | undefined };
export type Views = { readonly [name: string]: Float32Array | undefined };

/** Something that a step of an optimiser is made on, by the name of its learning program. */
interface Learned {
  readonly name: 'policy' | 'q' | 'critics' | 'actor';
  readonly group: ParamGroup;
}
export type LearnedName = Learned['name'];

interface HostBase {
  readonly engine: Engine;
  readonly meta: EnvMeta;
  readonly env: VectorEnv;
  /** Of the run; split it by purpose. */
  readonly rng: Rng;
  readonly learned: readonly Learned[];
}

/** A network of policy and value, as lib/network-policy.ts makes it. */
export interface PolicyView {
  /** Shapes of the inputs. */
  inputs(rows: number): { readonly obs: Shape; readonly mask: Shape | null };
  /** [rows], or [rows, D] for continuous actions. */
  actionShape(rows: number): Shape;
  /** Logits [rows, N] (masked ones -1e8) or means [rows, D], and the values [rows]. */
  apply(x: { readonly obs: Tensor; readonly mask: Tensor | undefined }, g: Graph): { readonly head: Tensor; readonly value: Tensor };
  /** `logits`, or `mean` and `logStd`, and `value`. */
  outputs(
    x: { readonly obs: Tensor; readonly mask: Tensor | undefined },
    g: Graph,
  ): { readonly logits: Tensor; readonly value: Tensor } | { readonly mean: Tensor; readonly logStd: Tensor; readonly value: Tensor };
  /** Of actions taken: ln p [rows], entropy and values [rows]. */
  evaluate(
    x: { readonly obs: Tensor; readonly mask: Tensor | undefined },
    action: Tensor,
    g: Graph,
  ): { readonly logProb: Tensor; readonly entropy: Tensor; readonly value: Tensor };
}

/** PPO's loop: T steps of N rows, learned from in minibatches of `size`. */
export interface RolloutHost extends HostBase {
  readonly loop: 'rollout';
  readonly networks: 'policy';
  readonly net: PolicyView;
  readonly rows: number; // N: environments x agents
  readonly steps: number; // T
  readonly size: number;
  readonly config: {
    readonly gamma: number;
    readonly lambda: number;
    readonly valueCoef: number;
    readonly epochs: number;
    readonly minibatches: number;
    readonly hidden: readonly number[];
    readonly activation: Activation;
    readonly filters: number;
    readonly adamEps: number;
    readonly maxGradNorm: number;
  };
}

interface ReplayBase extends HostBase {
  readonly loop: 'replay';
  readonly replay: ReplayBuffer;
  readonly config: {
    readonly gamma: number;
    readonly batchSize: number;
    readonly trainEvery: number;
    readonly gradientSteps: number;
    /** 1 if missing. */
    readonly nStep?: number;
  };
}

/** What a loop on replayed transitions shows: action values, or a squashed Gaussian policy and two critics, or neither. */
export type ReplayHost = ReplayBase &
  (
    | { readonly networks: 'other' | 'deterministic' }
    | { readonly networks: 'q' /** [M, N] of observations as they are, with mean weights. */; q(obs: Tensor): Tensor }
    | {
        readonly networks: 'soft';
        readonly activation: Activation;
        /** Mean and log deviation [rows, D] before squashing, of encoded observations. */
        gaussian(features: Tensor): { readonly mean: Tensor; readonly logStd: Tensor };
        /** Both critics' values [rows]. */
        both(features: Tensor, action: Tensor): readonly [Tensor, Tensor];
      }
  );

/** Rows of the learning program of a loop on groups, [M] each, observations [M, O], masks [M, N]. */
export interface GroupRows {
  readonly obs: Float32Array;
  readonly mask?: Float32Array | undefined;
  readonly action: Float32Array;
  /** ln p of the action when it was drawn. */
  readonly old: Float32Array;
  readonly advantage: Float32Array;
  /** 1 where there is a row. */
  readonly present: Float32Array;
  readonly weight: Float32Array;
}

/** How a method copies what scripts of its environment do; nothing is made before it is asked for. */
export interface Copying {
  /** By name. */
  readonly teachers: { readonly [name: string]: ScriptedPolicy };
  /** The script plays an episode in every row, `apart`: each from a start of its own; gives the steps. */
  demonstrate(teacher: ScriptedPolicy, apart: boolean): Promise<number>;
  /** One update on the `steps` that were demonstrated last; `judged`, on tokens: it gives `met`, the share of them that greedy writing would repeat. */
  program(judged: boolean): (steps: number, lr: number) => Promise<{ readonly loss: number; readonly met?: number | undefined }>;
  /** What is learned from now on begins with a fresh optimiser. */
  begin(): Promise<void>;
}

/** A method on tokens. */
export interface TokensHost extends HostBase {
  readonly loop: 'tokens';
  readonly networks: 'other';
  readonly copying: Copying;
  /** A file of trained weights; `hash`: of its bytes, by which a kept copy of another version is known. Throws LabError('engine-missing') where it cannot be had. */
  weights(file: string, hash: string): Promise<Uint8Array>;
}

/** A loop on groups of `group` rows that start alike, learned from in minibatches of `size` steps. */
export interface GroupsHost extends HostBase {
  readonly loop: 'groups';
  readonly networks: 'other';
  readonly group: number;
  readonly size: number;
  readonly copying: Copying;
  /** One more step of the optimiser, on rows that `fill` writes, without entropy bonus; what extensions declared as inputs is 0. */
  learnFrom(fill: (rows: GroupRows) => void): Promise<void>;
}

/** Several networks of agents, which extensions do not see. */
export interface TeamHost extends HostBase {
  readonly loop: 'team';
  readonly networks: 'other';
}
export type Host = RolloutHost | ReplayHost | TeamHost | GroupsHost | TokensHost;

/** One episode a row; step t of row r stands at place r * longest + t. */
export interface GroupEpisodes {
  readonly longest: number;
  /** [rows * longest, O] */
  readonly obs: Float32Array;
  /** [rows * longest, N] legal actions; empty where none is forbidden. */
  readonly masks: Float32Array;
  /** [rows * longest] actions, their ln p when they were drawn, and what they earned. */
  readonly actions: Float32Array;
  readonly logProbs: Float32Array;
  readonly rewards: Float64Array;
  /** [rows * longest] equal where the agent stood in the same place and saw the same. */
  readonly keys: Float64Array;
  /** [rows] */
  readonly lengths: Int32Array;
  readonly returns: Float64Array;
  /** [rows] steps that the episode has from another one, which it branched off; 0: it began at the start. */
  readonly shared: Int32Array;
}

/** The numbers of the next episodes. */
export interface EpisodeNumbers {
  /** Steps after which an episode is cut. */
  horizon: number;
  /** Weight of the environment's shaped reward. */
  help: number;
}

/** One update of a loop on groups. */
export interface GroupUpdate {
  readonly episodes: GroupEpisodes;
  readonly advantages: Float64Array; // [rows * longest]
  /** Numbers of the groups that are learned from, from 0; one may stand there again in place of another. */
  readonly groups: number[];
  /** Updates before this one, the mean of their entropies (NaN: there was none), and the share of the budget that was spent before. */
  readonly updates: number;
  readonly usualEntropy: number;
  readonly done: number;
}

/** A step of a rollout as it was written, rows [N]. */
export interface RecordedStep {
  readonly t: number;
  readonly obs: Float32Array; // [N, O], as the network saw them
  readonly action: Float32Array; // [N, D]
  readonly mask: Float32Array | undefined; // [N, actions]
  /** Outputs of the acting program. */
  readonly out: Views;
  readonly reward: Float32Array;
  readonly terminated: Uint8Array;
  /** Writes the observation that follows that of a row, as the network sees it. */
  next(row: number, into: Float32Array): void;
}

/** A rollout, time-major: arrays are [T, N] or [T, N, ...]; `last...` are [N] of what follows it. Advantages and targets may be changed. */
export interface Rollout {
  readonly obs: Float32Array;
  readonly actions: Float32Array;
  readonly rewards: Float32Array;
  readonly values: Float32Array;
  readonly logProbs: Float32Array;
  readonly terminated: Uint8Array;
  readonly truncated: Uint8Array;
  /** Read where `truncated`. */
  readonly finalValues: Float32Array;
  readonly lastObs: Float32Array;
  readonly lastValues: Float32Array;
  readonly advantages: Float32Array;
  readonly targets: Float32Array;
}

/** The numbers of one update, which a schedule may change. */
export interface UpdateNumbers {
  lr: number;
  clip: number;
  entropyCoef: number;
  valueCoef: number;
  /** Passes over the rollout; 0: nothing is learned from it. */
  epochs: number;
}

/** How far the run is: environment steps before and after what was just done, and at the end of what comes next. */
export interface Passed {
  readonly before: number;
  readonly now: number;
  readonly next: number;
}

/** Places of a loop, functions that use no `this`; an extension fills those that it needs, and a loop pays for no other. */
export interface Places {
  /** What it keeps between steps: part of every checkpoint. */
  readonly state?: StateLayout;
  /** An iteration in place of the method's own: its steps and its row of metrics; null: there is none, or no other. */
  before?(): Promise<{ readonly steps: number; readonly metrics: { readonly [name: string]: number } } | null>;
  /** Standard normal numbers [rows * D] of a step, before they are scaled and added to the actions of a deterministic policy. */
  noise?(draws: Float64Array): void;
  /** Before the t-th step of a rollout; t is 0 in a replay loop. */
  beforeStep?(t: number): void;
  afterStep?(t: number): void;
  recorded?(step: RecordedStep): void;
  advantages?(rollout: Rollout): void | Promise<void>;
  /** `done` and `all`: environment steps so far and of the budget. */
  schedule?(numbers: UpdateNumbers, done: number, all: number): void;
  beforeUpdate?(): void | Promise<void>;
  /** Row `row` of `batch` holds transition `id`; `rng` is that which drew it. */
  sampledRow?(rng: Rng, id: number, row: number, batch: ReplayBatch): void;
  /** The inputs of a learning program stand. */
  sampled?(network: LearnedName, inputs: Views): void;
  /** Its outputs are read; filling this place makes every update read them, which is a round trip on a graphics device. */
  afterUpdate?(network: LearnedName, outputs: Views): void;
  /** `numbers`: of the update, in a rollout loop. */
  afterUpdates?(passed: Passed, numbers: UpdateNumbers | null): void | Promise<void>;
  metrics?(): { readonly [name: string]: number };
  /** What a snapshot of the policy takes along for those who look at the run. */
  shown?(): { readonly meta: JsonObject; readonly arrays: Saved['arrays'] };
  /** [B, A] of one step, what agents learn from. */
  rewards?(rewards: Float32Array): void;
  /** `done`: share of the budget that is spent. */
  beforeEpisodes?(numbers: EpisodeNumbers, done: number): void;
  compared?(update: GroupUpdate): void;
  /** Adds places of steps that lose their gradient to `silent`; `order`: the places that are learned from. */
  silenced?(update: GroupUpdate, order: Int32Array, silent: Set<number>): void;
  /** `taught`: steps that were learned from. */
  afterGroups?(update: GroupUpdate, taught: number): void | Promise<void>;
}

/** Between the making of networks and the end of the method's compiling. */
export interface Attached {
  /** Further inputs of the learning program of a network. */
  inputs?(network: LearnedName): InputShapes;
  /** What joins its loss, []; null: nothing. `now`: what the method computes there for the rows of the minibatch. */
  penalty?(network: LearnedName, x: Inputs, g: Graph, now: Inputs): Tensor | null;
  /** Id of the metric that reports the penalty. */
  readonly penaltyMetric?: string;
  places(): Places;
}

export interface Begun {
  readonly parts?: NetworkParts | null;
  attach(host: Host): Attached;
}

/** What an extension is begun with: before there are networks. */
export interface Beginning {
  readonly engine: Engine;
  readonly meta: EnvMeta;
}

/** The complete config of the run as it is now: numbers that may be edited while it runs are read here where a setting is a number. */
export interface BegunWith extends Beginning {
  readonly config: MethodSettings;
}

/** An extension as its folder declares it. `S`: its setting. */
export interface Declared<S extends Setting> {
  /** The name of its setting. */
  readonly id: string;
  /** Its setting where it fits, a `variant` or a number; null: it does not fit this stand. */
  field(stand: Stand): z.ZodType<S> | null;
  /** Presets of the methods in whose loop it fits, such as the settings of its paper. */
  readonly presets?: readonly Preset[];
  /** It is loaded also where it is off: a live edit may turn it on. */
  readonly always?: true;
  metrics?(stand: Stand): readonly MetricCard[];
  /** Throws LabError('config-invalid' | 'incompatible') where it is on and cannot act. */
  check?(meta: EnvMeta, setting: S, method: MethodSettings, stand: Stand): void;
  /** Loads what acts; only called where it is on. */
  load(stand: Stand): Promise<(setting: S, beginning: BegunWith) => Begun>;
}
export type Extension = Declared<never>;

export const defineExtension = <S extends Setting>(declared: Declared<S>): Extension => declared as unknown as Extension;

/** The kinds in which an extension changes nothing. A new extension has `not used`: configs without it keep their hash (contract/run/flat-settings.ts). */
const OFF: readonly string[] = ['none', 'off', 'own', 'not used'];

/** The setting of an extension in the complete config of a method; null: it has none. */
export const settingOf = (config: object, id: string): Setting | null => {
  const found = (config as MethodSettings)[id];
  if (typeof found === 'number') return found;
  return typeof found === 'object' && found !== null && 'kind' in found && typeof found.kind === 'string'
    ? (found as { readonly kind: string })
    : null;
};

/** Whether a config turns an extension on. */
export const isOn = (config: object, id: string): boolean => {
  const setting = settingOf(config, id);
  return typeof setting === 'number' ? setting !== 0 : setting !== null && !OFF.includes(setting.kind);
};
