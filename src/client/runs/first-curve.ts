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

/** Of the run that began last; null: it stands, or was waited for long enough, or no run was begun by one press. */
let awaited: Promise<void> | null = null;

/** A run is about to begin. Resolves when its curve is no longer awaited. */
export function curveBegins(): Promise<void> {
  const curve = new Promise<void>((resolve) => {
    const done = (): void => {
      if (awaited === curve) awaited = null;
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
  awaited = curve;
  return curve;
}

export const curveAwaited = (): boolean => awaited !== null;

/** Resolves when no curve is awaited that was when it was asked. */
export const firstCurve = async (): Promise<void> => awaited ?? undefined;
