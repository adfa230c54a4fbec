/**
 * Who gets the credit within a completion: rewards of tokens, turns and steps, and what follows from them. Rows are completions [B, T] with
 * a mask of 1 for tokens that the policy wrote; all arithmetic is float64.
 */
import { gae } from './gae.ts';
import { groupAdvantages } from './groups.ts';

type Numbers = readonly number[];
export type Rows = readonly Numbers[];

/** sum_k gamma^k r_{t+k} of each row; places off the mask are passed over and hold 0. */
export function returnsToGo(rewards: Rows, gamma: number, mask?: Rows): number[][] {
  return rewards.map((row, b) => {
    const out = row.map(() => 0);
    let sum = 0;
    for (let t = row.length - 1; t >= 0; t--) {
      if (mask !== undefined && mask[b]![t] === 0) continue;
      sum = row[t]! + gamma * sum;
      out[t] = sum;
    }
    return out;
  });
}

/** GAE along each row, whose last entry of the mask ends the episode. values: before each entry. Both answers [B, T], 0 off the mask. */
export function rowAdvantages(
  x: { readonly rewards: Rows; readonly values: Rows; readonly mask?: Rows },
  gamma: number,
  lambda: number,
): { readonly advantages: number[][]; readonly returns: number[][] } {
  const advantages = x.rewards.map((row) => row.map(() => 0));
  const returns = x.rewards.map((row) => row.map(() => 0));
  x.rewards.forEach((row, b) => {
    const at = row.map((_, t) => t).filter((t) => x.mask === undefined || x.mask[b]![t] !== 0);
    const n = at.length;
    const found = new Float64Array(n);
    const targets = new Float64Array(n);
    const input = {
      rewards: Float64Array.from(at, (t) => row[t]!),
      values: Float64Array.from(at, (t) => x.values[b]![t]!),
      terminated: Uint8Array.from(at, (_, i) => Number(i === n - 1)),
      truncated: new Uint8Array(n),
      finalValues: new Float64Array(n),
      lastValues: new Float64Array(1),
    };
    gae({ ...input, rows: 1, gamma, lambda, bootstrapAtTruncation: false }, found, targets);
    at.forEach((t, i) => {
      advantages[b]![t] = found[i]!;
      returns[b]![t] = targets[i]!;
    });
  });
  return { advantages, returns };
}

/**
 * Advantages of steps that are paid each by itself (process supervision, Shao et al. 2024, 4.1.3): rewards of all steps of a group are compared with their
 * mean, `scale` as in groups.ts, and a step has the sum of what it and the steps behind it got so. rewards: of each step, by row of one group.
 */
export function processAdvantages(rewards: Rows, scale: 'group' | 'none'): number[][] {
  const all = rewards.flat();
  const found = groupAdvantages(all, all.length, { baseline: 'mean', scale });
  let at = 0;
  const compared = rewards.map((row) => row.map(() => found[at++]!));
  return returnsToGo(compared, 1);
}
