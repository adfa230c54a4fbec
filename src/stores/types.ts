/** Shapes of everything the page remembers. Stores are zustand vanilla stores; only the client writes what comes from workers. */

import type { Catalog, EnvCard, ReferenceReturn } from '#contract/catalog/catalog.ts';
import type { FrameSource } from '#contract/game/frames.ts';
import type { StopRules } from '#contract/game/stop-rules.ts';
import type { Failure } from '#contract/kit/errors.ts';
import type { Json, JsonObject } from '#contract/kit/json.ts';
import type { ExecutorId, RunConfig } from '#contract/run/config.ts';
import type { EditOf, EngineUsage, PolicySnapshot, Replay, SeedResult, SessionEvent, SessionState } from '#contract/run/events.ts';
import type { Origin } from '#contract/run/origin.ts';
import type { GridMap, Inspection } from '#contract/session/session.ts';
import type { DraftPhase } from './draft-phase.ts';
import type { Shown, ShownPolicy, StageMachine } from './stage-machine.ts';

/** stores/catalog.ts: `catalogStore`. */
export interface CatalogState {
  readonly catalog: Catalog | null;
  /** Reference returns of environments with the configs that were looked at since the page opened, by `envKey`. */
  readonly references: Readonly<Record<string, readonly ReferenceReturn[]>>;
  readonly failure: Failure | null;
}

/** stores/draft.ts: `draftStore`. The config being edited; every change is one undo step. */
export interface DraftState {
  readonly config: RunConfig;
  /** What "changed" marks compare with: the preset, experiment or link it came from. */
  readonly base: RunConfig;
  readonly experimentId: string | null;
  /** First 12 hex of the SHA-256 of the canonical config; '' until computed. */
  readonly hash: string;
  /** Card of the environment with this config; null until described. */
  readonly env: EnvCard | null;
  readonly phase: DraftPhase;
  /** One per invalid field (`field` is the path); Train is off while any is left. */
  readonly problems: readonly Failure[];
  readonly past: readonly RunConfig[];
  readonly future: readonly RunConfig[];
  /** Actions. */
  open(config: RunConfig, experimentId?: string | null): void;
  /** Opens what no person has asked for: a link or file that is on its way still takes its place. */
  openUnasked(config: RunConfig, experimentId: string): void;
  set(path: string, value: Json | undefined): void; // undefined takes it out; 'algo.lr', 'env.map', 'run.steps'
  /** Several fields that only make sense together: one undo step. */
  setAll(values: { readonly [path: string]: Json | undefined }): void;
  reset(path?: string): void; // to base
  /** Another environment brings the algorithm and the budget that are recommended for it, as one undo step. */
  setEnv(id: string, presetId?: string): void;
  setAlgo(id: string, presetId?: string): void;
  undo(): void;
  redo(): void;
}

export type Mark = Extract<SessionEvent, { kind: 'mark' }>;

export interface SeedRun {
  readonly seed: number;
  readonly state: SessionState | 'queued' | 'interrupted';
  readonly step: number;
  readonly seconds: number;
  readonly stepsPerSecond: number;
  readonly checkpointStep: number; // -1: none
  /** Since the page was opened, while it trains; missing: not known, or the method has no networks. */
  readonly usage?: EngineUsage;
  /** Steps of the states that are kept so that other runs can go on from them, ascending. */
  readonly points?: readonly number[];
  readonly result: SeedResult | null;
  readonly failure: Failure | null;
  readonly marks: readonly Mark[];
}

/** The run from which a fork goes on, and where. */
export interface Parent {
  readonly id: string;
  /** The step that was asked for: each seed begins at its checkpoint there or before it. */
  readonly step: number;
  readonly seeds?: readonly { readonly seed: number; readonly step: number }[] | undefined;
  /** Up to there it is the same run, with the same config and live edits: a seed that is not among `seeds` begins at the start. */
  readonly same?: true | undefined;
}

/** One config, several seeds. Colour belongs to the run for life, never to its place in the list. */
export interface RunGroup {
  readonly id: string;
  readonly name: string;
  readonly config: RunConfig;
  /** Of the config; of a fork also of where it begins, for it is no run of this config alone. */
  readonly hash: string;
  readonly colour: number; // 0..7 palette index
  readonly dash: number; // 0..3
  readonly createdAt: number; // ms since epoch
  readonly visible: boolean;
  readonly note: string;
  readonly parent: Parent | null;
  readonly executorReason: string; // "exact, the default"
  /** Live edits of all its seeds, each at one step, ascending; a seed that is not there yet makes them when it is. */
  readonly edits?: readonly EditOf[] | undefined;
  /** Each seed ends where one of them holds. */
  readonly stops?: StopRules | undefined;
  readonly seeds: readonly SeedRun[];
  /** Curves of another program, read from a file: nothing of it can be opened, trained or watched here. */
  readonly imported?: { readonly source: string; readonly file: string } | undefined;
  /** Place where the run was started; missing in runs of earlier builds. */
  readonly origin?: Origin | undefined;
  /** Another tab trains it: shown here, not changed and not written. */
  readonly elsewhere?: true;
}

