/**
 * Advantages of completions that were sampled in groups, and the weights of their tokens in a loss. Rows are group-major: row = group * G +
 * member. Sources beside each: GRPO (Shao et al. 2024), Dr. GRPO (Liu et al. 2025), RLOO (Ahmadian et al. 2024), DAPO (Yu et al. 2025).
 */

import { exp } from './functions.ts';
import type { Rng } from './rng.ts';

/** What is subtracted: the mean of the group, of the others of the group, of the batch (REINFORCE++, Hu et al. 2025), or nothing. */
export type Baseline = 'mean' | 'leave-one-out' | 'batch' | 'none';
/** none; the group's deviation (n - 1) + 1e-4; the batch's deviation (n - 1) + 1e-4; the group's mean + 1e-4. */
export type Scale = 'none' | 'group' | 'batch' | 'mean';

function mean(values: ArrayLike<number>, from: number, n: number): number {
  let sum = 0;
  for (let i = from; i < from + n; i++) sum += values[i]!;
  return sum / n;
}

/** Deviation; ddof 1 divides by n - 1, never by less than 1. */
function deviation(values: ArrayLike<number>, from: number, n: number, ddof: 0 | 1): number {
  const m = mean(values, from, n);
  let sum = 0;
  for (let i = from; i < from + n; i++) sum += (values[i]! - m) ** 2;
  return Math.sqrt(sum / Math.max(1, n - ddof));
}

/** Whether all members of a group have the same reward. */
export function isUniform(rewards: ArrayLike<number>, from: number, size: number): boolean {
  for (let i = from + 1; i < from + size; i++) if (rewards[i] !== rewards[from]) return false;
  return true;
}

export interface AdvantageOptions {
  readonly baseline: Baseline;
  readonly scale: Scale;
  /** Beside the deviation. */
  readonly eps?: number;
  readonly ddof?: 0 | 1;
}

/** [rows]; with a baseline of the group exactly 0 where all its rewards are the same. */
export function groupAdvantages(rewards: ArrayLike<number>, size: number, options: AdvantageOptions): Float64Array {
  const { baseline, scale, eps = 1e-4, ddof = 1 } = options;
  const out = new Float64Array(rewards.length);
  const whole = scale === 'batch' ? deviation(rewards, 0, rewards.length, ddof) : 0;
  const ofGroup = baseline === 'mean' || baseline === 'leave-one-out';
  const batchMean = baseline === 'batch' ? mean(rewards, 0, rewards.length) : 0;
  for (let from = 0; from < rewards.length; from += size) {
    if (ofGroup && isUniform(rewards, from, size)) continue;
    const m = mean(rewards, from, size);
    const scales = {
      none: () => 1,
      group: () => deviation(rewards, from, size, ddof) + eps,
      batch: () => whole + eps,
      mean: () => m + eps,
    };
    const by = scales[scale]();
    for (let i = from; i < from + size; i++) {
      const r = rewards[i]!;
      if (!ofGroup) out[i] = (r - batchMean) / by;
      else out[i] = (baseline === 'mean' || size === 1 ? r - m : (r - m) * (size / (size - 1))) / by;
    }
  }
  return out;
}

/** Deviation (n - 1) of the rewards of every group: what a division by it multiplies the weight of a prompt with. */
export function groupDeviations(rewards: ArrayLike<number>, size: number): Float64Array {
  return Float64Array.from({ length: rewards.length / size }, (_, g) => deviation(rewards, g * size, size, 1));
}

/** (x - mean) / sqrt(variance + eps) over the entries whose mask is not 0, and 0 elsewhere. ddof 1: variance of a sample (REINFORCE++, PPO). */
export function whitened(values: ArrayLike<number>, options: { mask?: ArrayLike<number>; ddof?: 0 | 1; eps?: number } = {}): Float64Array {
  const { mask, ddof = 0, eps = 1e-8 } = options;
  const counted = Array.from(values).filter((_, i) => mask === undefined || mask[i] !== 0);
  const m = mean(counted, 0, counted.length);
  const by = Math.sqrt(deviation(counted, 0, counted.length, ddof) ** 2 + eps);
  return Float64Array.from({ length: values.length }, (_, i) => (mask === undefined || mask[i] !== 0 ? (values[i]! - m) / by : 0));
}

