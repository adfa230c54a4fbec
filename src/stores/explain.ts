/** What each agent of a team contributes: the question as it is being put, and the answer as it comes in. */
import { createStore } from 'zustand/vanilla';
import type { Failure } from '#contract/errors.ts';
import { type AgentAttribution, type AgentQuestion, defaultQuestion } from '#contract/explain.ts';

/** One point of the way to the answer. */
export interface TrailPoint {
  readonly steps: number;
  readonly value: readonly number[];
  readonly halfWidth: readonly number[];
}

export interface ExplainState {
  readonly question: AgentQuestion;
  readonly status: 'idle' | 'running' | 'paused' | 'done' | 'failed';
  /** Whose values these are, in words; '' before the first question. */
  readonly about: string;
  /** The environment the answer belongs to. */
  readonly envId: string;
  readonly latest: AgentAttribution | null;
  readonly trail: readonly TrailPoint[];
  readonly failure: Failure | null;
  ask(change: Partial<AgentQuestion>): void;
}

const MOST_POINTS = 200;

/** The trail with one more point; thinned by half when it grows long. */
export function extend(trail: readonly TrailPoint[], point: TrailPoint): readonly TrailPoint[] {
  const longer = [...trail, point];
  return longer.length > MOST_POINTS ? longer.filter((_, i) => i % 2 === 1 || i === longer.length - 1) : longer;
}

export const explainStore = createStore<ExplainState>((set, get) => ({
  question: { ...defaultQuestion, maxSteps: 400_000 },
  status: 'idle',
  about: '',
  envId: '',
  latest: null,
  trail: [],
  failure: null,
  ask: (change) => set({ question: { ...get().question, ...change } }),
}));
