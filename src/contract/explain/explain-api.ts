/**
 * What an explanation is asked with and how it answers: one request and five kinds of answer for all explainers, so that a new explainer
 * needs nothing of its own between the core and a panel. Plain data.
 */

import type { JsonObject } from '../kit/json.ts';
import type { PolicySnapshot, Replay } from '../run/events.ts';

/**
 * The policy that acts: a learned one, or a scripted one of the environment by its name. Requests with the same `key` mean the same policy,
 * so that it can be kept built.
 */
export type Team = { readonly snapshot: PolicySnapshot; readonly key?: string } | { readonly scripted: string };

/** The sending end of a MessagePort. */
export interface ExplainPort<T> {
  postMessage(message: T): void;
}

/** One frame of a replay. */
export interface ReplayFrame {
  readonly replay: Replay;
  readonly t: number;
}

/** Names an explainer; for the compiler it also says which config it takes and what its answers carry. */
export interface ExplainerRef<C extends object, D> {
  readonly id: string;
  /** Never set. */
  readonly types?: (config: C) => D;
}

export interface ExplainRequest {
  readonly explainer: string;
  /** As the explainer's schema has it; what is left out takes its default. */
  readonly config: object;
  /** null: only for explainers that look at no environment. */
  readonly env: { readonly id: string; readonly config: JsonObject } | null;
  readonly team: Team | null;
  /** Acts for agents outside a coalition where the config asks for another learned policy. */
  readonly other: Team | null;
  /** The explained frame; null: the policy on the whole. */
  readonly moment: ReplayFrame | null;
  /** Other episodes of the same environment: more observations to compare with. */
  readonly episodes: readonly Replay[];
  /** Frames of the moment's replay to answer at, one after another in this order; null: at its own. */
  readonly frames: readonly number[] | null;
}

/** A number and half of its 95 % interval; null: it is no estimate. Infinite: too few samples for an interval. */
export interface Interval {
  readonly value: number;
  readonly halfWidth: number | null;
}

export interface Bar extends Interval {
  readonly label: string;
  /** The agent that the bar belongs to, for its colour; null: none. */
  readonly agent: number | null;
}

export interface Line {
  readonly label: string;
  readonly agent: number | null;
  readonly x: readonly number[];
  readonly y: readonly number[];
  /** Of each point; null: no estimates. */
  readonly halfWidth: readonly number[] | null;
}

export interface ReplaySide extends Interval {
  readonly label: string;
  /** The return of each continuation; `value` is their mean. */
  readonly returns: readonly number[];
  readonly replay: Replay;
}

/** A move that a search tried. Parents stand before their children, siblings best first. */
export interface TreeMove {
  /** Index of the move that it follows; -1: it is made in the position that is explained. */
  readonly parent: number;
  readonly label: string;
  /** How often the search went through it. */
  readonly visits: number;
  /** For the player who makes it: 1 won, -1 lost. */
  readonly value: number;
  /** Its chance before the search; null: the method has none. */
  readonly prior: number | null;
  /** The game ends with it. */
  readonly over: boolean;
}

/** What can be drawn without knowing the explainer. */
export type AnswerData =
  | { readonly kind: 'bars'; readonly bars: readonly Bar[] }
  /** Row-major [rows, columns]; NaN: no such number. */
  | {
      readonly kind: 'matrix';
      readonly rows: readonly string[];
      readonly columns: readonly string[];
      readonly values: readonly number[];
      readonly halfWidth: readonly number[] | null;
    }
  | { readonly kind: 'series'; readonly x: string; readonly lines: readonly Line[] }
  | { readonly kind: 'tree'; readonly moves: readonly TreeMove[] }
  | { readonly kind: 'replays'; readonly sides: readonly ReplaySide[]; readonly difference: Interval };

export type AnswerKind = AnswerData['kind'];

/** A request yields increasingly precise answers; the final one is not 'running'. */
export interface Answer<D = unknown> {
  readonly explainer: string;
  /** What the numbers are. */
  readonly title: string;
  /** Unit of the numbers; '' for none. */
  readonly unit: string;
  /** What follows from them, and how they were found, in sentences. */
  readonly words: readonly string[];
  /** The frame it is about; null: the policy on the whole. */
  readonly t: number | null;
  readonly end: 'running' | 'done' | 'cancelled';
  readonly data: AnswerData;
  /** Everything the explainer found, for panels that know it. */
  readonly detail: D;
}

/** One explanation of each explainer at a time; a new one ends the old. The page gives it a worker of its own. */
export interface ExplainApi {
  /** Posts answers as they get better and returns the last; null: cancelled before there was one. Throws LabError naming the field. */
  explain(request: ExplainRequest, port: ExplainPort<Answer>): Promise<Answer | null>;
  pauseExplanation(paused: boolean): Promise<void>;
  cancelExplanation(): Promise<void>;
  /** Share of the time it may work, 0.02 to 1: less than 1 while all cores train. */
  paceExplanation(share: number): Promise<void>;
}

/** Bars at several frames as one line per bar over the frames; null: they are not bars. */
export function seriesOf(answers: readonly Answer[]): Answer | null {
  const [first] = answers;
  if (first === undefined || first.data.kind !== 'bars') return null;
  const sorted = answers.toSorted((a, b) => (a.t ?? 0) - (b.t ?? 0));
  const lines = first.data.bars.map(({ label, agent }): Line => {
    const points = sorted.flatMap(({ t, data }) => {
      const bar = data.kind === 'bars' ? data.bars.find((other) => other.label === label) : undefined;
      return bar === undefined || t === null ? [] : [{ t, bar }];
    });
    return {
      label,
      agent,
      x: points.map(({ t }) => t),
      y: points.map(({ bar }) => bar.value),
      halfWidth: points.map(({ bar }) => bar.halfWidth ?? 0),
    };
  });
  return { ...first, t: null, words: [], detail: null, data: { kind: 'series', x: 'frame', lines } };
}

/** A request of an explainer with this config; what is left out is absent. */
export function requestOf<C extends object, D>(
  ref: ExplainerRef<C, D>,
  config: Partial<C>,
  rest: Partial<Omit<ExplainRequest, 'explainer' | 'config'>>,
): ExplainRequest {
  return { env: null, team: null, other: null, moment: null, episodes: [], frames: null, ...rest, explainer: ref.id, config };
}
