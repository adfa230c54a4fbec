/** A world of one's own that is named on the command line. */
import type { EnvEntry } from '#core/envs/api/types.ts';
import { readInput } from './config.ts';
import type { Context } from './context.ts';
import { runWorld } from './worlds.ts';

/** The option of commands that take a world. */
export const WORLD_OPTION = {
  kind: 'text',
  value: 'FILE',
  help: 'a world of your own in the simple form (see "new world"); its code runs as yours, with all your rights',
} as const;

/** The world in a file that was named on the command line. Throws UsageError where there is none. */
export function openWorld(context: Pick<Context, 'typedIn'>, path: string): EnvEntry {
  return runWorld({ name: path, code: readInput(context, path, 'world') });
}
