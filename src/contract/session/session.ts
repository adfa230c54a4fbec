/** The commands the page may give its workers (through comlink). Data comes back on a MessagePort as batches of events. */

import type { AttackMeasure, Catalog, EnvCard, ExplainMeasure, Strength } from '../catalog/catalog.ts';
import type { ExplainApi } from '../explain/explain-api.ts';
import type { LevelSolution } from '../files/levels.ts';
import type { Pull } from '../game/frames.ts';
import type { NetworkValues, NetworkView, SlopeQuestion, StateEdit } from '../game/network-view.ts';
import type { StopRules } from '../game/stop-rules.ts';
import type { Failure } from '../kit/errors.ts';
import type { Json, JsonObject } from '../kit/json.ts';
import type { Robot, RobotCard, RobotFile } from '../link/robot.ts';
import type { Elsewhere } from '../papers/papers.ts';
import type { BenchValue } from '../run/bench.ts';
import type { ExecutorId, RunConfig } from '../run/config.ts';
import type { EditOf, PolicySnapshot, Replay, SeedResult, SessionEvent } from '../run/events.ts';
import type { Fitting } from '../run/fitting.ts';
import type { Frozen } from '../run/frozen.ts';
import type { GroupAsk, OneGroup } from '../run/group.ts';
import type { StepNumbers } from '../run/step-numbers.ts';
import type { SwarmAsk, SwarmCanvas, SwarmFrame, SwarmTold } from '../run/swarm.ts';
import type { AnswerGroup, AttentionMap, PromptAnswers, SampleRequest, StripValues, TokenInspection, TokenStrip } from '../run/tokens.ts';
import type { DataApi } from './data-api.ts';
import type { LayersModel, OnnxFile } from './onnx.ts';

/** The sending end of a MessagePort, as far as both sides need to name it. */
export interface DataPort {
  postMessage(message: EventBatch, transfer: ArrayBuffer[]): void;
}

/** What the page, which passes texts between a worker and a sandbox on, says itself: the sandbox was ended, and why. */
export interface SandboxEnded {
  readonly ended: Failure;
}

/** Messages to the page about a sandbox: nothing was heard for so many seconds; the sandbox is no longer needed. */
export type SandboxNews = { readonly silent: number } | { readonly close: true };

/** The worker's end of a MessagePort that leads into a sandbox. */
export interface SandboxPort {
  onmessage: ((event: { readonly data: string | SandboxEnded }) => void) | null;
  postMessage(message: string | SandboxNews): void;
}

/** Before the name of a scripted policy, where a policy's key is asked for. */
export const SCRIPTED = 'scripted:';

/** A live edit that is asked for. */
export interface EditRequest {
  readonly path: string;
  readonly value: Json;
}

/** Where a session stands while it is held, and the edit as its config will have it. */
export interface Held {
  readonly step: number;
  readonly edit: EditRequest;
}

/** A state of another run, with the same seed, from which a run goes on: a fork. */
export interface Origin {
  readonly runId: string;
  readonly step: number;
  /** Up to there it is the same run, live edits included. */
  readonly same?: boolean | undefined;
}

/** How far a single step of training goes: one iteration of the algorithm, or to the end of the next episode. */
export type StepSize = 'update' | 'episode';