/** stores/runs.ts: `runsStore`. */
export interface RunsState {
  readonly groups: readonly RunGroup[];
  readonly activeId: string | null;
  readonly filter: string;
  readonly sort: { readonly column: string; readonly down: boolean };
  setActive(id: string | null): void;
  setFilter(text: string): void;
  setSort(column: string): void;
  toggleVisible(id: string): void;
  rename(id: string, name: string): void;
  note(id: string, text: string): void;
}

/** stores/curves.ts: `curves`, one growable table per run and seed, outside React; `curvesStore.version` ticks at most 10 times a second. */
export interface Series {
  readonly steps: Float64Array; // views of the filled part
  readonly values: Float64Array;
}
export interface Curves {
  metrics(runId: string): readonly string[];
  series(runId: string, seed: number, metric: string): Series | null;
  append(runId: string, seed: number, columns: readonly string[], rows: Float64Array): void;
  /** Forgets what lies after this step (a resumed run re-does it). */
  cut(runId: string, seed: number, afterStep: number): void;
  drop(runId: string): void;
  /** Until what it answers is called, changes wait to be drawn. */
  hold(): () => void;
}
export interface CurvesState {
  readonly version: number;
  readonly metric: string; // shown metric
  readonly xAxis: 'steps' | 'episodes' | 'updates' | 'seconds';
  readonly smoothing: number; // 0..0.999
  readonly rawSeeds: boolean;
  readonly hoverStep: number | null;
  setMetric(id: string): void;
  setXAxis(axis: CurvesState['xAxis']): void;
  setSmoothing(amount: number): void;
  setRawSeeds(on: boolean): void;
  setHover(step: number | null): void;
}

export interface Overlays {
  readonly values: boolean;
  readonly policy: boolean;
  readonly visits: boolean;
  readonly view: boolean;
  /** Of points and bodies; the camera's link does not keep these. */
  readonly trails: boolean;
  readonly rays: boolean;
  readonly messages: boolean;
  readonly forces: boolean;
  readonly payouts: boolean;
  readonly potential: boolean;
}

/** Scores of one person's games in one environment, against others from the same start. */
export interface HumanScore {
  /** 'random' and, where there is one, 'agent' or the best scripted policy; in the order in which they were found. */
  readonly rivals: readonly { readonly name: string; readonly score: number }[];
  /** Of this game; null: it goes on. */
  readonly score: number | null;
  readonly steps: number;
  /** Rounds so far where a game is many episodes of one step, over which the scores are sums; null: a game is one episode. */
  readonly rounds: number | null;
  /** The person's best before this game; null: this is the first. */
  readonly best: number | null;
}

/** stores/stage.ts: `stageStore`. What the scene shows and where the two timelines stand. */
export interface StageState {
  /** idle: first frame only; live: episodes of the newest policy, one after another; replay: one stored episode; play: a person acts; edit: the map. */
  readonly mode: Shown['kind'];
  /** What is on the stage and on its way there; `mode` and `policy` follow from it. */
  readonly machine: StageMachine;
  readonly source: FrameSource | null;
  readonly replay: Replay | null;
  readonly t: number; // frame being shown
  readonly length: number;
  readonly playing: boolean;
  /** Something was asked about the frame that is shown: at rest it stays, the first frame of an episode too. */
  readonly questioned: boolean;
  readonly speed: number; // 0.25 .. 16
  readonly returnSoFar: number;
  /** Which policy plays: run, seed and training step; null: random. */
  readonly policy: ShownPolicy | null;
  /** Who acts instead of a learned policy, chosen by a person: 'random' or a name of EnvCard.policies; null: none. */
  readonly scripted: string | null;
  /** Seed of the start from which every episode is played; null: each from another. */
  readonly sameStart: number | null;
  /** Policies kept so far for the learning timeline of the active run, by step. */
  readonly checkpoints: readonly { readonly step: number; readonly key: string }[];
  readonly inspection: Inspection | null;
  readonly valueMap: GridMap | null;
  readonly visits: Float64Array | null;
  readonly overlays: Overlays;
  readonly camera: 'home' | 'top' | 'side' | 'follow';
  /** A person's game: who else played from the same start, and how it went; null: no game. Stays while its replay is looked at. */
  readonly game: HumanScore | null;
  /** In a game: a policy acts in all steps but those for which the person holds a key, so many so far. null: the person plays alone. */
  readonly takeover: { readonly steps: number } | null;
  readonly held: readonly string[]; // keys held in human play
  readonly sticks: readonly number[]; // by index of EnvCard.axes: -1 towards `less` .. 1 towards `more`
  /** The next episode takes long: what is shown meanwhile is the one before. */
  readonly computing: boolean;
  readonly told: string; // the mission of this episode, '' where there is none
  readonly message: string; // "Episode 3 of the policy at step 120,000"
  setOverlay(name: keyof Overlays, on: boolean): void;
  setCamera(camera: StageState['camera']): void;
  setSpeed(speed: number): void;
  setPlaying(on: boolean): void;
  /** Until it plays on or another episode is shown. */
  question(): void;
  seek(t: number): void;
}

