/** Frame and return as readouts show them: at once while the episode stands still, else with the page's update clock, which is as fast as figures can be read. */
import { createStore } from 'zustand/vanilla';
import { stageStore } from '#stores/stage.ts';
import { atNextUpdate } from '#stores/update-clock.ts';

interface Shown {
  readonly t: number;
  readonly total: number;
}

export const shownStore = createStore<Shown>(() => ({ t: 0, total: 0 }));

let due = false;

function take(): void {
  due = false;
  const { t, returnSoFar: total } = stageStore.getState();
  const before = shownStore.getState();
  if (before.t !== t || before.total !== total) shownStore.setState({ t, total });
}

stageStore.subscribe((stage) => {
  if (stage.playing) {
    if (!due) {
      due = true;
      atNextUpdate(take);
    }
    return;
  }
  take();
});
take();
