/**
 * When the curve of a run that one press began shows where it goes. What takes the processor for long and can wait begins after it: a first visit
 * would share the processor between the training, its curve and the first picture of its scene.
 */
import { curves, curvesStore } from '#stores/curves.ts';
import { runsStore } from '#stores/runs.ts';

/** Points that show where a curve goes. */
const POINTS = 20;
/** Runs whose curve comes later are not waited for, ms. */
const LONGEST_MS = 4000;

let stands: Promise<void> = Promise.resolve();
let awaited = false;

/** A run is about to begin. */
export function curveBegins(): void {
  awaited = true;
  stands = new Promise((resolve) => {
    const done = (): void => {
      awaited = false;
      stop();
      clearTimeout(timer);
      resolve();
    };
    const stop = curvesStore.subscribe(() => {
      const { activeId, groups } = runsStore.getState();
      const seed = groups.find(({ id }) => id === activeId)?.seeds[0]?.seed;
      if (activeId === null || seed === undefined) return;
      if ((curves.series(activeId, seed, 'episodicReturn')?.steps.length ?? 0) >= POINTS) done();
    });
    const timer = setTimeout(done, LONGEST_MS);
  });
}

/** It does not stand yet. */
export const curveAwaited = (): boolean => awaited;

/** Resolves at once where no run was begun by one press. */
export const firstCurve = (): Promise<void> => stands;
