/** One update of a team whose networks learn apart (IPPO, MAPPO, recurrent PPO), and what such an update costs. */
import type { Engine } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { Rng } from '#math/rng.ts';
import type { CriticSight } from '../../lib/ppo/critic-view.ts';
import { buildPairs, compilePair, reportOf, type Team, type TeamConfig } from '../../lib/ppo/team.ts';
import { type EpochOptions, type EstimateOptions, estimate, improve, type UpdateReport } from '../../lib/ppo/update.ts';
import { shareNetworks } from '../../lib/sharing.ts';

/** Every network learns from its own agents' rows, one after the other; what it told, averaged. `step`: environment steps by then. */
export async function learnApart(
  { members, shuffling }: Team,
  step: number,
  c: EstimateOptions & EpochOptions,
): Promise<Record<string, number>> {
  const reports: UpdateReport[] = [];
  for (const member of members) {
    estimate(member.rollout, member.norm, c);
    reports.push(await improve(member, c, shuffling));
  }
  const rollouts = members.map((member) => member.rollout);
  return reportOf(step, reports, rollouts);
}

/** One update of the first network on zeros, at the sizes of this config: what the executor race times. */
export function timedUpdate(
  engine: Engine,
  meta: EnvMeta,
  c: TeamConfig & { readonly envs: number; readonly rolloutSteps: number; readonly minibatches: number },
  sight: CriticSight,
): { run(): Promise<void> | undefined } {
  const sharing = shareNetworks(meta, c.sharing, c.agentId);
  const [first] = buildPairs(engine, meta, sharing, c, sight, Rng.from(0));
  const rows = (c.rolloutSteps * c.envs * first!.actor.network.agents.length) / c.minibatches;
  const learn = compilePair(engine, first!, c, rows);
  return { run: () => learn.run() };
}
