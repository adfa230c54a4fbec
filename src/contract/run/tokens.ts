/** What a policy makes of the tokens of an episode, and of a typed prompt. Numbers in nats. */

import type { JsonObject } from '../kit/json.ts';
import type { Replay } from './events.ts';

/** One token that could come next. */
export interface LikelyToken {
  readonly id: number;
  readonly probability: number;
}

/** A token that was written, as the policy sees it. */
export interface WrittenToken {
  readonly id: number;
  /** Of this token where it was written. */
  readonly logProb: number;
  /** Of the distribution it comes from. */
  readonly entropy: number;
  /** The most probable ones there, best first, and the one that was taken. */
  readonly likely: readonly LikelyToken[];
}

/** A token of an episode: the prompt's and the world's have no reading. */
export interface StripToken {
  readonly id: number;
  /** Frame of the episode at which it stands in the row. */
  readonly frame: number;
  readonly written: WrittenToken | null;
}

/** A whole episode in its tokens. */
export interface TokenStrip {
  readonly tokens: readonly StripToken[];
  /** The policy is a transformer: `TokenInspection` tells what goes on inside it. */
  readonly inspectable: boolean;
  readonly reward: number;
  /** What the environment measures of a finished episode, by the ids of its measures; null: the episode was cut. */
  readonly measures: Readonly<Record<string, number>> | null;
  /** What the prompt asks, in words; '': the environment does not say. */
  readonly asked: string;
  /** After an episode that was not solved: what the scripted expert writes from the same start, if that is right; else none. */
  readonly right: readonly number[];
}

/** Inside a transformer at the place that wrote one token of an episode: the last one of the row as it stood before. */
export interface TokenInspection {
  /** Of the token: the first one of this frame. */
  readonly frame: number;
  /** The tokens of that row, by their places in `TokenStrip.tokens`. */
  readonly row: readonly number[];
  readonly layers: number;
  readonly heads: number;
  /** [layers, heads, row]: how much each head draws from each token of the row, 1 in all. */
  readonly attention: Float32Array;
  /** The logit lens: the token as it would have been written after the embedding and after each layer. The last one is that of the strip. */
  readonly lens: readonly WrittenToken[];
}

/** The whole attention of a row: token by token, what each head drew from the tokens up to there. */
export interface AttentionMap {
  readonly frame: number;
  /** As in TokenInspection. */
  readonly row: readonly number[];
  readonly layers: number;
  readonly heads: number;
  /** [layers, heads, row, row]: from each token (the first of the two) to each one; 0 to those behind it, 1 in all. */
  readonly weights: Float32Array;
}

/** Mean reward still to come, by frame: sampled to the end `samples` times from each; 0 after the last. */
export interface StripValues {
  readonly samples: number;
  readonly values: readonly number[];
}

/** Answers of a policy to a prompt, without a judgement. */
export interface PromptAnswers {
  readonly greedy: readonly WrittenToken[];
  readonly sampled: readonly WrittenToken[];
}

/** A token of an answer: one that the policy wrote, or a reply of the world. */
export interface AnswerToken {
  readonly id: number;
  readonly written: boolean;
  /** Of a token that the policy wrote; null: a reply, or the policy gives no probabilities. */
  readonly logProb: number | null;
  /** Of a token that the policy wrote, where the method that trained it has one for each; missing: it has none. */
  readonly advantage?: number;
}

/** One sampled answer of a group. */
export interface GroupAnswer {
  readonly tokens: readonly AnswerToken[];
  /** Of all tokens that the policy wrote, together; null: the policy gives no probabilities. */
  readonly logProb: number | null;
  readonly reward: number;
  /** Of which the reward is the sum, in the order of EnvCard.terms; none where the environment does not take it apart. */
  readonly terms: readonly number[];
  /** As in TokenStrip. */
  readonly measures: Readonly<Record<string, number>> | null;
  /** What the method that trained the policy would weigh it with, by its own settings, the mean where tokens differ; null: that method weighs none. */
  readonly advantage: number | null;
  /** It is left out of the update: it was not chosen, or its group is dropped. */
  readonly dropped: boolean;
}

/** How a method compares answers: each with its group, the best of a group alone, in pairs, or each token with what a critic said before it. */
export type Comparison = 'group' | 'best' | 'pairs' | 'tokens';

/** Several answers to one prompt, sampled from the same start. */
export interface AnswerGroup {
  readonly prompt: readonly number[];
  /** As in TokenStrip. */
  readonly asked: string;
  /** null: the method that trained the policy compares no answers. */
  readonly comparison: Comparison | null;
  readonly answers: readonly GroupAnswer[];
}

/** Answers at most that one request samples. */
export const MOST_ANSWERS = 128;

/** Groups of sampled answers. */
export interface SampleRequest {
  readonly policy: string;
  /** The start of this episode; null: `groups` starts are drawn by `seed`. */
  readonly from: Replay | null;
  readonly env: { readonly id: string; readonly config: JsonObject };
  readonly groups: number;
  /** Answers of each; groups x size is at most MOST_ANSWERS. */
  readonly size: number;
  readonly seed: number;
  /** Ids that the policy is taken to write, by answer, in place of what it would draw: what it makes of answers of another policy. */
  readonly written?: readonly (readonly number[])[];
}

/** Times that a judge fitted to marks counts a word in one answer, at most: hardly any of the marked answers says one more often. */
export const JUDGED_TIMES = 3;

/** Characters of a prompt at most, before anything is looked up. */
export const LONGEST_PROMPT = 200;
