/** Pause turns into Train in the same place when a run ends: whether a press now is still one on Pause, which must not begin another run. */
import { runsStore } from '#stores/runs.ts';
import { phaseOf } from '#ui/kit/progress.ts';

/** ms that a person takes to see that a button has changed. */
const SEEN_AFTER = 400;
/** When the run on the button ended by itself, as performance.now(). */
let endedAt = Number.NEGATIVE_INFINITY;

runsStore.subscribe(({ groups, activeId }, before) => {
  const [now, then] = [groups, before.groups].map((all) => all.find(({ id }) => id === activeId));
  if (now === then || now === undefined || then === undefined || phaseOf(then) !== 'running') return;
  if (['done', 'failed'].includes(phaseOf(now))) endedAt = performance.now();
});

export const meantForPause = (): boolean => performance.now() - endedAt < SEEN_AFTER;
