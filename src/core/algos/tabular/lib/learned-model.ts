/**
 * What methods that learn a model remember of the world, and planning over an assumed model. Pairs are s * N + a; an end of the episode
 * is one more successor, numbered S.
 */
import { fail } from '#contract/kit/errors.ts';
import type { StateLayout } from '#core/state/checkpoint.ts';
import type { EnvMeta } from '../../../envs/api/types.ts';
import { greedyValue, type Outcome, type Table } from '../../lib/table.ts';

/** Most numbers of remembered successors: taxi has 1.5 million. */
const MOST = 5_000_000;

export class LearnedModel {
  readonly states: number; // S
  readonly actions: number; // N
  readonly visits: Int32Array; // [S * N]
  readonly successors: Int32Array; // [S * N, S + 1] how often each came; the last: ends
  readonly mean: Float64Array; // [S * N] of the rewards
  readonly squares: Float64Array; // [S * N] sum of squared distances of the rewards from their mean
  /** [S * N] tries when it was last planned. */
  private readonly planned: Int32Array;
  private readonly legal: Uint8Array; // [S, N]
  private readonly masked: boolean;

  /** Throws LabError('incompatible') for worlds with too many states. */
  constructor(meta: EnvMeta) {
    const [S, N] = [meta.obsSize, meta.actionCount];
    const pairs = S * N;
    if (pairs * (S + 1) > MOST)
      throw fail(
        'incompatible',
        `${S} states and ${N} actions are more than a learned table of transitions holds here.`,
        'Choose a smaller world, or Q-learning.',
        'env.id',
      );
    this.states = S;
    this.actions = N;
    this.visits = new Int32Array(pairs);
    this.successors = new Int32Array(pairs * (S + 1));
    this.mean = new Float64Array(pairs);
    this.squares = new Float64Array(pairs);
    this.planned = new Int32Array(pairs);
    this.legal = new Uint8Array(pairs).fill(1);
    this.masked = meta.masked;
  }

  get layout(): StateLayout {
    const { visits, successors, mean, squares, planned, legal } = this;
    return { arrays: { visits, successors, rewardMean: mean, rewardSquares: squares, planned, legal } };
  }

  /** Adds what came of a pair; the mean and the squares by Welford 1962. */
  learn(pair: number, reward: number, { terminated, next, nextMask }: Outcome): void {
    const n = this.visits[pair]! + 1;
    const before = reward - this.mean[pair]!;
    this.visits[pair] = n;
    this.mean[pair]! += before / n;
    this.squares[pair]! += before * (reward - this.mean[pair]!);
    this.successors[pair * (this.states + 1) + (terminated ? this.states : next)]!++;
    this.allow(next, nextMask);
  }

  /** Which actions are legal in a state, where the world says so. */
  allow(state: number, mask: Uint8Array | undefined): void {
    if (mask !== undefined) this.legal.set(mask.subarray(0, this.actions), state * this.actions);
  }

  maskOf(state: number): Uint8Array | undefined {
    return this.masked ? this.legal.subarray(state * this.actions, (state + 1) * this.actions) : undefined;
  }

  /** A plan is made from what is known now. */
  markPlanned(): void {
    this.planned.set(this.visits);
  }

  /** Whether this pair was tried twice as often as when it was last planned. */
  doubled(pair: number): boolean {
    return this.visits[pair]! >= Math.max(1, 2 * this.planned[pair]!);
  }

  /** The largest mean reward of a tried pair; 0 before any. */
  mostPaid(): number {
    return this.mean.reduce((most, reward) => Math.max(most, reward), 0);
  }

  /** Pairs that were tried. */
  known(): number {
    return this.visits.reduce((sum, n) => sum + (n > 0 ? 1 : 0), 0);
  }
}

/** A model to plan over: expected rewards, listed successors with their chances, and a chance to be in any state alike. What is left ends. */
export interface AssumedModel {
  readonly reward: Float64Array; // [S * N]
  readonly offset: Int32Array; // [S * N + 1]
  readonly next: Int32Array;
  readonly chance: Float64Array;
  readonly anywhere: Float64Array; // [S * N]
}

/**
 * The assumed model of every pair: `of` gets the numbers of the successors that were seen (an end is S, the last) and how often each came, and answers
 * the expected reward, their chances in the same order, and the chance to be in any state alike.
 */
export function assumedModel(
  { states, actions, visits, successors }: LearnedModel,
  of: (
    pair: number,
    seen: readonly number[],
    counts: readonly number[],
  ) => {
    readonly reward: number;
    readonly chances: readonly number[];
    readonly anywhere: number;
  },
): AssumedModel {
  const pairs = states * actions;
  const reward = new Float64Array(pairs);
  const anywhere = new Float64Array(pairs);
  const offset = new Int32Array(pairs + 1);
  const [next, chance]: [number[], number[]] = [[], []];
  for (let pair = 0; pair < pairs; pair++) {
    const seen: number[] = [];
    const counts: number[] = [];
    const row = pair * (states + 1);
    if (visits[pair]! > 0) {
      for (let k = 0; k <= states; k++) {
        if (successors[row + k] === 0) continue;
        seen.push(k);
        counts.push(successors[row + k]!);
      }
    }
    const belief = of(pair, seen, counts);
    reward[pair] = belief.reward;
    anywhere[pair] = belief.anywhere;
    seen.forEach((state, k) => {
      if (state === states) return;
      next.push(state);
      chance.push(belief.chances[k]!);
    });
    offset[pair + 1] = next.length;
  }
  return { reward, anywhere, offset, next: Int32Array.from(next), chance: Float64Array.from(chance) };
}

const TOLERANCE = 1e-6;
const MAX_SWEEPS = 1000;

/**
 * Value iteration over an assumed model, in place from what the table holds: Q = reward + gamma (sum of chances V(next) + anywhere mean V), at most
 * `most`, until no value changes by more than 1e-6 of the largest; at most 1,000 sweeps. `worth` is a state's value, by default that of its
 * best legal action. Answers the number of sweeps.
 */
export function solve(
  table: Table,
  { reward, offset, next, chance, anywhere }: AssumedModel,
  {
    gamma,
    most = Number.POSITIVE_INFINITY,
    worth,
  }: { readonly gamma: number; readonly most?: number; readonly worth: (state: number) => number },
): number {
  const { states, actions, q } = table;
  const value = Float64Array.from({ length: states }, (_, s) => worth(s));
  for (let sweep = 1; sweep <= MAX_SWEEPS; sweep++) {
    let change = 0;
    let largest = 1;
    const mean = value.reduce((sum, v) => sum + v, 0) / states;
    for (let s = 0; s < states; s++) {
      for (let pair = s * actions; pair < (s + 1) * actions; pair++) {
        let later = anywhere[pair]! * mean;
        for (let i = offset[pair]!; i < offset[pair + 1]!; i++) later += chance[i]! * value[next[i]!]!;
        const now = Math.min(most, reward[pair]! + gamma * later);
        change = Math.max(change, Math.abs(now - q[pair]!));
        largest = Math.max(largest, Math.abs(now));
        q[pair] = now;
      }
      value[s] = worth(s);
    }
    if (change <= TOLERANCE * largest) return sweep;
  }
  return MAX_SWEEPS;
}

/** The value of a state's best legal action. */
export const bestValue =
  (table: Table, model: LearnedModel) =>
  (state: number): number =>
    greedyValue(table, state, model.maskOf(state));
