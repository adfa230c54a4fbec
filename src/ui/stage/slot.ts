/** A place on the stage for what is shown instead of its scene: a view of a lesson plays there as large as a scene. */
import { createStore } from 'zustand/vanilla';

interface SlotState {
  /** How many ask for the place. */
  readonly asked: number;
  /** The place, while it is there. */
  readonly place: HTMLElement | null;
}

export const slotStore = createStore<SlotState>(() => ({ asked: 0, place: null }));

export function askForSlot(): () => void {
  slotStore.setState(({ asked }) => ({ asked: asked + 1 }));
  return () => slotStore.setState(({ asked }) => ({ asked: asked - 1 }));
}
