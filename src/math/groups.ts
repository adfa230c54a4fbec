/**
 * Advantages of completions that were sampled in groups, and the weights of their tokens in a loss. Rows are group-major: row = group * G +
 * member. Sources beside each: GRPO (Shao et al. 2024), Dr. GRPO (Liu et al. 2025), RLOO (Ahmadian et al. 2024), DAPO (Yu et al. 2025).
 */

export type Baseline = 'mean' | 'leave-one-out' | 'none';
/** none; the group's deviation (n - 1) + 1e-4; the batch's deviation (n - 1) + 1e-4. */
export type Scale = 'none' | 'group' | 'batch';

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

/** [rows]; exactly 0 in a group whose rewards are all the same, unless there is no baseline. */
export function groupAdvantages(rewards: ArrayLike<number>, size: number, options: AdvantageOptions): Float64Array {
  const { baseline, scale, eps = 1e-4, ddof = 1 } = options;
  const out = new Float64Array(rewards.length);
  const whole = scale === 'batch' ? deviation(rewards, 0, rewards.length, ddof) : 0;
  for (let from = 0; from < rewards.length; from += size) {
    if (baseline !== 'none' && isUniform(rewards, from, size)) continue;
    const m = mean(rewards, from, size);
    const by = scale === 'group' ? deviation(rewards, from, size, ddof) + eps : scale === 'batch' ? whole + eps : 1;
    for (let i = from; i < from + size; i++) {
      const r = rewards[i]!;
      const centred = baseline === 'none' ? r : baseline === 'mean' || size === 1 ? r - m : (r - m) * (size / (size - 1));
      out[i] = centred / by;
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
