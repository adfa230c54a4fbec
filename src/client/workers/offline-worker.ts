/** The page's service worker, which keeps files for offline. */

/** Where it is registered; null where there can be none: a browser without it, or a sandboxed frame, where reading it throws. */
export function serviceWorkers(): ServiceWorkerContainer | null {
  try {
    return navigator.serviceWorker ?? null;
  } catch {
    return null;
  }
}
