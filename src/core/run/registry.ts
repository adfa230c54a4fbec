/** Environments and algorithms by id: what turns the ids of a config, a snapshot or a request into values. */
import { fail } from '#contract/kit/errors.ts';
import { whichOf } from '#contract/kit/nearest.ts';
import type { AlgoEntry } from '../algos/api/types.ts';
import type { EnvEntry } from '../envs/api/types.ts';

export interface Registry {
  /** Throws LabError('unknown-id') naming the ids most like it, or those there are. */
  env(id: string): EnvEntry;
  /** Throws LabError('unknown-id') naming the ids most like it, or those there are. */
  algo(id: string): AlgoEntry;
}

/** A registry of these entries and no others. */
export function registryOf(envs: readonly EnvEntry[], algos: readonly AlgoEntry[]): Registry {
  return { env: (id) => find(envs, id, 'environment'), algo: (id) => find(algos, id, 'algorithm') };
}

function find<E extends { readonly id: string }>(entries: readonly E[], id: string, kind: string): E {
  const entry = entries.find((each) => each.id === id);
  if (entry !== undefined) return entry;
  throw fail(
    'unknown-id',
    `There is no ${kind} "${id}".`,
    whichOf(
      id,
      entries.map((entry) => entry.id),
    ),
  );
}
