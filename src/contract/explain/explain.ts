/** What agent values and feature attributions are asked with and what they give; every number with its unit and its interval. Plain data. */
import type { ExplainerRef } from './explain-api.ts';

/** What stands in for an agent that is not in a coalition. Values for different ones must not be averaged: they answer different questions. */
export type ReplacementRule =
  | { readonly kind: 'noop' } // the idle action, zero force; where it is illegal, the first legal action
  | { readonly kind: 'random' } // uniform over the legal actions
  | { readonly kind: 'other-agent' } // what another randomly drawn player would do in its own place
  | { readonly kind: 'scripted'; readonly name: string }
  | { readonly kind: 'policy'; readonly key: string; readonly title: string }; // for example an early checkpoint

/** What a coalition is worth: summed over the episode, without discount. */
export type Payoff =
  | { readonly kind: 'team' } // the environment's score of the team
  | { readonly kind: 'agent'; readonly agent: number }
  | { readonly kind: 'component'; readonly name: string }; // one part of a vector reward

export type SchemeName = 'auto' | 'exact' | 'permutation' | 'antithetic' | 'stratified' | 'owen' | 'banzhaf';

export interface AgentQuestion {
  /** Agents that are explained; all others always play. null: all whose returns make the score. */
  readonly players: readonly number[] | null;
  /** auto: all coalitions up to five players, then antithetic pairs of orders. */
  readonly scheme: SchemeName;
  /** For `owen`: agents that arrive together, each player once. */
  readonly unions: readonly (readonly number[])[] | null;
  readonly replacement: ReplacementRule;
  readonly payoff: Payoff;
  /** The best action instead of a drawn one. */
  readonly greedy: boolean;
  readonly seed: number;
  /** Stops when half the width of every interval is at most this; 0: only by budget. In units of the worth. */
  readonly halfWidth: number;
  /** Stops before more environment steps than this are taken, over all episodes. */
  readonly maxSteps: number;
}

export type AttributionEnd = 'running' | 'width' | 'budget' | 'cancelled';

export interface AgentAttribution {
  readonly question: AgentQuestion;
  /** The scheme that `auto` became. */
  readonly scheme: Exclude<SchemeName, 'auto'>;
  readonly players: readonly { readonly agent: number; readonly name: string }[];
  readonly value: readonly number[]; // [players]
  /** Half of the 95 % interval over draws; infinite before two of them. */
  readonly halfWidth: readonly number[]; // [players]
  /** The same of value[i] - value[j]. */
  readonly differenceHalfWidth: readonly number[]; // [players, players]
  readonly vEmpty: number;
  readonly vEmptyHalfWidth: number;
  readonly vGrand: number;
  readonly vGrandHalfWidth: number;
  /** all - none - sum of the values: 0 up to rounding (not for Banzhaf). */
  readonly efficiencyGap: number;
  readonly draws: number;
  readonly episodes: number;
  readonly steps: number;
  /** Where all coalitions were played: mean worth of each (index = bit mask over the players) and what follows from it. */
  readonly table: readonly number[] | null;
  readonly banzhaf: readonly number[] | null;
  readonly interactions: readonly number[] | null; // [players, players]
  readonly end: AttributionEnd;
}

export const defaultQuestion: AgentQuestion = {
  players: null,
  scheme: 'auto',
  unions: null,
  replacement: { kind: 'noop' },
  payoff: { kind: 'team' },
  greedy: true,
  seed: 1,
  halfWidth: 0,
  maxSteps: 1_000_000,
};

/** src/core/explain/agents.ts */
export const AGENTS: ExplainerRef<AgentQuestion, AgentAttribution> = { id: 'agents' };

/** A game whose values are known, and what drawing orders says about it so far. */
export interface TrustedGame {
  readonly id: string;
  readonly title: string;
  readonly story: string;
  readonly players: readonly string[];
  readonly truth: readonly number[];
  readonly value: readonly number[];
  readonly halfWidth: readonly number[];
  readonly draws: number;
}

/** src/core/explain/trust.ts */
export const TRUST: ExplainerRef<{ readonly draws: number; readonly seed: number }, readonly TrustedGame[]> = { id: 'trust' };

/** One thing an agent sees: a few columns of its observation that belong together. */
export interface Feature {
  readonly name: string;
  readonly columns: readonly number[];
  /** Row-major index in the agent's view, for grids and images; null: not a place. */
  readonly cell: number | null;
}

export interface FeatureQuestion {
  readonly agent: number;
  /**
   * Three questions that must not be mixed (Beechey, Smith & Simsek 2023). Behaviour: why this action, its probability (or the mean of a
   * dimension). Prediction: what its expected return rests on; that does not explain what it does. Outcome: what knowing this is worth, the
   * return if the agent had to choose here without it and went on as usual.
   */
  readonly about: 'behaviour' | 'prediction' | 'outcome';
  /** Orders of features and their reverses (all coalitions where there are few), or KernelSHAP's least squares. */
  readonly method: 'orders' | 'kernel';
  /** Action or dimension that is explained; null: the one it takes. */
  readonly action: number | null;
  readonly draws: number;
  readonly seed: number;
}

export interface FeatureAttribution {
  readonly question: FeatureQuestion;
  /** The action or dimension that was explained. */
  readonly action: number;
  readonly features: readonly Feature[];
  /** Width and height of the view where features are its cells. */
  readonly view: readonly [width: number, height: number] | null;
  readonly value: readonly number[];
  readonly halfWidth: readonly number[];
  /** What the output changes if this feature alone is replaced: cheap, and blind to what features do together. Null: not asked for. */
  readonly occlusion: readonly number[] | null;
  /** Slope of the output along the feature's numbers, summed over them without sign; null too where they are codes, not quantities. */
  readonly gradient: readonly number[] | null;
  /** Mean of the feature's numbers here: what a beeswarm is coloured by. */
  readonly level: readonly number[];
  /** For outcome: what each action is worth from here, and half of its interval. */
  readonly actionReturns: { readonly mean: readonly number[]; readonly halfWidth: readonly number[] } | null;
  /** Mean output over the background, and the output here; the values lead from one to the other. */
  readonly base: number;
  readonly output: number;
  readonly efficiencyGap: number;
  readonly draws: number;
  /** Observations that stood in for what was hidden: other moments of this and other episodes. */
  readonly background: number;
}

/** src/core/explain/features.ts */
export const FEATURES: ExplainerRef<FeatureQuestion, FeatureAttribution> = { id: 'features' };
