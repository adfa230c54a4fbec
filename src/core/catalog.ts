/** Everything that can be run, as data for forms, galleries and help. Loads every environment and method. */
import type { AlgoCard, Catalog, EnvCard, ExperimentCard } from '#contract/catalog/catalog.ts';
import { algoFamilies } from './algos/all.ts';
import { algoCard, envCard } from './cards.ts';
import { envFamilies } from './envs/all.ts';
import { explainerCard, explainers } from './explain/index.ts';

export const envCards = (): readonly EnvCard[] => envFamilies.flatMap((family) => family.envs.map((entry) => envCard(entry)));
export const algoCards = (): readonly AlgoCard[] => algoFamilies.flatMap((family) => family.algos.map(algoCard));

export function buildCatalog(experiments: readonly ExperimentCard[] = []): Catalog {
  return { version: 1, envs: envCards(), algos: algoCards(), experiments, explainers: explainers.map(explainerCard) };
}
