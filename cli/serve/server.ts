/** The page's server as commands start and end it. */
import type { Server } from 'node:http';
import type { Context, PageOptions } from '../kit/context.ts';
import { CommandFailure, UsageError } from '../kit/failure.ts';

/** This machine only. */
export const LOOPBACK = '127.0.0.1';

/** Starts to serve. Throws UsageError for a port that is taken or none, and for a host that is none of this machine. */
export async function openServer(
  context: Pick<Context, 'servePage'>,
  { host = LOOPBACK, ...options }: Omit<PageOptions, 'host'> & { readonly host?: string },
): Promise<{ readonly server: Server; readonly url: string }> {
  const { port } = options;
  if (port > 65535) throw new UsageError(`--port must be at most 65535, not ${port}.`);
  return context.servePage({ ...options, host }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE'
      ? new UsageError(`--port ${port} is taken: choose another, or 0 for a free one.`)
      : error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND'
        ? new UsageError(`--host "${host}" is no address of this machine.`)
        : new CommandFailure(error.message);
  });
}

/** Until Ctrl+C or a signal to end. */
export const untilEnded = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      server.close(() => resolve());
      server.closeAllConnections();
    };
    process.once('SIGINT', end);
    process.once('SIGTERM', end);
  });
