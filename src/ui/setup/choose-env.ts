/** Chooses an environment and says what came with it: the recommended algorithm and budget, which one press takes back. */
import { algoCard, envCard } from '#stores/catalog.ts';
import { draftStore } from '#stores/draft.ts';
import { clearAllBad } from '#ui/form/invalid.ts';
import { compact } from '#ui/kit/format/numbers.ts';
import { toast } from '#ui/kit/toasts.ts';

export function chooseEnv(id: string, preset?: string): void {
  const { config: before, setEnv, undo } = draftStore.getState();
  clearAllBad();
  setEnv(id, preset);
  const { config } = draftStore.getState();
  const switched = config.algo.id !== before.algo.id || config.run.steps !== before.run.steps;
  if (config.env.id === before.env.id || !switched) return;
  const algo = algoCard(config.algo.id)?.title ?? config.algo.id;
  toast(`${envCard(id)?.title ?? id}: ${algo}, ${compact(config.run.steps)} steps, as recommended here.`, {
    action: { label: 'Undo', run: undo },
  });
}
