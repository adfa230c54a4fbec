/** Keeps the inspections of the shown episode, frame by frame, for the small chart. */
import type { Replay } from '#contract/run/events.ts';
import { explainStore } from '#stores/explain.ts';
import { stageStore } from '#stores/stage.ts';

export interface Moment {
  readonly t: number;
  readonly probs: Float32Array | null;
  readonly q: Float32Array | null;
  readonly value: number | null;
}

let replay: Replay | null = null;
let policy = '';
let moments = new Map<number, Moment>();

/** Listens to the stage from now on. Returns the function that stops it. */
export function rememberMoments(): () => void {
  let last = stageStore.getState().inspection;
  return stageStore.subscribe((stage) => {
    const key = `${stage.policy?.key ?? ''} ${explainStore.getState().agent}`;
    if (stage.replay !== replay || key !== policy) {
      replay = stage.replay;
      policy = key;
      moments = new Map();
      last = stage.inspection; // of the episode before
      return;
    }
    const { inspection, t } = stage;
    if (inspection === null || inspection === last) return;
    last = inspection;
    moments.set(t, { t, probs: inspection.probs, q: inspection.q, value: inspection.value });
  });
}

/** At most `most` moments nearest to frame t, in order. */
export function momentsAround(t: number, most: number): readonly Moment[] {
  return [...moments.values()]
    .sort((a, b) => Math.abs(a.t - t) - Math.abs(b.t - t))
    .slice(0, most)
    .sort((a, b) => a.t - b.t);
}