/**
 * (r - mean) / (deviation + eps) among rows of the same stratum: of as many tool calls (Stratified GRPO, Zhu et al. 2025, deviation (n)), or
 * steps from the same state (GiGPO, Feng et al. 2025, deviation (n - 1) and eps 1e-4). A row that is alone gets 0. strata: one label per row.
 */
export function stratifiedAdvantages(
  rewards: ArrayLike<number>,
  strata: ArrayLike<number>,
  { eps = 1e-6, ddof = 0 }: Pick<AdvantageOptions, 'eps' | 'ddof'> = {},
): Float64Array {
  const rows = new Map<number, number[]>();
  for (let i = 0; i < rewards.length; i++) {
    const members = rows.get(strata[i]!);
    if (members === undefined) rows.set(strata[i]!, [i]);
    else members.push(i);
  }
  const out = new Float64Array(rewards.length);
  for (const members of rows.values()) {
    const own = members.map((i) => rewards[i]!);
    const found = groupAdvantages(own, own.length, { baseline: 'mean', scale: 'group', ddof, eps });
    members.forEach((row, k) => {
      out[row] = found[k]!;
    });
  }
  return out;
}

/** Mean chance to be preferred to the others of the group; `preference` [G, G], row against column (Self-Play Preference, Munos et al. 2024). */
export function winShares(preference: readonly (readonly number[])[]): Float64Array {
  return Float64Array.from(preference, (row, i) => row.reduce((sum, p, j) => sum + (j === i ? 0 : p), 0) / Math.max(1, row.length - 1));
}

/** One moving baseline per role: b <- alpha b + (1 - alpha) r, then r - b (SPIRAL, Liu et al. 2025). */
export class RoleBaselines {
  private readonly baselines = new Map<string, number>();
  private readonly alpha: number;
  private readonly init: number;

  constructor(alpha = 0.95, init = 0) {
    this.alpha = alpha;
    this.init = init;
  }

  advantage(role: string, reward: number): { readonly baseline: number; readonly advantage: number } {
    const baseline = this.alpha * (this.baselines.get(role) ?? this.init) + (1 - this.alpha) * reward;
    this.baselines.set(role, baseline);
    return { baseline, advantage: reward - baseline };
  }
}

/** exp((r - baseline) / temperature), at most `most`: weights of likelihood (AWR, Peng et al. 2019). */
export function exponentialWeights(rewards: ArrayLike<number>, baseline: number, temperature: number, most: number): Float64Array {
  return Float64Array.from(rewards, (r) => Math.min(exp((r - baseline) / temperature), most));
}

/** Softmax of rewards / temperature within every group. */
export function softmaxWeights(rewards: ArrayLike<number>, size: number, temperature: number): Float64Array {
  const out = new Float64Array(rewards.length);
  for (let from = 0; from < rewards.length; from += size) {
    const own = Array.from({ length: size }, (_, i) => rewards[from + i]!);
    const top = Math.max(...own);
    const powers = own.map((r) => exp((r - top) / temperature));
    const total = powers.reduce((a, b) => a + b, 0);
    powers.forEach((p, i) => {
      out[from + i] = p / total;
    });
  }
  return out;
}

/** The best row of every group, the first of several (RAFT, Dong et al. 2023). */
export function bestRows(rewards: ArrayLike<number>, size: number): number[] {
  return Array.from({ length: rewards.length / size }, (_, g) => {
    let best = g * size;
    for (let i = best + 1; i < (g + 1) * size; i++) if (rewards[i]! > rewards[best]!) best = i;
    return best;
  });
}

