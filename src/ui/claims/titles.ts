/** Titles of worlds and methods, from the catalogue. */
import { useStore } from 'zustand';
import { catalogStore } from '#stores/catalog.ts';

/** Titles of worlds and methods; ids until the catalogue is here. */
export function useTitles(): (kind: 'env' | 'algo', id: string) => string {
  const catalog = useStore(catalogStore, (state) => state.catalog);
  return (kind, id) => (kind === 'env' ? catalog?.envs : catalog?.algos)?.find((card) => card.id === id)?.title ?? id;
}
