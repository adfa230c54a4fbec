/** Policies without their messages: those of the policy's own channel, and symbols that the environment carries as observations. */
import { fail } from '#contract/kit/errors.ts';
import type { Policy } from '../../algos/api/types.ts';
import type { EnvMeta } from '../../envs/api/types.ts';

/** Per agent, the columns of its observation that hold received symbols: those labelled "heard ...". */
export function heardColumns(meta: EnvMeta): readonly (readonly number[])[] {
  return meta.agents.flatMap(({ count, obs }) => {
    const labels = obs.kind === 'box' ? (obs.labels ?? []) : [];
    const heard = labels.flatMap((label, i) => (label.startsWith('heard ') ? [i] : []));
    return Array.from({ length: count }, () => heard);
  });
}

/** Throws LabError('incompatible') where neither the policy nor the environment has messages. */
export function checkChannel(meta: EnvMeta, policy: Policy | null): void {
  if (policy?.communication !== undefined || heardColumns(meta).some((columns) => columns.length > 0)) return;
  throw fail(
    'incompatible',
    'There are no messages: neither the policy nor the environment has a channel.',
    'Train CommNet, DIAL or HAMMER, or choose an environment with symbols, such as speaker and listener.',
    'communication',
  );
}

/** The same policy, which receives no message. */
export function mutedPolicy(policy: Policy, meta: EnvMeta): Policy {
  const heard = heardColumns(meta);
  return {
    initial: (rows) => policy.initial(rows),
    act(query) {
      const obs = query.obs.slice();
      for (let row = 0; row < query.rows; row++) for (const i of heard[query.agent[row]!]!) obs[row * meta.obsSize + i] = 0;
      const muted = { ...query, obs };
      if (policy.communication === undefined) return policy.act(muted);
      return policy.communication.act(muted, new Uint8Array(query.rows).fill(1)).then(({ act }) => act);
    },
    dispose() {},
  };
}
