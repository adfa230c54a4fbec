/** One writer per run and seed, over all tabs of this page: Web Locks, which end by themselves when their owner does. */
import { fail } from '#contract/kit/errors.ts';

export function lockName(namespace: string, runId: string, seed: number): string {
  return `rl-workbench:${namespace}:${runId}:${seed}`;
}

/**
 * Holds the lock until the answered function is called. Waits a moment, because a worker that was just killed takes a while to let
 * go; then throws LabError('storage-missing') naming the other tab. Without Web Locks there is nothing to hold.
 */
export async function holdLock(name: string, patienceMs = 3000): Promise<() => void> {
  const locks: LockManager | null | undefined = typeof navigator === 'undefined' ? null : navigator.locks;
  if (!locks) return () => {};
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), patienceMs);
  await new Promise<void>((resolve, reject) => {
    locks
      .request(name, { signal: patience.signal }, () => {
        resolve();
        return held;
      })
      .catch((error: unknown) => {
        if (isForbidden(error)) resolve();
        else reject(fail('storage-missing', 'This run is being trained in another tab.', 'Go on there, or close that tab first.'));
      });
  });
  clearTimeout(timer);
  return release;
}

/** Sandboxed frames may not use Web Locks: there is no other page to lock out. */
const isForbidden = (error: unknown): boolean => error instanceof DOMException && error.name === 'SecurityError';

/** Names of the locks held now, by any tab. */
export async function heldLocks(): Promise<ReadonlySet<string>> {
  const locks: LockManager | null | undefined = typeof navigator === 'undefined' ? null : navigator.locks;
  if (!locks) return new Set();
  try {
    return new Set(((await locks.query()).held ?? []).map((lock) => lock.name ?? ''));
  } catch (error) {
    if (isForbidden(error)) return new Set();
    throw error;
  }
}
