/** Files that are named on the command line. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { type Context, pathFrom } from './context.ts';
import { UsageError } from './failure.ts';

/** The text of a file named on the command line. */
export const readInput = (context: Pick<Context, 'typedIn'>, path: string, what: string): string =>
  readFileSync(checkFile(context, path, what), 'utf8');

/** The whole path of a file that is there. */
export function checkFile(context: Pick<Context, 'typedIn'>, path: string, what: string): string {
  const full = pathFrom(context, path);
  if (!existsSync(full)) throw new UsageError(`There is no ${what} "${path}".`);
  if (statSync(full).isDirectory()) throw new UsageError(`"${path}" is a folder; ${what} must be a file.`);
  return full;
}
