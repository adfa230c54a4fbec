/** What can be run, as the watch worker told it at the start. */
import { createStore } from 'zustand/vanilla';
import type { AlgoCard, EnvCard } from '#contract/catalog.ts';
import type { CatalogState } from './types.ts';

export const catalogStore = createStore<CatalogState>(() => ({ catalog: null, failure: null }));

/** The card of an environment with its default config, or null. */
export function envCard(id: string): EnvCard | null {
  return catalogStore.getState().catalog?.envs.find((card) => card.id === id) ?? null;
}

export function algoCard(id: string): AlgoCard | null {
  return catalogStore.getState().catalog?.algos.find((card) => card.id === id) ?? null;
}
