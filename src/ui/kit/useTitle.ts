/** What the bar, a shared link and a lesson call the open set-up. */
import { useStore } from 'zustand';
import { nameOfRun } from '#contract/run-names.ts';
import { catalogStore } from '#stores/catalog.ts';
import { draftStore, isOpen } from '#stores/draft.ts';

/** The experiment's own title, or what the draft is. */
export function useTitle(): string {
  const catalog = useStore(catalogStore, (state) => state.catalog);
  const experimentId = useStore(draftStore, (state) => state.experimentId);
  const opened = useStore(draftStore, isOpen);
  const envId = useStore(draftStore, (state) => state.config.env.id);
  const algoId = useStore(draftStore, (state) => state.config.algo.id);
  const experiment = catalog?.experiments.find((card) => card.id === experimentId);
  if (experiment !== undefined) return experiment.title;
  if (!opened) return 'Opening …'; // the link, or the first experiment
  const env = catalog?.envs.find((card) => card.id === envId)?.title ?? envId;
  const algo = catalog?.algos.find((card) => card.id === algoId)?.title ?? algoId;
  return nameOfRun(algo, env);
}
