/** What each agent of a team contributes: the question as it is being put, and the answers as they come in. */
import { createStore } from 'zustand/vanilla';
import type { Coordination } from '#contract/coordination.ts';
import type { Change, Counterfactual } from '#contract/counterfactual.ts';
import type { Failure } from '#contract/errors.ts';
import type { Replay } from '#contract/events.ts';
import {
  type AgentAttribution,
  type AgentQuestion,
  defaultQuestion,
  type FeatureAttribution,
  type FeatureQuestion,
  type TrustedGame,
} from '#contract/explain.ts';
import type { AtFrame } from '#contract/explain-api.ts';
import type { FrameSource } from '#contract/frames.ts';

/** One point of the way to the answer. */
export interface TrailPoint {
  readonly steps: number;
  readonly value: readonly number[];
  readonly halfWidth: readonly number[];
}

/** Values of one seed's kept policies, by step. */
export interface TrainingValues {
  readonly runId: string;
  readonly seed: number;
  readonly status: 'running' | 'done' | 'stopped';
  /** Policies that are being explained; `points` grows up to that. */
  readonly wanted: number;
  readonly points: readonly { readonly step: number; readonly answer: AgentAttribution }[];
}

/** Values of what is left of the shown episode, frame by frame. */
interface LaneState {
  readonly on: boolean;
  readonly replay: Replay | null;
  readonly wanted: number;
  readonly points: readonly AtFrame<AgentAttribution>[];
}

export interface ExplainState {
  /** Share of its time that an explanation works while all cores train, 0.02 to 0.25. */
  readonly beside: number;
  /** Whose decision is shown and explained. */
  readonly agent: number;
  readonly question: AgentQuestion;
  readonly status: 'idle' | 'running' | 'paused' | 'done' | 'failed';
  /** Whose values these are, in words; '' before the first question. */
  readonly about: string;
  /** The environment the answer belongs to. */
  readonly envId: string;
  readonly latest: AgentAttribution | null;
  readonly trail: readonly TrailPoint[];
  readonly failure: Failure | null;
  readonly training: TrainingValues | null;
  readonly lane: LaneState;
  /** The last explained frame and the last change, for the report. */
  readonly matters: { readonly envId: string; readonly t: number; readonly what: string; readonly of: FeatureAttribution } | null;
  readonly whatIf: { readonly envId: string; readonly t: number; readonly words: string; readonly of: Counterfactual } | null;
  ask(change: Partial<AgentQuestion>): void;
}

/** What the page may ask to be explained. Questions about agents report into the store; the others reject with LabError. */
export interface ExplainActions {
  /** What each agent contributes: the shown policy; `here`: from the shown frame on. */
  agents(here: boolean): Promise<void>;
  /** The same for kept policies of the shown run: at most `points` more. */
  overTraining(points: number): Promise<void>;
  /** Shows the policy of this step and its values. */
  openPoint(step: number): Promise<void>;
  /** Values of what is left, along the shown episode and those that follow. */
  lane(on: boolean): void;
  pause(paused: boolean): void;
  cancel(): void;
  /** What the shown decision of an agent rests on; null where nothing learned is shown. */
  features(question: FeatureQuestion): Promise<FeatureAttribution | null>;
  /** The same at frames spread over the episode, as they come. */
  featuresAlong(question: FeatureQuestion, frames: number, take: (point: AtFrame<FeatureAttribution>) => void): Promise<void>;
  /** The shown frame with one thing changed; null: cancelled, or no agent acts. */
  futures(change: Change, continuations: number): Promise<Counterfactual | null>;
  coordination(): Promise<Coordination | null>;
  /** Frames of a replay of the shown environment. */
  source(replay: Replay): Promise<FrameSource>;
  test(draws: number): Promise<readonly TrustedGame[]>;
}

const MOST_POINTS = 200;

/** The trail with one more point; thinned by half when it grows long. */
export function extend(trail: readonly TrailPoint[], point: TrailPoint): readonly TrailPoint[] {
  const longer = [...trail, point];
  return longer.length > MOST_POINTS ? longer.filter((_, i) => i % 2 === 1 || i === longer.length - 1) : longer;
}

export const NO_LANE: LaneState = { on: false, replay: null, wanted: 0, points: [] };

export const explainStore = createStore<ExplainState>((set, get) => ({
  beside: 0.25,
  agent: 0,
  question: { ...defaultQuestion, maxSteps: 400_000 },
  status: 'idle',
  about: '',
  envId: '',
  latest: null,
  trail: [],
  failure: null,
  training: null,
  lane: NO_LANE,
  matters: null,
  whatIf: null,
  ask: (change) => set({ question: { ...get().question, ...change } }),
}));
