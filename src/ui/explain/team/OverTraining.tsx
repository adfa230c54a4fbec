/** Values at kept points of training: asks for a few, then for more between them. The lines stand under the learning curve. */
import { useStore } from 'zustand';
import { explain } from '#client/explain/service.ts';
import { explainStore } from '#stores/explain.ts';
import { stageStore } from '#stores/stage.ts';
import { Button } from '#ui/kit/Button.tsx';

const FIRST = 6;

export function OverTraining() {
  const kept = useStore(stageStore, (state) => state.checkpoints.length);
  const training = useStore(explainStore, (state) => state.training);
  if (kept < 2) return null;
  const known = training?.points.length ?? 0;
  const all = known >= kept;
  return (
    <Button disabled={all} onClick={() => void explain.overTraining(known === 0 ? FIRST : known)}>
      {known === 0 ? 'Over training' : 'More points of training'}
    </Button>
  );
}
