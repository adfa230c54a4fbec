/** The whole catalogue, for the development server: a build has it as a file of its own. */
import { experiments } from '#claims/experiments/index.ts';
import type { Catalog } from '#contract/catalog/catalog.ts';
import { buildCatalog } from '#core/catalog.ts';

export const catalog = (): Catalog => buildCatalog(experiments);
