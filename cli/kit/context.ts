/** What every command gets besides its arguments. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { isAbsolute, resolve } from 'node:path';
import type { Output } from './output.ts';

export interface Context {
  readonly output: Output;
  /** The project's own folder. */
  readonly project: string;
  /** Folder the command was typed in: relative paths count from here. */
  readonly typedIn: string;
  /** Builds (when stale) and answers the folder of a bundle: the benchmarks are one of their own. */
  readonly bundle: (name: 'cli' | 'bench') => Promise<string>;
  /** Serves the page, built when stale unless `dir` names one that is built. Rejects where the port is taken. */
  readonly servePage: (options: PageOptions) => Promise<{ readonly server: Server; readonly url: string }>;
}

export interface PageOptions {
  readonly dir?: string;
  readonly host: string;
  readonly port: number;
  /** Asked before the files; answers whether it has taken the request. */
  readonly api: (request: IncomingMessage, response: ServerResponse) => boolean;
}

export interface Command {
  readonly usage: string;
  readonly summary: string;
  readonly help: string;
  /** Throws UsageError (exit code 2), CommandFailure (1) or LabError (2 where the input is wrong, else 1). */
  run(args: readonly string[], context: Omit<Context, 'output'>): Promise<void>;
}

export const pathFrom = (context: Pick<Context, 'typedIn'>, path: string): string =>
  isAbsolute(path) ? path : resolve(context.typedIn, path);
