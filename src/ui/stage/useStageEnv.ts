/** The card of the environment on the stage: the draft's where it drew these frames, else the catalogue's. */
import { useStore } from 'zustand';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { catalogStore } from '#stores/catalog.ts';
import { draftStore } from '#stores/draft.ts';
import { stageStore } from '#stores/stage.ts';

export function useStageEnv(): EnvCard | null {
  const replay = useStore(stageStore, (state) => state.replay);
  const draft = useStore(draftStore, (state) => state.env);
  const catalog = useStore(catalogStore, (state) => state.catalog);
  if (replay === null || draft?.id === replay.env.id) return draft;
  return catalog?.envs.find((env) => env.id === replay.env.id) ?? draft;
}
