/**
 * Best-of-N: of N answers the one that a judge likes best is taken. What it is worth is estimated from n >= N answers without a draw: over all
 * choices of N of them, the mean of the chosen one's score (the unbiased estimator of Nakano et al. 2021, appendix I).
 */
import { log } from './functions.ts';

/**
 * Mean over all choices of `N` of the answers of `value` at the one with the highest `judge`; answers that are judged alike share. N from 1 to their number.
 */
export function bestOf(judge: ArrayLike<number>, value: ArrayLike<number>, N: number): number {
  const n = judge.length;
  const order = Array.from({ length: n }, (_, i) => i).sort((a, b) => judge[b]! - judge[a]!);
  let [sum, left] = [0, 1]; // left: chance that none of those before is among the N
  for (let from = 0; from < n; ) {
    let to = from + 1;
    while (to < n && judge[order[to]!] === judge[order[from]!]) to++;
    let [mean, before] = [0, left];
    for (let i = from; i < to; i++) {
      mean += value[order[i]!]! / (to - from);
      left *= Math.max(0, (n - i - N) / (n - i));
    }
    sum += (before - left) * mean;
    from = to;
  }
  return sum;
}

/** KL of the best of N from the policy that writes them, in nats, where no two are judged alike: ln N - (N - 1) / N. An upper bound else. */
export const bestOfKl = (N: number): number => log(N) - (N - 1) / N;