/** One worker trains one seed at a time. */
export interface SessionApi {
  /**
   * `runId` names the stored run; `resume` continues from its newest checkpoint if there is one. Where there is none, it begins at `from`, with
   * its own settings. `edits`: its live edits, each at a step; those that its state has not made yet are made when it gets there. `stops` end it
   * early. Events go to `port`.
   */
  start(
    request: {
      readonly runId: string;
      readonly config: RunConfig;
      readonly seed: number;
      readonly resume: boolean;
      readonly from?: Origin | undefined;
      readonly edits?: readonly EditOf[];
      readonly stops?: StopRules | undefined;
      /** Begins with such a step, and pauses. */
      readonly step?: StepSize | undefined;
      /** Threads that may divide its large products, 1 without it. The bits are the same. */
      readonly threads?: number;
    },
    port: DataPort,
    /** Leads through the page into a sandbox with the code of the environment, in which the training itself goes on. */
    sandbox?: SandboxPort,
  ): Promise<void>;
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Runs exactly one iteration (one yield of the algorithm), or those until an episode has ended, then pauses. */
  stepOnce(size?: StepSize): Promise<void>;
  /** Ends the run at the next safe point; its state is kept. */
  stop(): Promise<void>;
  /** Saves a checkpoint at the next safe point and answers when it is on disk. */
  save(): Promise<void>;
  /** From now on the run ends at the first safe point where one of these rules holds. They replace those there were. */
  stopAt(rules: StopRules): Promise<void>;
  /**
   * For a live edit of a field marked `live`, e.g. algo.lr: stands still at the next safe point until `release`, and answers where that is; null: there is none to come, the run is over. Rejects for an
   * edit that could not be made there, and then stands still nowhere.
   */
  hold(edit: EditRequest): Promise<Held | null>;
  /** Goes on with all the edits of the run, each at its step. `keep`: the state there is kept, so that another run can go on from it. */
  release(edits: readonly EditOf[], keep?: boolean): Promise<void>;
  /**
   * Trains one seed to its end and stores nothing: what a claimed result is compared with. Its metrics, progress
   * and, last, its result also go to `port` where there is one. `sandbox`: the training goes on there, as in start. `edits`: made again on the way.
   */
  simulate(config: RunConfig, seed: number, port?: DataPort, sandbox?: SandboxPort | null, edits?: readonly EditOf[]): Promise<SeedResult>;
}

export type EventBatch = { readonly events: readonly SessionEvent[] };

/** An output of one method's policy beside its action. */
export interface ExtraCard {
  readonly id: string;
  /**
   * choice: the index of one label. values: a number per label, in the units of the return. logits: a logit per label, of a choice above
   * the actions (an option, a skill); `chosen` is the id of the choice that holds the current one. place: a cell of a grid, as cells to the right
   * of the agent and ahead of it; the scene shows a flag there.
   */
  readonly kind: 'choice' | 'values' | 'logits' | 'place';
  readonly title: string;
  readonly description: string;
  readonly labels: readonly string[];
  readonly chosen?: string;
  /** The numbers are one point: views draw it in a plane, beside those of other states. */
  readonly plane?: true;
}

/** What a policy says about one state. Rows are actions. */
export interface Inspection {
  readonly obs: Float32Array;
  /** Probabilities of the actions the policy may take; null: continuous actions, or no probabilities. */
  readonly probs: Float32Array | null;
  readonly mean: Float32Array | null;
  readonly std: Float32Array | null;
  readonly q: Float32Array | null;
  readonly value: number | null;
  readonly chosen: Float32Array;
  /** What this method reports besides; probabilities [labels] in place of logits. Empty for most. */
  readonly extras: readonly { readonly card: ExtraCard; readonly values: Float32Array }[];
}

/** A policy beside a person, and what its method alone reports of the first agent that it moves. */
export interface Beside extends Pick<Inspection, 'extras'> {
  /** Its name in the worker. */
  readonly policy: string;
}

/** One value per cell of a grid (NaN: nothing there) and the action the policy prefers there (-1: none). [H*W] */
export interface GridMap {
  readonly values: Float32Array;
  readonly actions: Int32Array;
  readonly probs: Float32Array; // [H*W, N]
}

export interface Window {
  readonly from: number;
  readonly frames: Float32Array; // [n, F]
  readonly rewards: Float32Array; // [n] reward that led to this frame, summed over agents
  readonly total: number; // frames of the whole episode
  readonly told?: string; // the mission, at the start of a game
  readonly cells?: Int16Array; // [n, A] as Replay.cells, of the steps that led to these frames
}

/** Which agent a person moves, and who the others are: one name for each agent, as in `play`; null: the environment's own way. */
export interface HumanSeat {
  readonly agent: number;
  readonly players: readonly (string | null)[] | null;
  /** A policy that was trained with these settings of the environment moves every agent that it knows, as a mate who has not met the person. */
  readonly beside?: { readonly policy: string; readonly trained: JsonObject };
  /** The person takes over from the player of that seat only in steps for which there is an action; any agent, from step to step. */
  readonly takeover?: boolean;
  /** It goes on from this frame of a replay of the same environment. */
  readonly from?: { readonly replay: Replay; readonly t: number };
}

