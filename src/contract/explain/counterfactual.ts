/** What if: one moment of an episode, as it was and with one thing changed, and what comes of each. Plain data. */
import type { Replay } from '../run/events.ts';
import type { AgentQuestion } from './explain.ts';
import type { ExplainerRef } from './explain-api.ts';

export type Change =
  /** This action instead of its own, once: an index, or one number per dimension. */
  | { readonly kind: 'action'; readonly agent: number; readonly action: readonly number[] }
  /** This agent is absent from here on, by the question's rule. */
  | { readonly kind: 'remove'; readonly agent: number }
  /** This agent (of a grid) or point (of a plane) stands somewhere else: cell or metres, x to the right; y down in grids, up in planes. */
  | { readonly kind: 'move'; readonly thing: number; readonly x: number; readonly y: number }
  /** What lies on two cells of a grid changes places: a wall is moved by swapping it with floor. Row-major indices. */
  | { readonly kind: 'swap'; readonly from: number; readonly to: number };

export interface CounterfactualQuestion extends Pick<AgentQuestion, 'replacement' | 'payoff' | 'greedy' | 'seed'> {
  readonly change: Change;
  /** Futures played on each side; the first meets the chances of the replay, the others chances of their own, the same on both sides. */
  readonly continuations: number;
}

export interface Future {
  /** What each continuation is worth from here on. */
  readonly returns: readonly number[];
  readonly mean: number;
  /** Half of the 95 % interval of the mean over continuations. */
  readonly halfWidth: number;
  /** The first continuation; frame 0 is the moment. */
  readonly replay: Replay;
}

export interface Counterfactual {
  readonly asItWas: Future;
  readonly changed: Future;
  /** Mean of changed minus asItWas over pairs that met the same chances, and half of its interval: 0 both where chance plays no part. */
  readonly difference: number;
  readonly differenceHalfWidth: number;
  readonly steps: number;
}

/** src/core/explain/counterfactual.ts */
export const COUNTERFACTUAL: ExplainerRef<CounterfactualQuestion, Counterfactual> = { id: 'counterfactual' };
