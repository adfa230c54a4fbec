/** What can be run, as the watch worker sent it at the start. */
import { createStore } from 'zustand/vanilla';
import type { AlgoCard, Catalog, EnvCard, ReferenceReturn } from '#contract/catalog/catalog.ts';
import { canonicalJson, sameJson } from '#contract/kit/canonical.ts';
import type { Failure } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { CatalogState } from './types.ts';

export const catalogStore = createStore<CatalogState>(() => ({ catalog: null, references: {}, failure: null }));

/** Resolves when the catalogue is here; where it cannot be had, never: the store says why. */
export function whenListed(): Promise<void> {
  return new Promise((resolve) => {
    const look = (): boolean => catalogStore.getState().catalog !== null;
    if (look()) return resolve();
    const stop = catalogStore.subscribe(() => {
      if (!look()) return;
      stop();
      resolve();
    });
  });
}

/** The card of an environment with its default config, or null. */
export function envCard(id: string): EnvCard | null {
  return catalogStore.getState().catalog?.envs.find((card) => card.id === id) ?? null;
}

export function algoCard(id: string): AlgoCard | null {
  return catalogStore.getState().catalog?.algos.find((card) => card.id === id) ?? null;
}

interface EnvRef {
  readonly id: string;
  readonly config: object;
}

const envKey = ({ id, config }: EnvRef): string => `${id} ${canonicalJson(config)}`;

/** Keeps what the worker said about this environment with this config. */
export function rememberReferences(env: EnvRef, references: readonly ReferenceReturn[]): void {
  catalogStore.setState((state) => ({ references: { ...state.references, [envKey(env)]: references } }));
}

/** Reference returns hold for one config only: none where this one has not been described and is not the default. */
export function referencesOf(env: EnvRef, { catalog, references }: CatalogState): readonly ReferenceReturn[] {
  const known = references[envKey(env)];
  if (known !== undefined) return known;
  const card = catalog?.envs.find(({ id }) => id === env.id);
  return card !== undefined && sameJson(env.config as JsonObject, card.defaults) ? card.references : [];
}

export function catalogCame(catalog: Catalog): void {
  catalogStore.setState({ catalog, failure: null });
}

export function catalogFailed(failure: Failure): void {
  catalogStore.setState({ failure });
}

/** An environment of one's own stands in the catalogue of this visit. */
export function listEnv(card: EnvCard): void {
  const { catalog } = catalogStore.getState();
  if (catalog === null || catalog.envs.some(({ id }) => id === card.id)) return;
  catalogCame({ ...catalog, envs: [...catalog.envs, card] });
}
