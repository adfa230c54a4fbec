/** A thread that does its part of an engine's large products; started by host/threads.ts, which sends what it begins with. */
import { serveThread, type ThreadStart } from '#core/engine/wasm/threads.ts';

self.addEventListener('message', ({ data }: MessageEvent<ThreadStart>) => void serveThread(data, () => self.postMessage('ready')), {
  once: true,
});
