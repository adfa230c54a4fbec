/**
 * A worker that is killed sends no message, but the lock it held is released: the page waits for that lock and learns of the end at once,
 * without guessing how long an iteration may take.
 */
const GRACE_MS = 400; // the last batch of a run that ended well may still be on its way

/** Calls back when the lock is released; returns a function that stops waiting. */
export function whenFree(name: string, onFree: () => void): () => void {
  const locks: LockManager | null | undefined = typeof navigator === 'undefined' ? null : navigator.locks;
  if (!locks) return () => {};
  const stop = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  locks
    .request(name, { signal: stop.signal }, () => {
      if (!stop.signal.aborted) timer = setTimeout(onFree, GRACE_MS);
    })
    .catch(() => {}); // stopped waiting
  return () => {
    clearTimeout(timer);
    stop.abort();
  };
}
