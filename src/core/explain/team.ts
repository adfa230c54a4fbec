/** Who plays in an explanation, from what a page or a command line can name. */
import { fail } from '#contract/errors.ts';
import type { Team } from '#contract/session.ts';
import type { EnvEntry, EnvMeta } from '../envs/types.ts';
import { Rng } from '../math/rng.ts';
import { buildPolicy } from '../run/policy.ts';
import { type Actor, learnedActor, scriptedActor } from './actors.ts';

export interface Recruited {
  /** The same policy, acting in batches of this size. */
  actor(batch: number): Actor;
  free(): void;
}

/** Learned policies are built once. Throws LabError('unknown-id') for a script that is not there, and what buildPolicy throws. */
export async function recruit(team: Team, entry: EnvEntry, config: unknown, meta: EnvMeta, greedy: boolean): Promise<Recruited> {
  if ('scripted' in team) {
    const policy = entry.policies(config)[team.scripted];
    if (policy === undefined)
      throw fail('unknown-id', `There is no scripted policy "${team.scripted}".`, `There are: ${entry.policyNames.join(', ') || 'none'}.`);
    return { actor: () => scriptedActor(policy), free() {} };
  }
  const { policy, free } = await buildPolicy(team.snapshot);
  return { actor: (batch) => learnedActor(policy, meta, batch, greedy, Rng.from(0)), free };
}