/** What a policy is asked about one frame of a replay, as it was or changed by hand. */
export interface LookRequest {
  readonly replay: Replay;
  readonly t: number;
  /** Its name in the worker. */
  readonly policy: string;
  readonly agent: number;
  /** One after the other; none: the frame as it was. */
  readonly edits: readonly StateEdit[];
  /** Also what the units of its network do, and slopes of this output; null: the decision alone. */
  readonly network: { readonly slope: SlopeQuestion | null } | null;
}

export interface Look {
  readonly inspection: Inspection;
  /** null: not asked for, or the policy is no such network. */
  readonly values: NetworkValues | null;
  /** The changed picture; null: nothing was changed. */
  readonly frame: Float32Array | null;
}

/** How good a policy is, in the world it was trained in; a world in its place: random actions there. */
export interface StrengthAsk {
  readonly of: PolicySnapshot | { readonly id: string; readonly config: JsonObject };
  readonly episodes: number;
  /** So many of the fixed list of episodes were played before. */
  readonly after: number;
}

export interface StrengthFound {
  /** What is measured in this world. */
  readonly kind: Strength;
  /** What each episode gave. */
  readonly scores: Float64Array;
}

/** What is measured of a policy once its run is over. */
export interface AfterAsk {
  readonly episodes: number;
  /** Episodes whose actions are drawn by the policy's own chances. */
  readonly drawn: boolean;
  /** Its expected return from the transition table; null where there is none. */
  readonly exact: boolean;
  /** Forms of its environment; null: not asked. */
  readonly against: readonly JsonObject[] | null;
  /** What is asked about the trained team; null: nothing. */
  readonly explain: ExplainMeasure | AttackMeasure | null;
}

export interface AfterRun {
  readonly sampledReturn: number | null;
  readonly drawn: Readonly<Record<string, number>> | null;
  readonly exactScore: number | null;
  readonly againstReturn: number | null;
  /** Of the same episodes; null: not asked. */
  readonly elsewhere: Elsewhere | null;
  /** Of as many there whose actions are drawn; null: not asked. */
  readonly elsewhereDrawn: Elsewhere | null;
  readonly explained: number | null;
}