/** A link or run of a time whose rules are gone. */
export interface RuleChange {
  /** One sentence each, with what it concerns before it. */
  readonly rules: readonly string[];
  readonly env: { readonly id: string; readonly version: number };
  /** As the link has it. */
  readonly config: JsonObject;
}

export interface LessonView {
  /** Of the lesson and its step, for the runs that are started in it. */
  readonly title: string;
  /** The other curves and their chooser. */
  readonly allCurves: boolean;
  /** The panel of explanations. */
  readonly why: boolean;
  /** Layers over the map that may be switched. */
  readonly overlays: readonly string[];
  /** The stage shows a group of answers in place of an episode, where the world has tokens. */
  readonly group: boolean;
}

/** A policy that is written for other programs: the newest of a run, or that of a file. */
export type Exported = { readonly runId: string } | { readonly name: string; readonly policy: PolicySnapshot };

/** stores/layout.ts: `layoutStore`; theme and depth live in localStorage where it exists. */
export interface LayoutState {
  readonly theme: 'system' | 'light' | 'dark';
  readonly depth: 'teach' | 'lab' | 'research';
  readonly tab: 'setup' | 'scene' | 'curves' | 'why' | 'runs'; // phone
  readonly leftOpen: boolean;
  readonly rightOpen: boolean;
  readonly runsOpen: boolean;
  readonly projector: boolean;
  /** What the open step of a lesson needs beside the scene and the return; null: no lesson is open. All else is hidden. */
  readonly lesson: LessonView | null;
  readonly motion: 'system' | 'none';
  readonly shortcuts: boolean;
  readonly dialog:
    | 'none'
    | 'share'
    | 'help'
    | 'commands'
    | 'storage'
    | 'gallery'
    | 'environment'
    | 'environments'
    | 'json'
    | 'onnx'
    | 'film'
    | 'link-problem'
    | 'update'
    | 'verify';
  /** The policy that the dialog `onnx` is about. */
  readonly exported: Exported | null;
  readonly linkFailure: Failure | null;
  /** The link that was opened last follows rules that have changed since; null: it does not, or this was put away. */
  readonly ruleChange: RuleChange | null;
  /** From a link: fields hidden or locked for a class. */
  readonly lock: readonly string[];
  set<K extends Exclude<keyof LayoutState, 'set'>>(key: K, value: LayoutState[K]): void;
}

/** stores/machine.ts: `machineStore`. What this computer offers. */
export interface MachineState {
  readonly cores: number;
  readonly online: boolean;
  readonly gpu: 'unknown' | 'none' | 'present';
  readonly gpuReason: string;
  /** The processor plays the GPU: it never trains faster, and timing it would take the cores from the page. */
  readonly gpuInSoftware: boolean;
  readonly storage: 'unknown' | 'memory' | 'disk';
  /** Another tab keeps the database from opening; what is made here is held in memory until it opens. */
  readonly storageBlocked: boolean;
  readonly persisted: boolean;
  readonly usedBytes: number;
  /** Why what happens here is not being saved; '' while it is. */
  readonly unsaved: string;
  /** How often the storage was cleared while the page was open and written again. */
  readonly rewritten: number;
  readonly updateReady: boolean;
  /** "2.6 x faster on your GPU": null until measured. */
  readonly offer: { readonly executor: 'webgpu'; readonly speedup: number } | null;
  /** What executors do here with the set-up of this hash; null until they are measured. `busy`: the one that is measured now. */
  readonly speeds: {
    readonly about: string;
    readonly busy: ExecutorId | null;
    readonly results: readonly { readonly executor: ExecutorId; readonly stepsPerSecond: number | null; readonly note: string }[];
  } | null;
}
