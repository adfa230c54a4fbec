/** What this computer offers, as far as it has been asked. The client fills it. */
import { createStore } from 'zustand/vanilla';
import type { ExecutorId } from '#contract/run/config.ts';
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

type Speeds = NonNullable<MachineState['speeds']>;

export function coresKnown(cores: number): void {
  machineStore.setState({ cores });
}

export function networkKnown(online: boolean): void {
  machineStore.setState({ online });
}

/** `gpuReason`: its name. `gpuInSoftware`: the processor plays it. */
export function gpuFound(gpuReason: string, gpuInSoftware: boolean): void {
  machineStore.setState({ gpu: 'present', gpuReason, gpuInSoftware });
}

export function gpuMissing(gpuReason: string): void {
  machineStore.setState({ gpu: 'none', gpuReason });
}

/** Another tab keeps the database from opening. */
export function storageBlocked(): void {
  machineStore.setState({ storageBlocked: true });
}

export function storageKnown(storage: 'memory' | 'disk', persisted: boolean, usedBytes: number): void {
  machineStore.setState((before) => ({ storage, storageBlocked: before.storageBlocked && storage === 'memory', persisted, usedBytes }));
}

/** Whether the browser promises not to clear the storage by itself. */
export function storagePersisted(persisted: boolean): void {
  machineStore.setState({ persisted });
}

/** It was cleared while the page was open, and written again. */
export function storageRewritten(): void {
  machineStore.setState(({ rewritten }) => ({ rewritten: rewritten + 1 }));
}

/** Why what happens here is not being saved; '': it is. */
export function savingFails(unsaved: string): void {
  if (machineStore.getState().unsaved !== unsaved) machineStore.setState({ unsaved });
}

export function updateIsReady(): void {
  machineStore.setState({ updateReady: true });
}

export function offerExecutor(offer: NonNullable<MachineState['offer']>): void {
  machineStore.setState({ offer });
}

export function withdrawOffer(): void {
  if (machineStore.getState().offer !== null) machineStore.setState({ offer: null });
}

/** Executors are measured with the set-up of this hash. */
export function beginMeasuring(about: string): void {
  machineStore.setState({ speeds: { about, busy: null, results: [] } });
}

/** `change` of what is measured for this set-up. false: another one is measured meanwhile. */
function changeSpeeds(about: string, change: (speeds: Speeds) => Partial<Speeds>): boolean {
  const { speeds } = machineStore.getState();
  if (speeds?.about !== about) return false;
  machineStore.setState({ speeds: { ...speeds, ...change(speeds) } });
  return true;
}

/** This executor is next. false: another set-up is measured meanwhile. */
export const measureNext = (about: string, busy: ExecutorId): boolean => changeSpeeds(about, () => ({ busy }));

export const speedMeasured = (about: string, result: Speeds['results'][number]): void =>
  void changeSpeeds(about, ({ results }) => ({ results: [...results, result] }));

/** What was measured so far stays. */
export const endMeasuring = (about = machineStore.getState().speeds?.about ?? ''): void => void changeSpeeds(about, () => ({ busy: null }));
