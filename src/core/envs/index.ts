/** Every environment, sorted by id: one import and one line each. */
import { fail } from '#contract/errors.ts';
import { cartpole } from './cartpole.ts';
import { cliffWalking } from './cliff-walking.ts';
import { frozenLake } from './frozen-lake.ts';
import type { EnvEntry } from './types.ts';

export const envs: readonly EnvEntry[] = [cartpole, cliffWalking, frozenLake];

const byId = new Map(envs.map((entry) => [entry.id, entry]));

/** Throws LabError('unknown-id') with the ids there are. */
export function getEnv(id: string): EnvEntry {
  const entry = byId.get(id);
  if (entry === undefined) throw fail('unknown-id', `There is no environment "${id}".`, `Use one of: ${[...byId.keys()].join(', ')}.`);
  return entry;
}
