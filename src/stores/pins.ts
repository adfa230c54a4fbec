/** The explanation that the opened link is pinned to, and whether it is on the stage. */
import { createStore } from 'zustand/vanilla';
import type { Pin } from '#contract/link-pin.ts';

export interface PinState {
  readonly pin: Pin | null;
  /**
   * absent: no run here has that policy. training: it is being made. shown: on the stage, with the same bits. differs: on the stage, but its
   * bits are others than the link's. gone: the run ended without it.
   */
  readonly status: 'absent' | 'training' | 'shown' | 'differs' | 'gone';
}

export const pinStore = createStore<PinState>(() => ({ pin: null, status: 'absent' }));
