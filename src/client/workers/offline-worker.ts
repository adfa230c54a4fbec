/** The page's service worker, which keeps files for offline. */

/** The browser's registry of service workers; null where there is none: a browser without it, or a sandboxed frame, where reading it throws. */
export function serviceWorkers(): ServiceWorkerContainer | null {
  try {
    return navigator.serviceWorker ?? null;
  } catch {
    return null;
  }
}
