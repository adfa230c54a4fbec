/** What a policy makes of the tokens of an episode, and of a typed prompt. Numbers in nats. */

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

/** Characters of a prompt at most, before anything is looked up. */
export const LONGEST_PROMPT = 200;
