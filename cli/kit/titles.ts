/**
 * Titles of environments and methods, as the page writes them, and of own ones; the id itself where there is none. Those of the catalogue must
 * be loaded (openStored, or core/run/loaded.ts for all of them): LabError('internal') else.
 */
import type { ReferenceReturn } from '#contract/catalog/catalog.ts';
import { LabError } from '#contract/kit/errors.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { algoFamilyTitle, getAlgo } from '#core/algos/index.ts';
import type { EnvEntry } from '#core/envs/api/types.ts';
import { envFamilyOf, getEnv } from '#core/envs/index.ts';
import { nameOf } from './own-titles.ts';

const listedEnv = (id: string): EnvEntry | undefined => (envFamilyOf(id).ids.includes(id) ? getEnv(id) : undefined);

export const envTitle = (id: string): string => listedEnv(id)?.title ?? nameOf(id);
export const algoTitle = (id: string): string => (algoFamilyTitle(id) === '' ? nameOf(id) : getAlgo(id).title);

/** Reference returns of an environment with these settings; none where it cannot be told here. */
export function envReferences({ id, config }: RunConfig['env']): readonly ReferenceReturn[] {
  const entry = listedEnv(id);
  try {
    return entry === undefined ? [] : entry.meta(entry.parse(config)).references;
  } catch (error) {
    // Settings of older rules, or a body whose engine is not loaded here: without a reference the scale is that of the runs, and says so.
    if (error instanceof LabError) return [];
    throw error;
  }
}
