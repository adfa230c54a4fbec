/** Policies of runs as players that learn nothing more: what they have learned so far, put into the settings of a world. */
import { workers } from '#client/workers/service.ts';
import { fail } from '#contract/kit/errors.ts';
import type { Frozen } from '#contract/run/frozen.ts';
import type { RunGroup } from '#stores/types.ts';
import { t } from '#text/text.ts';
import { newestPolicy } from './policies.ts';

/** The newest policy of one seed of a run. */
export interface Earlier {
  readonly runId: string;
  readonly seed: number;
  readonly label: string;
}

/** Runs of an environment that have learned something, newest first. */
export function earlierPolicies(groups: readonly RunGroup[], env: string): readonly Earlier[] {
  return groups
    .filter(({ config }) => config.env.id === env)
    .flatMap(({ id, name, seeds }) =>
      seeds.flatMap(({ seed }) =>
        newestPolicy(id, seed) === null ? [] : [{ runId: id, seed, label: t('{run}, seed {seed}', { run: name, seed }) }],
      ),
    );
}

/** `seat`: an agent or a kind of agents. Rejects with LabError('incompatible') for a policy that cannot be frozen. */
export async function frozenFor({ runId, seed, label }: Earlier, seat: string): Promise<Frozen> {
  const snapshot = newestPolicy(runId, seed);
  if (snapshot === null) throw fail('incompatible', `${label} has learned nothing yet.`, 'Train it first.', 'seats');
  return workers.player().freeze(snapshot, seat);
}
