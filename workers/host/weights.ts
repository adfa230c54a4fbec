/**
 * Files of trained weights in a worker: the page keeps them beside itself. Learners that start together ask one after the other, and the first
 * leaves the file where the others find it; a file of another version is fetched anew.
 */
import { hashBytes } from '#math/hash.ts';
import { fetchLarge } from './download.ts';

/** What the files hold unpacked, about: for the news of how far a download is. */
const BYTES = 1_000_000;
/** The service worker's (vite.config.ts). */
const CACHE = 'parts';

/** `hash`: that of its bytes. Throws LabError('engine-missing'). */
export async function fetchWeights(file: string, hash: string): Promise<Uint8Array> {
  // a worker stands one folder below the page
  const url = new URL(`../${file}`, self.location.href).href;
  const get = async (): Promise<Uint8Array> => {
    const cache = await openCache();
    const kept = await cache?.match(url);
    if (kept !== undefined) {
      const bytes = new Uint8Array(await kept.arrayBuffer());
      if (hashBytes(bytes) === hash) return bytes;
    }
    const bytes = new Uint8Array(await fetchLarge({ url, title: 'The trained model', total: BYTES }));
    const copy = new Response(bytes.slice(), { headers: { 'content-type': 'application/octet-stream' } });
    await cache?.put(url, copy).catch(() => {}); // a full disk: it is fetched again next time
    return bytes;
  };
  return 'locks' in navigator ? navigator.locks.request(`weights ${file}`, get) : get();
}

/** null: the browser keeps nothing for this page (a frame of another origin, an address without encryption). */
async function openCache(): Promise<Cache | null> {
  return 'caches' in self ? caches.open(CACHE).catch(() => null) : null;
}
