/** Epsilon-greedy choices of whole teams from action values. */
import type { EnvMeta } from '#core/envs/api/types.ts';
import type { Rng } from '#math/rng.ts';
import { argmax, randomAction } from '#math/sampling.ts';
import type { ParameterSharing } from '../../lib/sharing.ts';

export interface Choice {
  readonly q: Float32Array; // [B, A, N], -1e8 where an action is illegal or does not exist
  readonly mask: Uint8Array | undefined; // [B, A, N]
  readonly epsilon: number;
  readonly rng: Rng;
  readonly sharing: ParameterSharing;
  readonly meta: EnvMeta;
}

/** Writes [B, A]; every agent explores by itself. */
export function chooseActions({ q, mask, epsilon, rng, sharing, meta }: Choice, out: Int32Array): void {
  const { agentCount: A, actionCount: N } = meta;
  for (let row = 0; row < out.length; row++) {
    const n = sharing.networks[sharing.agentToNetwork[row % A]!]!.choices;
    const random = epsilon > 0 && rng.uniform() < epsilon;
    out[row] = random ? randomAction(rng, n, mask, row * N) : argmax(q, row * N, n, mask, row * N);
  }
}

/** The sum over a team's agents, whose rewards stand from `at` on. */
export function teamReward(reward: Float32Array, at: number, agents: number): number {
  let total = 0;
  for (let a = at; a < at + agents; a++) total += reward[a]!;
  return total;
}
