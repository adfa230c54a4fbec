import type { Server } from 'node:http';

export function serve(options?: {
  readonly dir?: string;
  readonly port?: number;
  readonly base?: string;
  readonly host?: string;
  readonly compressed?: boolean;
}): Promise<{ readonly server: Server; readonly port: number; readonly url: string }>;
