/**
 * Scripted raters, who answer in a person's place, and the questions that they are asked about pairs of segments of the newest rollout.
 * The cyclic rater knows no reward at all: with p_k, q_k the shares of two segments' steps that are action k of 0, 1, 2, the first is preferred
 * where sum_k (p_k q_{k-1} - q_k p_{k-1}) + sum_k (p_k - q_k) > 0: 1 beats 0, 2 beats 1, 0 beats 2, and they beat all others alike. No reward
 * explains that; who cannot be beaten mixes the three (the von Neumann winner of a dueling bandit).
 */
import { fail } from '#contract/kit/errors.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { exp } from '#math/functions.ts';
import type { Rng } from '#math/rng.ts';
import type { Played } from '../../lib/ppo/learned-reward.ts';
import type { Answers } from './answers.ts';
import { checkInsight, type Insight, OWN, type Rater } from './raters.ts';

/** Actions that beat each other in a circle. */
const CIRCLE = 3;
const CHECKED_PAIRS = 64;
const FIRST_SHARE = 1 / 3; // of a script's answers come before anything was learned
const ASKED_BY = 0.5; // of the budget all answers have been given

interface Asking {
  /** Share of the answers that are the wrong way round. */
  readonly raterErrors: number;
  /** Steps of a segment. */
  readonly segment: number;
  /** Of so many random pairs the one is asked about on which the networks disagree most. */
  readonly candidates: number;
  /** Networks, K. */
  readonly ensemble: number;
  /** Where a segment may begin: step * rows + row; missing: at every step that leaves room for it. */
  readonly places?: Int32Array;
}

/** A segment of a rollout: its first step, and its row. */
export type Place = readonly [from: number, row: number];

/** 1: the first is preferred; 0: the second; 0.5: both are alike. */
export type Compare = (first: Place, second: Place) => number;

export const preferredOf = (difference: number): number => (difference === 0 ? 0.5 : difference > 0 ? 1 : 0);

/** By how much, above 0 where the first wins: steps of two segments of equal length L in each of the three actions; whole numbers up to 2 L^2. */
export function circleOdds(first: ArrayLike<number>, second: ArrayLike<number>, length: number): number {
  let odds = 0;
  for (let k = 0; k < CIRCLE; k++) {
    const before = (k + CIRCLE - 1) % CIRCLE;
    odds += first[k]! * second[before]! - second[k]! * first[before]! + length * (first[k]! - second[k]!);
  }
  return odds;
}

/** Throws LabError('incompatible') where the cyclic rater has no circle to judge by, or another one not what it knows (raters.ts). */
export function checkRater(meta: EnvMeta, rater: Rater, recorded = false): void {
  checkInsight(meta, rater, recorded);
  if (rater !== 'cyclic' || meta.actionCount >= CIRCLE) return;
  throw fail(
    'incompatible',
    'The cyclic rater judges by the first three actions; here they are fewer, or continuous.',
    'Choose another rater, or the noisy bandit.',
    'algo.rater',
  );
}

/** Answers of `all` that have been asked for by environment step `step` of `steps`. */
export const dueAnswers = (all: number, step: number, steps: number): number =>
  Math.ceil(all * Math.min(1, FIRST_SHARE + ((1 - FIRST_SHARE) * step) / (ASKED_BY * steps)));

/** Asks about pairs of segments of a rollout. */
export class Questions {
  private readonly c: Asking;
  private readonly meta: EnvMeta;
  private readonly seen: Played;
  private readonly rng: Rng;
  private readonly length: number;

  constructor(c: Asking, meta: EnvMeta, seen: Played, rng: Rng) {
    [this.c, this.meta, this.seen, this.rng] = [c, meta, seen, rng];
    this.length = Math.min(c.segment, seen.steps);
  }

  private draw(): Place {
    const { places } = this.c;
    if (places !== undefined) {
      const at = places[this.rng.int(places.length)]!;
      return [Math.floor(at / this.seen.rows), at % this.seen.rows];
    }
    return [this.rng.int(this.seen.steps - this.length + 1), this.rng.int(this.seen.rows)];
  }

  /** Sum of a number per row over a segment. */
  total(of: Float32Array, [from, row]: Place, width = 1, k = 0): number {
    let sum = 0;
    for (let t = from; t < from + this.length; t++) sum += of[(t * this.seen.rows + row) * width + k]!;
    return sum;
  }

  /** How a scripted rater compares, before its errors. */
  by(rater: Rater, { terms, advantages }: Insight = {}): Compare {
    if (rater === 'cyclic') return (first, second) => preferredOf(circleOdds(this.counts(first), this.counts(second), this.length));
    if (terms !== undefined) return this.byGroups(terms);
    const judged = advantages ?? this.seen.reward;
    return (first, second) => {
      const difference = this.total(judged, first) - this.total(judged, second);
      if (rater !== 'boltzmann') return preferredOf(difference);
      return this.rng.uniform() < 1 / (1 + exp(-difference)) ? 1 : 0;
    };
  }

