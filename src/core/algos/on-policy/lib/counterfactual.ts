/** What an agent's action was worth beyond the average of its own choices, the others' actions being what they were. */
import { mul, pick, sub, sum } from '#core/engine/ops.ts';
import type { Tensor } from '#core/engine/types.ts';

/** A = Q(s, u) - sum_a pi(a) Q(s, (u_-i, a)) (Foerster et al. 2018): pi and q [M, N], action [M]; results [M]. */
export function counterfactual(pi: Tensor, q: Tensor, action: Tensor): { readonly baseline: Tensor; readonly advantage: Tensor } {
  const baseline = sum(mul(pi, q), -1);
  return { baseline, advantage: sub(pick(q, action), baseline) };
}