/** The second worker: knows the catalogue, plays, replays, inspects, explains. It trains nothing that is kept. */
export interface WatchApi extends ExplainApi, DataApi {
  catalog(): Promise<Catalog>;
  /** Checks a whole config: unknown keys, ranges, whether this algorithm can act there. Throws LabError naming the field. Fills defaults. */
  complete(config: Json): Promise<RunConfig>;
  /** The card of an environment with this config: layout, spaces and limits depend on it. */
  describe(env: { readonly id: string; readonly config: JsonObject }): Promise<EnvCard>;
  /** An own robot, from a file or as it stands in settings, compiled and timed. Throws LabError('file-invalid') naming the line. */
  robot(given: RobotFile | Robot): Promise<{ readonly robot: Robot; readonly card: RobotCard }>;
  /** Which methods can act there with this config, best first, and why the others cannot. */
  fitting(env: { readonly id: string; readonly config: JsonObject }): Promise<Fitting>;
  /** The first frame after a reset with this seed: what a map editor and an idle stage show. */
  preview(env: { readonly id: string; readonly config: JsonObject }, seed: number): Promise<Window>;
  /** Throws LabError naming what keeps this policy from acting: unknown ids, settings, arrays that do not fit. */
  checkPolicy(snapshot: PolicySnapshot): Promise<void>;
  /** Keeps a policy under a name; later calls refer to it. 'random' is always there. */
  setPolicy(key: string, snapshot: PolicySnapshot): Promise<void>;
  dropPolicy(key: string): Promise<void>;
  /** The policy of one agent as an ONNX model. Throws LabError('incompatible') where it is not one network. */
  onnx(snapshot: PolicySnapshot, agent: number): Promise<OnnxFile>;
  /** The policy as a player of a seat that learns nothing more. Throws LabError('incompatible') where it is no stack of dense layers. */
  freeze(snapshot: PolicySnapshot, seat: string): Promise<Frozen>;
  /** The policy as a TensorFlow.js layers model, for stacks of dense layers alone. */
  layers(snapshot: PolicySnapshot, agent: number): Promise<LayersModel>;
  /**
   * Plays one episode with that policy (null: random actions; SCRIPTED and a name of EnvCard.policies: that one) as a replay. `start`: a state in which a
   * policy begins, in place of the start that the seed draws.
   */
  play(
    env: { readonly id: string; readonly config: JsonObject },
    policy: string | null,
    options: { readonly seed: number; readonly greedy: boolean; readonly start?: Uint8Array },
  ): Promise<Replay>;
  /** What a planner that knows all of these levels (states in which an episode begins) needs for each, null where it finds no way; null: this environment has no such planner. */
  solve(
    env: { readonly id: string; readonly config: JsonObject },
    levels: readonly Uint8Array[],
  ): Promise<readonly (LevelSolution | null)[] | null>;
  /** Ends the episodes that are being played now: they answer what they have, as `cut`. */
  stopPlaying(): Promise<void>;
  /** Like `play`, with a player for each agent, named as there. */
  playTeam(
    env: { readonly id: string; readonly config: JsonObject },
    players: readonly (string | null)[],
    options: { readonly seed: number; readonly greedy: boolean },
  ): Promise<Replay>;
  /**
   * Mean return of a policy over whole greedy episodes with a partner in the seats that `env` gives to players: a script, 'random' or 'idle' (core/run/cross-play.ts).
   * `interval`: 95 %, Student's t over episodes; null: one episode.
   */
  pairing(
    env: { readonly id: string; readonly config: JsonObject },
    policy: string | null,
    partner: string,
    options: { readonly episodes: number; readonly firstSeed: number },
  ): Promise<{ readonly mean: number; readonly interval: readonly [low: number, high: number] | null }>;
  /** Frames of a replay, re-simulated. */
  frames(replay: Replay, from: number, count: number): Promise<Window>;
  /** What each of the environment's reward terms added to the rewards of every step, summed over agents: [T, terms]; empty where there are none. */
  rewardTerms(replay: Replay): Promise<Float64Array>;
  /** What this policy says at frame t of a replay. */
  /** `agent`: whose view; the first agent's if left out. */
  inspect(replay: Replay, t: number, policy: string, agent?: number): Promise<Inspection>;
  /** The network of one agent, with its weights. Throws LabError('incompatible') for policies that are not one network each. */
  network(policy: string, env: { readonly id: string; readonly config: JsonObject }, agent: number): Promise<NetworkView>;
  /** Throws LabError('incompatible') naming `edits` for a change that cannot be made there. */
  look(request: LookRequest): Promise<Look>;
  /** The numbers behind a learner's words at frame t; `old`: the policy that ratio and KL compare with. */
  stepNumbers(replay: Replay, t: number, policy: string, agent: number, old: string | null): Promise<StepNumbers>;
  /** Value and preferred action at every place the agent could stand, everything else as at frame t. null: this environment has no such map. */
  valueMap(replay: Replay, t: number, policy: string): Promise<GridMap | null>;
  /** Of an environment in tokens: the episode token by token. `policy` null: random actions. */
  tokenStrip(replay: Replay, policy: string | null): Promise<TokenStrip>;
  /** The mean reward to come at each of its frames, by sampling on; null: the tokens of another episode were asked for meanwhile. */
  stripValues(replay: Replay, policy: string | null): Promise<StripValues | null>;
  /** Inside the network where the token of frame t was written; null: none was written there, or the policy is no transformer. */
  inspectToken(replay: Replay, t: number, policy: string): Promise<TokenInspection | null>;
  /** The same for every token of that row and not the last alone. */
  attentionMap(replay: Replay, t: number, policy: string): Promise<AttentionMap | null>;
  /** What the policy writes behind a typed prompt. Throws LabError naming `prompt` where it does not fit. */
  answerPrompt(
    env: { readonly id: string; readonly config: JsonObject },
    policy: string,
    prompt: string,
    seed: number,
  ): Promise<PromptAnswers>;
  /** Groups of answers that the policy samples now. Throws LabError naming `size` for more than MOST_ANSWERS in all. */
  sampleAnswers(request: SampleRequest): Promise<readonly AnswerGroup[]>;
  /** Human play: one live copy. The person moves `seat.agent` (the first), the others are played as named in `seat.players` (first scripted policy). */
  openPlay(env: { readonly id: string; readonly config: JsonObject }, seed: number, seat?: HumanSeat): Promise<Window>;
  /** Where a person takes over: null leaves the step to the policy, `agent` is who is moved. Its reward is then that of all agents. `pull`: what the person pulls at meanwhile. */
  playStep(
    action: readonly number[] | null,
    agent?: number,
    pull?: Pull | null,
  ): Promise<{ readonly window: Window; readonly reward: number; readonly terminated: boolean; readonly truncated: boolean }>;
  closePlay(): Promise<Replay>;
  /** The game so far, which goes on. */
  playSoFar(): Promise<Replay>;
  /** What the policy beside the person (`beside` of the seat) reported with its last decision; null: there is none, or it has decided nothing yet. */
  besideSays(): Promise<Beside | null>;
  /**
   * What a scripted policy gets in the environment of a config: the mean over its evaluation's episodes, others for every seed, and what the
   * environment measures of them. Nothing is trained. Throws LabError for a script that is not there.
   */
  scripted(
    config: RunConfig,
    seed: number,
    script: string,
  ): Promise<{ readonly evalReturn: number; readonly measures: Readonly<Record<string, number>> }>;
  /**
   * Mean return of so many greedy episodes of a kept policy in a form of its environment, on the evaluation's seeds. Throws
   * LabError('incompatible') where it was trained with other observations or actions.
   */
  score(env: { readonly id: string; readonly config: JsonObject }, policy: string, episodes: number): Promise<number>;
  /** Whole episodes of a policy against a yardstick that never changes. Throws LabError for a policy that cannot act. */
  strength(ask: StrengthAsk): Promise<StrengthFound>;
  /**
   * Measures a policy whose run is over, as the command line does: what is not asked for is null. Throws LabError('incompatible') where it cannot
   * act in a form of its environment that is asked for.
   */
  afterRun(snapshot: PolicySnapshot, ask: AfterAsk): Promise<AfterRun>;
  /**
   * One group of episodes as a group policy gradient on worlds collects it, and what its steps would be learned from with; the same ask gives the
   * same group. A policy that is not kept is trained for it first, within this call. Throws LabError('incompatible') for another method.
   */
  oneGroup(ask: GroupAsk): Promise<OneGroup>;
  /** Times the training step of this config on the executors this machine has, 200 ms each: what `auto` and the GPU offer use. */
  race(config: RunConfig): Promise<readonly { readonly executor: ExecutorId; readonly updatesPerSecond: number; readonly note: string }[]>;
  /** A row of the bench page, but for scenes. Throws LabError('gpu-missing') where there is no graphics device. */
  bench(row: string): Promise<BenchValue>;
  /** Opens a swarm on the graphics device, one a worker. Throws LabError('gpu-missing' | 'config-invalid'). */
  swarm(canvas: SwarmCanvas, ask: SwarmAsk): Promise<void>;
  /** Other settings for the same members in the same box. */
  swarmChange(ask: SwarmAsk): Promise<void>;
  /** Moves the open swarm on and draws it. Throws LabError('gpu-lost'). */
  swarmFrame(frame: SwarmFrame): Promise<SwarmTold>;
  /** Trains this config on an executor for about two seconds and keeps nothing. Throws what the run would throw there. */
  measure(config: RunConfig, executor: ExecutorId): Promise<{ readonly stepsPerSecond: number; readonly started: boolean }>;
}
