/**
 * Raw steps in a worker of a browser: answers { id, rounds } with rates or { error }. It says 'ready' first: a message that comes while
 * the imports are still awaited finds no listener and is lost.
 */
import address from '@mujoco/mujoco/mujoco.wasm?url';
import { hostMujoco } from '#core/envs/mujoco/lib/load.ts';
import { type RawRates, rawRates } from './raw.ts';

hostMujoco({
  read: async () => (await fetch(new URL(address, self.location.href))).arrayBuffer(),
  loaded: async () => {},
});

self.addEventListener('message', ({ data }: MessageEvent<{ readonly id: string; readonly rounds: number }>) => {
  rawRates(data.id, data.rounds).then(
    (rates: RawRates) => postMessage(rates),
    (error: unknown) => postMessage({ error: String(error) }),
  );
});

postMessage('ready');
