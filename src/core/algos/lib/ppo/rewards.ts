/**
 * What an agent is trained on, from what all agents of its copy got. Arrays are [B, A] and must not be the same, except for own.
 *   own         its own reward
 *   sum, mean   the team's
 *   orientation r_i cos(a) + mean of the others' sin(a): 0 degrees selfish, 45 fair, 90 altruistic (McKee et al. 2020)
 *   inequity    r_i - alpha / (A - 1) sum max(r_j - r_i, 0) - beta / (A - 1) sum max(r_i - r_j, 0) (Hughes et al. 2018)
 */
import { z } from 'zod';
import { cos, sin } from '#math/functions.ts';

export const rewardFields = {
  teamReward: z.enum(['own', 'sum', 'mean', 'orientation', 'inequity']).default('own').meta({
    title: 'whose reward counts',
    description: 'What an agent learns from: its own reward, the team’s sum or mean, or a mixture.',
    group: 'team',
  }),
  orientation: z
    .number()
    .min(0)
    .max(90)
    .default(45)
    .meta({
      title: 'value orientation',
      unit: 'degrees',
      description: 'With "orientation": 0 looks at oneself only, 90 at the others only.',
      source: 'McKee et al. 2020',
      slider: [0, 90],
      depth: 'research',
      group: 'team',
    }),
  envy: z.number().min(0).max(100).default(5).meta({
    title: 'dislike of having less',
    description: 'With "inequity": alpha, the weight of what others get more.',
    source: 'Hughes et al. 2018',
    depth: 'research',
    group: 'team',
  }),
  guilt: z.number().min(0).max(100).default(0.05).meta({
    title: 'dislike of having more',
    description: 'With "inequity": beta, the weight of what others get less.',
    source: 'Hughes et al. 2018',
    depth: 'research',
    group: 'team',
  }),
};
export interface RewardMix {
  readonly teamReward: 'own' | 'sum' | 'mean' | 'orientation' | 'inequity';
  readonly orientation: number;
  readonly envy: number;
  readonly guilt: number;
}

/** Rewards [B, A] -> what each agent is trained on [B, A]. */
export function mixRewards(mix: RewardMix, rewards: Float32Array, agents: number, out: Float32Array): void {
  if (mix.teamReward === 'own' || agents === 1) {
    if (out !== rewards) out.set(rewards);
    return;
  }
  const angle = (mix.orientation * Math.PI) / 180;
  const [self, rest] = [cos(angle), sin(angle)];
  for (let from = 0; from < rewards.length; from += agents) {
    let sum = 0;
    for (let i = from; i < from + agents; i++) sum += rewards[i]!;
    for (let i = from; i < from + agents; i++) {
      const own = rewards[i]!;
      if (mix.teamReward === 'sum') out[i] = sum;
      else if (mix.teamReward === 'mean') out[i] = sum / agents;
      else if (mix.teamReward === 'orientation') out[i] = own * self + ((sum - own) / (agents - 1)) * rest;
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