/** 1 for the best row of every group that earned something, 0 for all others (RAFT, Dong et al. 2023). */
export function bestAlone(rewards: ArrayLike<number>, size: number): Float64Array<ArrayBuffer> {
  const out = new Float64Array(rewards.length);
  for (const row of bestRows(rewards, size)) if (rewards[row]! > 0) out[row] = 1;
  return out;
}

/**
 * Of every group of `members` rows the best and the worst, `count` in all, the best first: the choice with the largest variance where rewards
 * are 0 or 1 (Xu et al. 2025). Rows that are alike stay in their order.
 */
export function extremeRows(rewards: ArrayLike<number>, members: number, count: number): Int32Array<ArrayBuffer> {
  const out: number[] = [];
  for (let from = 0; from < rewards.length; from += members) {
    const rows = Array.from({ length: members }, (_, i) => from + i).sort((a, b) => rewards[b]! - rewards[a]! || a - b);
    const best = Math.ceil(count / 2);
    out.push(...rows.slice(0, best), ...rows.slice(members - (count - best)));
  }
  return Int32Array.from(out);
}

/**
 * Pairs [preferred, other] of rows: in every group the best with the worst, the second best with the second worst and so on, as long as the
 * first earned more (for DPO, Rafailov et al. 2023). Which of several rows that earned the same comes first is drawn by `rng`.
 */
export function preferencePairs(rewards: ArrayLike<number>, size: number, rng: Rng): (readonly [number, number])[] {
  const out: (readonly [number, number])[] = [];
  for (let from = 0; from < rewards.length; from += size) {
    const rows = Array.from({ length: size }, (_, i) => from + i);
    rng.shuffle(rows);
    rows.sort((a, b) => rewards[b]! - rewards[a]!);
    for (let i = 0; 2 * i + 1 < size; i++) {
      const pair = [rows[i]!, rows[size - 1 - i]!] as const;
      if (rewards[pair[0]]! > rewards[pair[1]]!) out.push(pair);
    }
  }
  return out;
}

/** 1 for rows of groups with some, but not all, rewards above `above`. */
export function mixedGroups(rewards: ArrayLike<number>, size: number, above = 0.5): Uint8Array {
  const out = new Uint8Array(rewards.length);
  for (let from = 0; from < rewards.length; from += size) {
    let high = 0;
    for (let i = from; i < from + size; i++) high += rewards[i]! > above ? 1 : 0;
    if (high > 0 && high < size) out.fill(1, from, from + size);
  }
  return out;
}

/** 0 up to longest - cache tokens, then straight down to -1 at `longest` (DAPO's soft punishment). */
export function overlongPenalty(length: number, longest: number, cache: number): number {
  const free = longest - cache;
  if (length <= free) return 0;
  return length >= longest ? -1 : (free - length) / cache;
}

/**
 * How tokens are averaged. sequence: mean over the tokens of a row, then over rows (GRPO); token: all tokens alike (DAPO); constant: sum over
 * rows x `longest` (Dr. GRPO); sum: sum over the tokens of a row, mean over rows (RLOO).
 */
export type Averaging = 'sequence' | 'token' | 'constant' | 'sum';

/** Weight of every token of a row by its row's length; rows with `keep` 0 count nowhere. Multiply by the token mask. */
export function rowWeights(lengths: ArrayLike<number>, averaging: Averaging, longest: number, keep?: ArrayLike<number>): Float64Array {
  const out = new Float64Array(lengths.length);
  let rows = 0;
  let tokens = 0;
  for (let i = 0; i < lengths.length; i++) {
    if (keep !== undefined && keep[i] === 0) continue;
    rows++;
    tokens += lengths[i]!;
  }
  for (let i = 0; i < lengths.length; i++) {
    if (keep !== undefined && keep[i] === 0) continue;
    switch (averaging) {
      case 'sequence':
        out[i] = 1 / (rows * Math.max(1, lengths[i]!));
        break;
      case 'token':
        out[i] = 1 / Math.max(1, tokens);
        break;
      case 'constant':
        out[i] = 1 / (rows * longest);
        break;
      case 'sum':
        out[i] = 1 / rows;
    }
  }
  return out;
}
