/** Every environment, loaded: for commands, documents and tests that look at all of them. The page and its workers load what they run. */
import type { EnvEntry } from './api/types.ts';
import { envFamilies as families, getEnv, loadEnv, loadEnvs } from './index.ts';

/** By id. */
export const envs: readonly EnvEntry[] = (await loadEnvs()).toSorted((a, b) => (a.id < b.id ? -1 : 1));

/** As choosers show them. */
export const envFamilies: readonly { readonly title: string; readonly envs: readonly EnvEntry[] }[] = families.map((family) => ({
  title: family.title,
  envs: Object.keys(family.envs).map(getEnv),
}));

export { getEnv, loadEnv };
