/** Rewards of a team as its agents learn from them. */
import { cos, sin } from '#math/functions.ts';

export type RewardMix =
  | { readonly kind: 'own' }
  | { readonly kind: 'sum' }
  | { readonly kind: 'mean' }
  | { readonly kind: 'orientation'; readonly orientation: number }
  | { readonly kind: 'inequity'; readonly envy: number; readonly guilt: number };

/**
 * Rewards [B, A] -> what each agent is trained on [B, A]. `out` may be `rewards` itself only for 'own' or a single agent.
 *   own         its own reward
 *   sum, mean   the team's
 *   orientation r_i cos(a) + mean of the others' sin(a): 0 degrees selfish, 45 fair, 90 altruistic (McKee et al. 2020)
 *   inequity    r_i - alpha / (A - 1) sum max(r_j - r_i, 0) - beta / (A - 1) sum max(r_i - r_j, 0) (Hughes et al. 2018)
 */
export function mixRewards(mix: RewardMix, rewards: Float32Array, agents: number, out: Float32Array): void {
  if (mix.kind === 'own' || agents === 1) {
    if (out !== rewards) out.set(rewards);
    return;
  }
  const angle = mix.kind === 'orientation' ? (mix.orientation * Math.PI) / 180 : 0;
  const [self, rest] = [cos(angle), sin(angle)];
  for (let from = 0; from < rewards.length; from += agents) {
    let sum = 0;
    for (let i = from; i < from + agents; i++) sum += rewards[i]!;
    for (let i = from; i < from + agents; i++) {
      const own = rewards[i]!;
      if (mix.kind === 'sum') out[i] = sum;
      else if (mix.kind === 'mean') out[i] = sum / agents;
      else if (mix.kind === 'orientation') out[i] = own * self + ((sum - own) / (agents - 1)) * rest;
      else {
        let behind = 0;
        let ahead = 0;
        for (let j = from; j < from + agents; j++) {
          const more = rewards[j]! - own;
          if (more > 0) behind += more;
          else ahead -= more;
        }
        out[i] = own - (mix.envy * behind + mix.guilt * ahead) / (agents - 1);
      }
    }
  }
}
