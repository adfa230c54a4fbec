/** What this computer offers, as far as it has been asked. The client fills it. */
import { createStore } from 'zustand/vanilla';
import type { MachineState } from './types.ts';

export const machineStore = createStore<MachineState>(() => ({
  cores: 1,
  online: true,
  gpu: 'unknown',
  gpuReason: 'not asked yet',
  gpuInSoftware: false,
  storage: 'unknown',
  storageBlocked: false,
  persisted: false,
  usedBytes: 0,
  unsaved: '',
  rewritten: 0,
  updateReady: false,
  offer: null,
  speeds: null,
}));
