/**
 * Prioritised level replay (Jiang et al. 2021; the buffer and the scores as jaxued has them, Coward et al. 2024): which levels are kept, how likely each
 * is played again, and what a rollout says of a level. Levels are known by their slot here; who keeps them says what a level is.
 */
import { argmax } from './sampling.ts';

/** A rollout of T steps in B copies, time-major [T, B], each copy on one level. `ended`: 1 where an episode ends with this step. Only finished episodes count. */
export interface LevelRollout {
  readonly copies: number; // B
  readonly ended: Uint8Array;
  readonly rewards: Float32Array | Float64Array;
  readonly values: Float32Array | Float64Array;
  readonly advantages: Float32Array | Float64Array;
}

/** What a rollout says of one copy's level. Without a finished episode: 0 episodes, returns of 0, means over episodes of -Infinity. */
export interface LevelFacts {
  readonly episodes: number;
  /** Episodes with a return above 0. */
  readonly solved: number;
  readonly meanReturn: number;
  /** At least 0: a rollout of negative returns says 0. */
  readonly maxReturn: number;
  /** Of the values, the mean over finished episodes of the mean over the steps of each. */
  readonly meanValue: number;
  /** The same of the advantages above 0. */
  readonly positiveValueLoss: number;
}

/** The regret by the best return seen on a level, that of these facts included: how far the values fall short of it. -Infinity without an episode. */
export const maxMonteCarlo = ({ episodes, meanValue }: LevelFacts, best: number): number =>
  episodes === 0 ? Number.NEGATIVE_INFINITY : best - meanValue;

export function levelFacts({ copies, ended, rewards, values, advantages }: LevelRollout, copy: number): LevelFacts {
  const episodes: { readonly length: number; readonly value: number; readonly positive: number }[] = [];
  const now = { length: 0, earned: 0, value: 0, positive: 0 };
  let [total, maxReturn, solved] = [0, 0, 0];
  for (let at = copy; at < ended.length; at += copies) {
    now.length++;
    now.earned += rewards[at]!;
    now.value += values[at]!;
    now.positive += Math.max(0, advantages[at]!);
    if (ended[at] === 0) continue;
    total += now.earned;
    if (now.earned > 0) solved++;
    maxReturn = Math.max(maxReturn, now.earned);
    episodes.push({ ...now });
    now.length = now.earned = now.value = now.positive = 0;
  }
  const count = episodes.length;
  const mean = (of: (episode: (typeof episodes)[number]) => number): number =>
    count === 0 ? Number.NEGATIVE_INFINITY : episodes.reduce((sum, episode) => sum + of(episode) / episode.length, 0) / count;
  return {
    episodes: count,
    solved,
    meanReturn: total / Math.max(1, count),
    maxReturn,
    meanValue: mean(({ value }) => value),
    positiveValueLoss: mean(({ positive }) => positive),
  };
}

export interface LevelBufferOptions {
  readonly capacity: number;
  /** Of the weights by rank, (1 / rank)^(1 / temperature). Above 0. */
  readonly temperature: number;
  /** Share of the weight that goes by how long a level was not played, 0 to 1. */
  readonly staleness: number;
}

/** Scores and times of the levels that are kept. Without a free slot a level replaces that of the least weight, if its score is higher. */
export class LevelBuffer {
  /** [capacity]; -Infinity where there is no level. */
  readonly scores: Float64Array;
  /** [capacity] the count of levels played when each was played last. */
  readonly played: Float64Array;
  /** Levels kept, and levels that were offered or drawn so far. */
  readonly counts = { size: 0, played: 0 };
  private readonly options: LevelBufferOptions;

  constructor(options: LevelBufferOptions) {
    this.options = options;
    this.scores = new Float64Array(options.capacity).fill(Number.NEGATIVE_INFINITY);
    this.played = new Float64Array(options.capacity);
  }

  /** Share of the slots that hold a level, 0 to 1. */
  get filled(): number {
    return this.counts.size / this.options.capacity;
  }

  /** [size] chances of being drawn: rank 1 has the highest score, equal scores by their slot. They add up to 1. */
  weights(): Float64Array {
    const { size, played } = this.counts;
    const { temperature, staleness } = this.options;
    const order = Array.from({ length: size }, (_, slot) => slot).sort((a, b) => this.scores[b]! - this.scores[a]! || a - b);
    const byScore = new Float64Array(size);
    order.forEach((slot, rank) => {
      byScore[slot] = (1 / (rank + 1)) ** (1 / temperature);
    });
    const byAge = Float64Array.from({ length: size }, (_, slot) => played - this.played[slot]!);
    const [scored, age] = [byScore, byAge].map((all) => all.reduce((sum, x) => sum + x, 0)) as [number, number];
    return byScore.map((weight, slot) => (1 - staleness) * (weight / scored) + staleness * (age === 0 ? 1 / size : byAge[slot]! / age));
  }

  /** Offers a level; answers its slot, or -1 where it is not kept. One without a score (-Infinity) is never kept. */
  offer(score: number): number {
    const { counts, scores } = this;
    const full = counts.size === this.options.capacity;
    const slot = full
      ? argmax(
          this.weights().map((weight) => -weight),
          0,
          counts.size,
        )
      : counts.size;
    counts.played++;
    if (!(score > (full ? scores[slot]! : Number.NEGATIVE_INFINITY))) return -1;
    if (!full) counts.size++;
    scores[slot] = score;
    this.played[slot] = counts.played;
    return slot;
  }

  /** The slot of a level that is played again; `u` uniform in [0, 1). There must be one. */
  draw(u: number): number {
    const weights = this.weights();
    let slot = 0;
    for (let passed = weights[0]!; slot < weights.length - 1 && passed <= u; passed += weights[slot]!) slot++;
    this.take(slot);
    return slot;
  }

  /** Notes that the level of this slot is played now. */
  take(slot: number): void {
    this.counts.played++;
    this.played[slot] = this.counts.played;
  }

  /** The newest score of a level that is kept. */
  rescore(slot: number, score: number): void {
    this.scores[slot] = score;
  }
}
