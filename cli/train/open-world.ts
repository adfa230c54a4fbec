/** Code of one's own that is named on the command line. */
import type { Definition } from '#core/own/definition.ts';
import { readInput } from '../kit/config.ts';
import type { Context } from '../kit/context.ts';
import { runWorld } from './worlds.ts';

/** The option of commands that take a world. */
export const WORLD_OPTION = {
  kind: 'text',
  value: 'FILE',
  help: 'a world, reward, player or method of your own (see "new world"); its code runs as yours, with all your rights',
} as const;

/** What the code in a file that was named on the command line defines. Throws UsageError where there is no such file. */
export function openWorld(context: Pick<Context, 'typedIn'>, path: string): Promise<Definition> {
  return runWorld({ name: path, code: readInput(context, path, 'world') });
}
