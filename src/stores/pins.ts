/** The explanation that the opened link is pinned to, and whether it is on the stage. */
import { createStore } from 'zustand/vanilla';
import type { Pin } from '#contract/link/pin.ts';

export interface PinState {
  readonly pin: Pin | null;
  /**
   * absent: no run here has that policy. training: it is being made. shown: on the stage, with the same bits. differs: on the stage, but its
   * bits are others than the link's. gone: the run ended without it.
   */
  readonly status: 'absent' | 'training' | 'shown' | 'differs' | 'gone';
}

export const pinStore = createStore<PinState>(() => ({ pin: null, status: 'absent' }));

/** null: the opened link has none, or its note is put away. */
export function openPin(pin: Pin | null): void {
  pinStore.setState({ pin, status: 'absent' });
}

/** Its policy is trained. */
export function makePinned(): void {
  pinStore.setState({ status: 'training' });
}

/** The run that was to make its policy ended without it. */
export function pinnedGone(): void {
  pinStore.setState({ status: 'gone' });
}

/** It is on the stage; `same`: with the bits that the link was made from. */
export function pinnedShown(same: boolean): void {
  pinStore.setState({ status: same ? 'shown' : 'differs' });
}
