/** Titles of environments and methods, as the page writes them, and of own ones; the id itself where there is none. */
import type { ReferenceReturn } from '#contract/catalog/catalog.ts';
import { LabError } from '#contract/kit/errors.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { algos } from '#core/algos/all.ts';
import { envs } from '#core/envs/all.ts';
import { nameOf } from './own-titles.ts';

export const envTitle = (id: string): string => envs.find((entry) => entry.id === id)?.title ?? nameOf(id);
export const algoTitle = (id: string): string => algos.find((entry) => entry.id === id)?.title ?? nameOf(id);

/** Of a curve; several methods may report it. */
export const metricTitle = (id: string): string => algos.flatMap(({ metrics }) => metrics).find((metric) => metric.id === id)?.title ?? id;

/** Reference returns of an environment with these settings; none where it cannot be told here. */
export function envReferences({ id, config }: RunConfig['env']): readonly ReferenceReturn[] {
  const entry = envs.find((one) => one.id === id);
  try {
    return entry === undefined ? [] : entry.meta(entry.parse(config)).references;
  } catch (error) {
    // Settings of older rules, or a body whose engine is not loaded here: without a reference the scale is that of the runs, and says so.
    if (error instanceof LabError) return [];
    throw error;
  }
}
