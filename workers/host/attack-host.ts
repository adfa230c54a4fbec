/** The explaining worker's side of AttackApi. */
import type { AttackApi } from '#contract/attack.ts';
import { getEnv } from '#core/envs/index.ts';
import { attackTest } from '#core/explain/attack.ts';
import { buildPolicy } from '#core/run/by-id.ts';

export function createAttackHost(): AttackApi {
  return {
    async attackTest(snapshot, question) {
      const entry = getEnv(snapshot.env.id);
      const { policy, free } = await buildPolicy(snapshot);
      try {
        return await attackTest(policy, entry, entry.parse(snapshot.env.config), question);
      } finally {
        free();
      }
    },
  };
}
