import type { IncomingMessage, Server, ServerResponse } from 'node:http';

export function serve(options?: {
  readonly dir?: string;
  readonly port?: number;
  readonly base?: string;
  readonly host?: string;
  readonly compressed?: boolean;
  readonly api?: (request: IncomingMessage, response: ServerResponse) => boolean;
}): Promise<{ readonly server: Server; readonly port: number; readonly url: string }>;
