/** The catalogue as the page shows it, for the build, which puts it beside the page: a worker of the page takes a second to make it. */

import { experiments } from '#claims/experiments/index.ts';
import type { Catalog } from '#contract/catalog/catalog.ts';
import { buildCatalog } from '#core/catalog.ts';

export const catalog = (): Catalog => buildCatalog(experiments);