  /** A group that is drawn for every pair; `terms` [T, rows, K]. */
  private byGroups(terms: Float32Array): Compare {
    const K = terms.length / this.seen.reward.length;
    return (first, second) => {
      const group = this.rng.int(K);
      let difference = 0;
      for (let k = 0; k < K; k++)
        difference += (k === group ? OWN : 1) * (this.total(terms, first, K, k) - this.total(terms, second, K, k));
      return preferredOf(difference);
    };
  }

  /** Steps of a segment in each action of the circle. */
  private counts([from, row]: Place): Float64Array {
    const found = new Float64Array(CIRCLE);
    for (let t = from; t < from + this.length; t++) {
      const action = this.seen.action[t * this.seen.rows + row]!;
      if (action < CIRCLE) found[action] = found[action]! + 1;
    }
    return found;
  }

  /** `each` [T, rows, K]: what every network says of the rollout's rows. */
  ask(count: number, answers: Answers, each: Float32Array, compare: Compare): void {
    const { c, rng } = this;
    for (let n = 0; n < count; n++) {
      let [best, most] = [[this.draw(), this.draw()] as const, -1];
      for (let i = 0; i < c.candidates; i++) {
        const pair = i === 0 ? best : ([this.draw(), this.draw()] as const);
        const found = this.disagreement(pair, each);
        if (found > most) [best, most] = [pair, found];
      }
      const right = compare(best[0], best[1]);
      const choice = rng.uniform() < c.raterErrors ? 1 - right : right;
      answers.add(choice, rng, (which, obs, obsAt, action, actionAt) => this.copy(best[which], obs, obsAt, action, actionAt));
    }
  }

  /** Variance over the networks of the probability that the first segment is preferred. */
  private disagreement([a, b]: readonly [Place, Place], each: Float32Array): number {
    const K = this.c.ensemble;
    let [sum, squares] = [0, 0];
    for (let k = 0; k < K; k++) {
      const p = 1 / (1 + exp(this.total(each, b, K, k) - this.total(each, a, K, k)));
      [sum, squares] = [sum + p, squares + p * p];
    }
    return squares / K - (sum / K) ** 2;
  }

  private copy([from, row]: Place, obs: Float32Array, obsAt: number, action: Float32Array, actionAt: number): void {
    const { seen, meta, c } = this;
    const [O, D] = [meta.obsSize, meta.actionCount > 0 ? 1 : meta.actionSize];
    for (let k = 0; k < c.segment; k++) {
      const at = Math.min(from + k, from + this.length - 1) * seen.rows + row;
      obs.set(seen.obs.subarray(at * O, (at + 1) * O), obsAt + k * O);
      action.set(seen.action.subarray(at * D, (at + 1) * D), actionAt + k * D);
    }
  }

  /** Share of random pairs that the learned reward [T, rows] orders as the true one does; those that are truly alike are left out. */
  agreement(learned: Float32Array, rng: Rng): number {
    let [right, counted] = [0, 0];
    for (let i = 0; i < CHECKED_PAIRS; i++) {
      const draw = (): Place => [rng.int(this.seen.steps - this.length + 1), rng.int(this.seen.rows)];
      const [a, b] = [draw(), draw()];
      const truth = this.total(this.seen.reward, a) - this.total(this.seen.reward, b);
      if (truth === 0) continue;
      counted++;
      if (truth * (this.total(learned, a) - this.total(learned, b)) > 0) right++;
    }
    return counted === 0 ? Number.NaN : right / counted;
  }

  /** Adds what the rollout's segments win by the cyclic rater against each fixed action [N], ties as halves; how many segments there are. */
  addWins(wins: Float64Array): number {
    const { steps, rows } = this.seen;
    const rival = new Float64Array(CIRCLE);
    let count = 0;
    for (let from = 0; from + this.length <= steps; from += this.length) {
      for (let row = 0; row < rows; row++) {
        const own = this.counts([from, row]);
        for (let action = 0; action < wins.length; action++) {
          rival.fill(0);
          if (action < CIRCLE) rival[action] = this.length;
          wins[action] = wins[action]! + preferredOf(circleOdds(own, rival, this.length));
        }
        count++;
      }
    }
    return count;
  }
}

/** What all play since the half of the budget, when nothing more is asked, wins against the fixed action that beats it most. */
export function circleRecord(meta: EnvMeta, rater: Rater, budget: number) {
  const wins = new Float64Array(rater === 'cyclic' ? meta.actionCount : 0);
  const counted = new Float64Array(1);
  return {
    arrays: { circleWins: wins, circleCounted: counted },
    /** Share in 0..1/2 for what cannot be beaten; NaN before the half, and for other raters. */
    worst(questions: Questions, step: number): number {
      if (rater !== 'cyclic' || step < ASKED_BY * budget) return Number.NaN;
      counted[0] = counted[0]! + questions.addWins(wins);
      return wins.reduce((a, b) => Math.min(a, b)) / counted[0]!;
    },
  };
}

export const worstWinsMetric = {
  id: 'worstWins',
  title: 'wins against the worst rival',
  description:
    'Cyclic rater only: share of comparisons that all play since half of the budget wins against the fixed action that beats it most; 0.5: none beats it.',
};
