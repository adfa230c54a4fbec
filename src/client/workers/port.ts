/** A call to a worker whose answers come on a port of their own, until the call ends. */
import { transfer } from 'comlink';
import type { ExplainPort } from '#contract/explain/explain-api.ts';

export async function withPort<T, R>(take: (message: T) => void, call: (port: ExplainPort<T>) => Promise<R>): Promise<R> {
  const channel = new MessageChannel();
  channel.port1.onmessage = (message: MessageEvent<T>) => take(message.data);
  try {
    return await call(transfer(channel.port2 as unknown as ExplainPort<T>, [channel.port2]));
  } finally {
    // what was posted before the call's answer may still be on its way
    setTimeout(() => channel.port1.close(), 100);
  }
}
