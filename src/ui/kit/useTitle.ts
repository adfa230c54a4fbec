/** What the bar, a shared link and a lesson call the open set-up. */
import { useStore } from 'zustand';
import { runTitle } from '#client/runs/own-name.ts';
import { decides } from '#contract/catalog/learnable.ts';
import { catalogStore } from '#stores/catalog.ts';
import { draftStore, isOpen } from '#stores/draft.ts';
import { t } from '#text/text.ts';

/** What learns in what: the method and the world of the draft, '' while nothing is open. */
export function useSetupName(): string {
  const catalog = useStore(catalogStore, (state) => state.catalog);
  const opened = useStore(draftStore, isOpen);
  const envId = useStore(draftStore, (state) => state.config.env.id);
  const algoId = useStore(draftStore, (state) => state.config.algo.id);
  if (!opened) return ''; // the link, or the first experiment, is on its way
  const env = catalog?.envs.find((card) => card.id === envId);
  const algo = catalog?.algos.find((card) => card.id === algoId)?.title ?? algoId;
  return env !== undefined && !decides(env) ? t(env.title) : runTitle(algo, env?.title ?? envId);
}

/** The experiment's own title, or what the draft is. */
export function useTitle(): string {
  const experiment = useStore(catalogStore, ({ catalog }) => catalog?.experiments);
  const experimentId = useStore(draftStore, (state) => state.experimentId);
  const name = useSetupName();
  const title = experiment?.find((card) => card.id === experimentId)?.title;
  return title !== undefined ? t(title) : name === '' ? t('Opening …') : name;
}
