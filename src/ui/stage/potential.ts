/** The potential that the draft paints on the map that the scene shows. */
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { isGrid } from '#contract/game/frames.ts';
import { fitsMap, potentialOf } from '#contract/run/shaping.ts';
import { finiteRange } from '#scenes/lib/colours.ts';
import { draftStore } from '#stores/draft.ts';
import { stageStore } from '#stores/stage.ts';

/** Of every cell, row-major; null: there is none, or it is that of another map. */
export function usePotential(): Float64Array | null {
  const shaping = useStore(draftStore, (state) => state.config.run.shaping);
  const layout = useStore(stageStore, (state) => state.source?.layout);
  return useMemo(() => {
    return shaping !== undefined && isGrid(layout) && fitsMap(shaping, layout) ? potentialOf(shaping) : null;
  }, [shaping, layout]);
}

/** Ends of its scale of colours: 0, which is what is not painted, is one of them. */
export function potentialRange(potential: ArrayLike<number>): [number, number] {
  const [low, high] = finiteRange(potential);
  return [Math.min(0, low), Math.max(0, high)];
}
