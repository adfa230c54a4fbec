/** The page that browser.ts opens: it hands what is asked to a worker. */
import type { RawRates } from './raw.ts';

export type Answer = RawRates | { readonly error: string };
export interface Measuring {
  measure?: (id: string, rounds: number) => Promise<Answer>;
}

(globalThis as Measuring).measure = (id, rounds) =>
  new Promise((done, failed) => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<Answer | 'ready'>) => {
      if (data === 'ready') worker.postMessage({ id, rounds });
      else done(data);
    };
    worker.onerror = ({ message }) => failed(new Error(message));
  });
