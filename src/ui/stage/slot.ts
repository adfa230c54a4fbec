/** A place on the stage for what is shown instead of its scene: a view of a lesson plays there as large as a scene. */
import { createStore } from 'zustand/vanilla';

interface SlotState {
  /** How many ask for the place. */
  readonly asked: number;
  /** The place, while it is there. */
  readonly place: HTMLElement | null;
}

export const slotStore = createStore<SlotState>(() => ({ asked: 0, place: null }));

/** Where the place is; null: it went. One function for good: as a ref it is not called again with every drawing. */
export function placeSlot(place: HTMLElement | null): void {
  slotStore.setState({ place });
}

/** Asks for the place. Returns the function that gives it back. */
export function askForSlot(): () => void {
  slotStore.setState(({ asked }) => ({ asked: asked + 1 }));
  return () => slotStore.setState(({ asked }) => ({ asked: asked - 1 }));
}
