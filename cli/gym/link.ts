/** The synchronous way from environments to a bridge in Python: a thread that does the waiting, and a word that says when it has an answer. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { type Failure, fail, LabError } from '#contract/kit/errors.ts';
import type { GymLink } from '#core/gym/entry.ts';
import type { ToLink } from './bridge.ts';

export interface OpenLink extends GymLink {
  /** What the bridge said first. */
  readonly description: Uint8Array;
  close(): void;
}

/** An environment that has not answered for so long is given up, ms. */
const PATIENCE = 120_000;

function threadFile(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  return join(here.endsWith('chunks') ? dirname(here) : here, 'gym.mjs');
}

/** Starts Python and waits for its description. Throws LabError in the bridge's words. `file`: the built link-thread.ts, `patience` in ms. */
export function openLink(start: ToLink, file = threadFile(), patience = PATIENCE): OpenLink {
  const { port1: port, port2: other } = new MessageChannel();
  const word = new Int32Array(new SharedArrayBuffer(4));
  const thread = new Worker(file, { workerData: { port: other, word, start }, transferList: [other] });
  thread.unref();
  let closed = false;
  const close = (): void => {
    if (!closed) port.postMessage('close');
    closed = true;
  };
  const wait = (): Uint8Array => {
    // The notification of the answer before may come late and end a wait in which nothing was said yet.
    while (Atomics.load(word, 0) === 0) {
      if (Atomics.wait(word, 0, 0, patience) !== 'timed-out') continue;
      close();
      throw fail(
        'engine-missing',
        `Python has not answered for ${patience / 1000} s.`,
        'Look whether the environment hangs, and start it again.',
      );
    }
    Atomics.store(word, 0, 0);
    const said = receiveMessageOnPort(port)?.message as { readonly body?: Uint8Array; readonly failure?: Failure } | undefined;
    if (said?.body !== undefined) return said.body;
    throw new LabError(said?.failure ?? { id: 'internal', message: 'The bridge thread said nothing.', fix: 'Start it again.' });
  };
  try {
    return {
      description: wait(),
      close,
      exchange(type, body) {
        if (closed) throw fail('engine-missing', 'The connection to Python was closed.', 'Start it again.');
        port.postMessage({ type, body });
        return wait();
      },
    };
  } catch (error) {
    close();
    throw error;
  }
}
