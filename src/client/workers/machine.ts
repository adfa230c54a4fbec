/** Asks what this computer offers: cores, network, storage (the graphics card: gpu.ts). Every answer is optional; nothing here may fail the page. */
import type { Library } from '#storage/library.ts';
import { coresKnown, networkKnown, storageKnown, storagePersisted } from '#stores/machine.ts';

/** Seeds that train at once: one core stays with the page where there are more than two; phones train one at a time. */
export function workerLimit(cores: number, phone: boolean): number {
  if (phone) return 1;
  return Math.max(1, cores > 2 ? cores - 1 : cores);
}

/** Beyond these a product is cut into pieces too small to gain from. */
const MOST_THREADS = 8;

/** Threads for each of so many seeds that train at once, where `limit` may: several only in a page that is isolated from other origins. */
export function threadsEach(limit: number, seeds: number, isolated = self.crossOriginIsolated): number {
  return isolated ? Math.max(1, Math.min(MOST_THREADS, Math.floor(limit / Math.max(1, seeds)))) : 1;
}

export function isPhone(): boolean {
  return matchMedia('(pointer: coarse)').matches && Math.min(screen.width, screen.height) < 600;
}

export function probeMachine(): void {
  coresKnown(navigator.hardwareConcurrency || 1);
  networkKnown(navigator.onLine);
  addEventListener('online', () => networkKnown(true));
  addEventListener('offline', () => networkKnown(false));
  if (location.protocol.startsWith('http')) void serverAnswers(); // a page opened from a file has no server
}

/** A server that did not answer is asked again after so long, ms. */
const AGAIN_MS = 15_000;
let again: ReturnType<typeof setTimeout> | undefined;

/**
 * Whether this page's server answers; the answer is kept in the machine store. navigator.onLine is true without a way to the server, too: in a
 * network without internet, or in Chromium 150 after a reload. So one small file is asked for that the service worker does not keep. What stands in
 * it is compared, because some networks answer every address with a page of their own. No other origin is asked.
 */
export async function serverAnswers(): Promise<boolean> {
  const online = await fetch(new URL('online.txt', document.baseURI), { cache: 'no-store' }).then(
    async (answer) => answer.ok && (await answer.text()).trim() === 'ok',
    () => false, // a request that gets no answer is the measurement
  );
  networkKnown(online);
  clearTimeout(again);
  if (!online) again = setTimeout(() => void serverAnswers(), AGAIN_MS);
  return online;
}

/** Resolves when the machine's store says whether there is a GPU; the code that asks is loaded then (gpu.ts). */
export const knowGpu = async (): Promise<void> => (await import('./gpu.ts')).probeGpu();

export async function reportStorage(library: Library): Promise<{ readonly usedBytes: number; readonly quotaBytes: number }> {
  const storage = typeof navigator === 'undefined' ? undefined : navigator.storage;
  const estimate = await storage?.estimate?.().catch(() => undefined);
  const persisted = (await storage?.persisted?.().catch(() => false)) ?? false;
  const usedBytes = estimate?.usage ?? 0;
  storageKnown(library.driver.kind, persisted, usedBytes);
  return { usedBytes, quotaBytes: estimate?.quota ?? 0 };
}

/** Asked after the first kept run, so that the browser does not clear it away on its own. */
export async function askToPersist(): Promise<void> {
  storagePersisted((await navigator.storage?.persist?.().catch(() => false)) ?? false);
}
