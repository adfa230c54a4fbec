/** Every method, loaded: for commands, documents and tests that look at all of them. The page and its workers load what they run. */
import type { AlgoEntry } from './api/types.ts';
import { algoFamilies as families, getAlgo, loadAlgos } from './index.ts';

/** By id. */
export const algos: readonly AlgoEntry[] = (await loadAlgos()).toSorted((a, b) => (a.id < b.id ? -1 : 1));

/** As choosers show them. */
export const algoFamilies: readonly { readonly title: string; readonly algos: readonly AlgoEntry[] }[] = families.map((family) => ({
  title: family.title,
  algos: Object.keys(family.algos).map(getAlgo),
}));

export { getAlgo };
