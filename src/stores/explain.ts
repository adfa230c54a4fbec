/** What each agent of a team contributes: the question as it is being put, and the answers as they come in. */
import { createStore } from 'zustand/vanilla';
import type { Counterfactual } from '#contract/explain/counterfactual.ts';
import { type AgentAttribution, type AgentQuestion, defaultQuestion, type FeatureAttribution } from '#contract/explain/explain.ts';
import type { Answer, ExplainerRef, ReplayFrame } from '#contract/explain/explain-api.ts';
import type { FrameSource } from '#contract/game/frames.ts';
import type { Failure } from '#contract/kit/errors.ts';
import type { PolicySnapshot, Replay } from '#contract/run/events.ts';
import { Latest } from './latest.ts';

/** An answer about one frame of a replay. */
export interface AtFrame<T> {
  readonly t: number;
  readonly answer: T;
}

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

export interface AskOptions<D> {
  /** Gets every answer as it comes. */
  readonly take?: (answer: Answer<D>) => void;
  /** Another policy than the one on the stage. */
  readonly snapshot?: PolicySnapshot;
  /** Frames of the shown episode to answer at, one after another. */
  readonly frames?: readonly number[];
  /** The policy on the whole, where an explainer could also explain the shown frame. */
  readonly whole?: boolean;
  /** Asked along with an episode that plays: the stage goes on, and as long as nothing is learned the first script stands for the policy. */
  readonly along?: boolean;
  /** Another moment than the one on the stage. */
  readonly moment?: ReplayFrame;
}

/** What the page may ask to be explained. Agent values, over training and along an episode report into the store; `ask` rejects with LabError. */
export interface ExplainActions {
  /** Any explainer, about what is on the stage: the last answer; null: cancelled before there was one. */
  ask<C extends object, D>(ref: ExplainerRef<C, D>, config: Partial<C>, options?: AskOptions<D>): Promise<Answer<D> | null>;
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
  /** Frames of a replay of the shown environment. */
  source(replay: Replay): Promise<FrameSource>;
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

/** Whose decision is shown and explained. */
export function chooseAgent(agent: number): void {
  explainStore.setState({ agent });
}

/** The share of its time that an explanation works while all cores train. */
export function workBeside(beside: number): void {
  explainStore.setState({ beside });
}

export function featuresMatter(matters: NonNullable<ExplainState['matters']>): void {
  explainStore.setState({ matters });
}

export function wouldHappen(whatIf: NonNullable<ExplainState['whatIf']>): void {
  explainStore.setState({ whatIf });
}

/** A question about agents is put, whose words are `about`. */
export function questionBegins(about: string, envId: string): void {
  explainStore.setState({ status: 'running', about, envId, latest: null, trail: [], failure: null });
}

/** One more of the answers of which each is more precise than the one before. */
export function answerCame(latest: AgentAttribution): void {
  const { value, halfWidth, steps } = latest;
  explainStore.setState(({ trail }) => ({ latest, trail: extend(trail, { steps, value, halfWidth }) }));
}

/** The answer about agents is put away. */
export function forgetAnswer(): void {
  explainStore.setState({ latest: null, trail: [] });
}

/** idle: it was cancelled before there was an answer. */
export function questionEnds(status: 'idle' | 'done', latest: AgentAttribution | null = null): void {
  explainStore.setState({ status, ...(latest && { latest }) });
}

export function questionFails(failure: Failure): void {
  explainStore.setState({ status: 'failed', failure, latest: null, trail: [] });
}

/** An answer that was there before is shown. */
export function showAnswer(latest: AgentAttribution, about: string, envId: string): void {
  explainStore.setState({ latest, trail: [], envId, about, failure: null });
}

/** false: nothing is being explained. */
export function pauseQuestion(paused: boolean): boolean {
  const { status } = explainStore.getState();
  if (status !== 'running' && status !== 'paused') return false;
  explainStore.setState({ status: paused ? 'paused' : 'running' });
  return true;
}

/**
 * Values over training are asked for: `points` are known, `wanted` is the number of points in the end. Returns two functions: `came` adds a point, `ends`
 * marks the end. Both do nothing once such values are asked for anew.
 */
export function trainingBegins(of: Omit<TrainingValues, 'status'>) {
  const newest = trainings.begin();
  const change = (to: (training: TrainingValues) => Partial<TrainingValues>): void => {
    const { training } = explainStore.getState();
    if (newest() && training !== null) explainStore.setState({ training: { ...training, ...to(training) } });
  };
  explainStore.setState({ training: { ...of, status: 'running' }, status: 'running', failure: null });
  return {
    came: (point: TrainingValues['points'][number]) =>
      change(({ points }) => ({ points: [...points, point].sort((a, b) => a.step - b.step) })),
    ends: () => change(({ points, wanted }) => ({ status: points.length < wanted ? 'stopped' : 'done' })),
  };
}

const trainings = new Latest();

export function switchLane(on: boolean): void {
  explainStore.setState({ lane: { ...NO_LANE, on } });
}

/** The lane is about this episode: `points` are known, `wanted` there are to be; 0: it cannot be explained. */
export function laneBegins(replay: Replay, wanted: number, points: LaneState['points']): void {
  explainStore.setState({ lane: { on: true, replay, wanted, points } });
}

/** One more of this episode; of another one it is dropped. */
export function lanePointCame(replay: Replay, point: AtFrame<AgentAttribution>): void {
  const { lane } = explainStore.getState();
  if (lane.replay === replay) explainStore.setState({ lane: { ...lane, points: [...lane.points, point].sort((a, b) => a.t - b.t) } });
}
