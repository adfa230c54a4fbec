/** A mixture of members as one policy: each row draws its member when its episode begins, and stays with it. */

import type { Saved } from '#contract/events.ts';
import type { Engine } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { writeParams } from '#core/state/params.ts';
import { joinSaved, partOf } from '#core/state/saved.ts';
import { Rng } from '#math/rng.ts';
import type { ActQuery, Policy } from '../../api/types.ts';
import type { NetworkOptions } from '../../lib/ppo/networks.ts';
import type { Frozen } from './frozen.ts';
import { buildPair, pairPolicy } from './pair-policy.ts';

const LEAST = 1e-3; // members that are played more rarely are left out

/** Members of some weight, and their weights. */
export function saveMixture(members: readonly Frozen[], weights: readonly number[]): Saved {
  const kept = members.flatMap((frozen, i) => (weights[i]! >= LEAST ? [{ frozen, weight: weights[i]! }] : []));
  const parts = Object.fromEntries(kept.map(({ frozen }, i) => [`member${i}`, frozen]));
  return joinSaved({ members: kept.length }, parts, { weights: Float64Array.from(kept, ({ weight }) => weight) });
}

export async function mixturePolicy(
  makeEngine: () => Promise<Engine>,
  meta: EnvMeta,
  options: NetworkOptions,
  saved: Saved,
): Promise<Policy> {
  const engine = await makeEngine();
  const weights = saved.arrays.weights as Float64Array;
  const total = weights.reduce((a, b) => a + b, 0);
  const policies = Array.from(weights, (_, i) => {
    const pair = buildPair(engine, `member${i}`, meta, options, Rng.from(0));
    writeParams(engine, pair.actor.group, partOf(saved, `member${i}`));
    return pairPolicy(engine, meta, pair);
  });
  const draw = (rng: Rng): number => {
    let u = rng.uniform() * total;
    const at = weights.findIndex((w) => (u -= w) < 0);
    return at < 0 ? weights.length - 1 : at;
  };
  const { obsSize: O, actionCount: N, actionSize: D } = meta;
  return {
    initial: (rows) => new Float32Array(rows), // 0: not drawn yet, else member + 1
    async act(query) {
      const { rows, rng, obs, mask, agent } = query;
      const hidden = Float32Array.from({ length: rows }, (_, row) => query.hidden[row] || 1 + draw(rng));
      const actions = N > 0 ? new Int32Array(rows) : new Float32Array(rows * D);
      const logits = new Float32Array(rows * N);
      const value = new Float32Array(rows);
      for (const [k, policy] of policies.entries()) {
        const own = [...hidden.keys()].filter((row) => hidden[row] === k + 1);
        if (own.length === 0) continue;
        const pick = <T extends Float32Array | Uint8Array>(from: T, width: number, into: T): T => {
          for (const [i, row] of own.entries()) into.set(from.subarray(row * width, (row + 1) * width), i * width);
          return into;
        };
        const part: ActQuery = {
          obs: pick(obs, O, new Float32Array(own.length * O)),
          ...(mask && { mask: pick(mask, N, new Uint8Array(own.length * N)) }),
          agent: Int32Array.from(own, (row) => agent[row]!),
          hidden: policy.initial(own.length),
          rng,
          rows: own.length,
          greedy: query.greedy,
        };
        const said = await policy.act(part);
        own.forEach((row, i) => {
          for (let d = 0; d < D; d++) actions[row * D + d] = said.actions[i * D + d]!;
          for (let a = 0; a < N; a++) logits[row * N + a] = said.logits?.[i * N + a] ?? 0;
          value[row] = said.value?.[i] ?? Number.NaN;
        });
      }
      return { actions, hidden, value, ...(N > 0 && { logits }) };
    },
    dispose() {
      for (const policy of policies) policy.dispose();
      engine.dispose();
    },
  };
}
