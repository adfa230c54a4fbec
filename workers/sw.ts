/**
 * The service worker: keeps the files of a version for offline, answers from them, and isolates the page from other origins, which shared memory needs
 * (host/threads.ts). A server cannot isolate it as well: the page embedded elsewhere could not open a window of itself. So the first visit, which no service worker
 * answers, is not isolated; the next one is. What is kept and when: vite.config.ts and tools/offline.ts.
 */
import { clientsClaim } from 'workbox-core';
import type { RouteHandler } from 'workbox-core/types.js';
import { cleanupOutdatedCaches, PrecacheController, PrecacheRoute } from 'workbox-precaching';
import { NavigationRoute, Route, Router } from 'workbox-routing';
import { CacheFirst, NetworkFirst, StaleWhileRevalidate } from 'workbox-strategies';

declare const self: ServiceWorkerGlobalScope;

const kept = new PrecacheController();
kept.addToCacheList(self.__WB_MANIFEST);
cleanupOutdatedCaches();
self.addEventListener('install', (event) => void kept.install(event));
self.addEventListener('activate', (event) => void kept.activate(event));
self.addEventListener('message', ({ data }: ExtendableMessageEvent) => {
  if ((data as { readonly type?: unknown } | null)?.type === 'SKIP_WAITING') void self.skipWaiting(); // a person takes the new version
});
clientsClaim(); // so that what is used later in the first visit is kept as well

const router = new Router();
router.registerRoute(new PrecacheRoute(kept));
router.registerRoute(new NavigationRoute(kept.createHandlerBoundToURL('index.html')));
const answer = (address: RegExp, by: RouteHandler): void =>
  router.registerRoute(new Route(({ url, sameOrigin }) => sameOrigin && address.test(url.pathname), by));
answer(/\/assets\/mujoco-[\w-]+\.(wasm|js)$/, new CacheFirst({ cacheName: 'mujoco' }));
// without a picture a small sign is drawn
answer(/\/pictures\/(dark\/)?[\w-]+\.webp$/, new StaleWhileRevalidate({ cacheName: 'pictures' }));
answer(/\/results\/([\w-]+\/)?[\w.-]+\.(json|policy)$/, new NetworkFirst({ cacheName: 'papers' }));
// what it must be stands in the code that reads it, so another version is asked for again
answer(/\/stories(-\d+)?\.bin$/, new NetworkFirst({ cacheName: 'parts' }));
// their names change with what is in them
answer(/\/assets\/[\w.-]+\.(js|css|wasm|film)$/, new CacheFirst({ cacheName: 'parts' }));

/** Pages in a window of their own, in frames, and scripts of workers: each says that it loads nothing of other origins that does not allow it. */
const EMBEDDER: readonly RequestDestination[] = ['document', 'iframe', 'worker'];

async function isolated({ destination }: Request, given: Promise<Response>): Promise<Response> {
  const response = await given;
  if (!EMBEDDER.includes(destination) || response.status === 0) return response;
  const headers = new Headers(response.headers);
  headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
  if (destination === 'document') headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  const { status, statusText } = response;
  return new Response(response.body, { status, statusText, headers });
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const found = router.handleRequest({ event, request });
  if (found !== undefined) event.respondWith(isolated(request, found));
});
