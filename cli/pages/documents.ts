/**
 * The documents that are made from the registries and from what was measured: name -> text. `npm run docs` writes them into dist-docs/, the builds
 * of the page and of the package put them beside their code (tools/docs.mjs). None is committed.
 */
import { experiments } from '#claims/experiments/index.ts';
import { buildCatalog } from '#core/catalog.ts';
import { explainerCard, explainers } from '#core/explain/index.ts';
import { scoreFacts } from '../../tools/facts/scores.ts';
import { algorithmsPage } from './algorithms.ts';
import { environmentsPage } from './environments.ts';
import { explainersPage } from './explainers.ts';
import { resultsPages } from './results.ts';
import { scoresPage } from './scores.ts';

/** `project`: its folder. Throws LabError('file-invalid') for a stored result that is none. */
export function documents(project: string): ReadonlyMap<string, string> {
  const catalog = buildCatalog();
  return new Map([
    ['algorithms.md', algorithmsPage(catalog.algos, experiments)],
    ['environments.md', environmentsPage(catalog.envs, project)],
    ['explainers.md', explainersPage(explainers.map(explainerCard))],
    ['scores.md', scoresPage(scoreFacts(project), catalog)],
    ...resultsPages(project),
  ]);
}
