/** Surveys with a map of their own: one import and one place each, by number. */
import { adaptabilityMap } from './p051.ts';
import { continualReviewMap } from './p113.ts';
import type { Taxonomy } from './taxonomy.ts';

export const taxonomies: readonly Taxonomy[] = [adaptabilityMap, continualReviewMap];
