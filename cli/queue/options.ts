/** Options of the commands that use a queue, and the connection they ask for. */
import { UsageError } from '../kit/failure.ts';
import { queueAddress } from './address.ts';
import { type Connection, connect } from './connect.ts';

export const QUEUE_OPTION = {
  kind: 'text',
  value: 'URL',
  help: 'redis://HOST:PORT/DATABASE, or rediss:// over TLS; the password may stand in REDIS_PASSWORD (docs/distributed.md)',
} as const;

/** A line about the queue, for people. */
export const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** Throws UsageError for a wrong address, CommandFailure where no Redis answers there. */
export async function openQueue(url: string | undefined): Promise<Connection> {
  if (url === undefined) throw new UsageError('Which queue? --queue redis://HOST:PORT/DATABASE.');
  return connect(queueAddress(url), say);
}
