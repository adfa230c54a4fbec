import { firstPicture } from '#client/stage/first-picture.ts';
import { serviceWorkers } from '#client/workers/offline-worker.ts';

/**
 * What is fetched when it is looked at stays for offline: the service worker keeps it under the names of vite.config.ts. During the first
 * visit no worker answers this page yet, so what is seen then is put where the worker will look for it. Without storage (a private window,
 * a full disk) it is not there offline.
 */
export function keepOffline(cache: 'pictures' | 'papers' | 'parts', url: string): void {
  const workers = serviceWorkers();
  if (workers === null || workers.controller !== null) return;
  firstPicture()
    .then(() => caches.open(cache))
    .then((kept) => kept.add(url))
    .catch(() => undefined);
}
