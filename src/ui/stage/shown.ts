/** Frame and return as readouts show them: at once while the episode stands still, else fifteen times a second, which is as fast as figures can be read. */
import { createStore } from 'zustand/vanilla';
import { stageStore } from '#stores/stage.ts';

const EVERY_MS = 66;

interface Shown {
  readonly t: number;
  readonly total: number;
}

export const shownStore = createStore<Shown>(() => ({ t: 0, total: 0 }));

let timer: ReturnType<typeof setTimeout> | undefined;

function take(): void {
  timer = undefined;
  const { t, returnSoFar: total } = stageStore.getState();
  const before = shownStore.getState();
  if (before.t !== t || before.total !== total) shownStore.setState({ t, total });
}

stageStore.subscribe((stage) => {
  if (stage.playing) {
    timer ??= setTimeout(take, EVERY_MS);
    return;
  }
  clearTimeout(timer);
  take();
});
take();
