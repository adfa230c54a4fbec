/**
 * Speaks with the bridge in Python for a thread that waits: environments step synchronously, sockets do not. Messages come over a port; the answer
 * goes back over it, and the shared word is raised so that the waiting thread goes on (cli/gym/link.ts).
 */
import { type MessagePort, workerData } from 'node:worker_threads';
import { gymAnswer } from '#contract/game/gym-wire.ts';
import { toFailure } from '#contract/kit/errors.ts';
import { Bridge, type ToLink } from './bridge.ts';

const { port, word, start } = workerData as { readonly port: MessagePort; readonly word: Int32Array; readonly start: ToLink };
const bridge = new Bridge(start);

function answer(message: { readonly body: Uint8Array } | { readonly failure: unknown }): void {
  port.postMessage(message);
  Atomics.store(word, 0, 1);
  Atomics.notify(word, 0);
}

const say = (work: Promise<Uint8Array>): void =>
  void work.then(
    (body) => answer({ body: new Uint8Array(body) }),
    (error: unknown) => answer({ failure: toFailure(error) }),
  );

port.on('message', (message: { readonly type: number; readonly body: Uint8Array } | 'close') => {
  if (message !== 'close') {
    say(bridge.exchange(message.type, message.body).then(gymAnswer));
    return;
  }
  bridge.close();
  port.close();
});
process.once('exit', () => bridge.close());
say(bridge.open());
