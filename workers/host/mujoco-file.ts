/**
 * Where the built page carries MuJoCo's module, and how it comes here: one request, with progress, when an environment on it is first
 * opened. It is kept in the browser from then on, with its loader, because the service worker stores neither on a first visit.
 */
import address from '@mujoco/mujoco/mujoco.wasm?url';
import { hostMujoco, MUJOCO_BYTES } from '#core/envs/mujoco/lib/load.ts';
import { fetchLarge } from './download.ts';

/** The same cache as the service worker's (vite.config.ts). */
const CACHE = 'mujoco';
/** The chunk of the loader, as the build names it. */
const LOADER = /\/assets\/mujoco-[\w-]{8}\.js$/;

/** Names the file to the environments that need it. Nothing is fetched before one of them is opened. */
export function hostMujocoFile(): void {
  const url = new URL(address, self.location.href).href;
  hostMujoco({
    async read() {
      const cache = await openCache();
      const kept = await cache?.match(url);
      if (kept !== undefined) return kept.arrayBuffer();
      const bytes = await fetchLarge({ url, title: 'MuJoCo', total: MUJOCO_BYTES });
      const copy = new Response(bytes.slice(0), { headers: { 'content-type': 'application/wasm' } });
      await cache?.put(url, copy).catch(() => {}); // a full disk: it is fetched again next time
      return bytes;
    },
    async loaded() {
      const cache = await openCache();
      if (cache !== null) await keepLoader(cache, url).catch(() => {}); // a full disk, or gone offline in between
    },
  });
}

/** null: the browser keeps nothing for this page (a frame of another origin, an address without encryption). */
async function openCache(): Promise<Cache | null> {
  return 'caches' in self ? caches.open(CACHE).catch(() => null) : null;
}

/** Keeps the loader too, and drops modules and loaders of older releases. */
async function keepLoader(cache: Cache, url: string): Promise<void> {
  const loaders = performance.getEntriesByType('resource').flatMap(({ name }) => (LOADER.test(new URL(name).pathname) ? [name] : []));
  const kept = (await cache.keys()).map((request) => request.url);
  await Promise.all(kept.filter((old) => old !== url && !loaders.includes(old)).map((old) => cache.delete(old)));
  await cache.addAll(loaders.filter((loader) => !kept.includes(loader)));
}
