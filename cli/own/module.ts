/**
 * A method of one's own as the package's kit writes it: an ES module whose default export is what defineAlgo gave. It imports the kit from the
 * command line's own copy, so that its operations are those of the engine that runs them, and nothing else, so that one file is all of it.
 */
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { fail } from '#contract/kit/errors.ts';
import type { AlgoEntry } from '#core/algos/api/types.ts';

/** What such a file may import, and the built file that stands for it (tools/bundle.mjs). */
const KITS: { readonly [name: string]: string } = {
  'rl-workbench/algo-kit': 'kit-algo.mjs',
  'rl-workbench/math': 'kit-math.mjs',
  zod: 'kit-zod.mjs',
  // what an extension of one's own extends
  'rl-workbench/algos/ppo': 'kit-ppo.mjs',
  'rl-workbench/algos/dqn': 'kit-dqn.mjs',
  'rl-workbench/algos/sac': 'kit-sac.mjs',
};

/** Import and export statements that name a module, over several lines too. */
const NAMES = /^([ \t]*(?:import|export)\b(?:[\w\s{},*$]*?\bfrom)?\s*)(['"])([^'"\n]+)\2/gm;

/** Whether code is a module and not a call of one of the define functions. */
export const isModule = (code: string): boolean => /^[ \t]*export\s+default\b/m.test(code);

function kitFile(name: string): string {
  const here = dirname(fileURLToPath(import.meta.url));
  return pathToFileURL(join(basename(here) === 'chunks' ? dirname(here) : here, name)).href;
}

const isAlgo = (value: unknown): value is AlgoEntry =>
  typeof value === 'object' &&
  value !== null &&
  ['train', 'policy', 'parse', 'fits'].every((name) => typeof Reflect.get(value, name) === 'function');

/** Runs the module; its method is called `id`. Throws LabError('world-invalid') in words. */
export async function methodOfModule(name: string, code: string, id: string): Promise<AlgoEntry> {
  const invalid = (what: string, fix: string) => fail('world-invalid', `"${name}": ${what}`, fix, 'code');
  const foreign = [...code.matchAll(NAMES)].find(([, , , from = '']) => !Object.hasOwn(KITS, from))?.[3];
  if (foreign !== undefined)
    throw invalid(`it imports "${foreign}".`, `A method is one file, and imports at most ${Object.keys(KITS).join(', ')}.`);
  const whole = code.replace(
    NAMES,
    (_, words: string, quote: string, from: string) => `${words}${quote}${kitFile(KITS[from] ?? '')}${quote}`,
  );
  let made: { readonly default?: unknown };
  try {
    made = await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(whole)}`);
  } catch (error) {
    const line = error instanceof Error ? /data:text\/javascript,[^\s]*?:(\d+):\d+/.exec(error.stack ?? '')?.[1] : undefined;
    const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    throw invalid(`${line === undefined ? '' : `line ${line}, `}${what.slice(0, 300)}.`, 'Correct the code there.');
  }
  if (!isAlgo(made.default)) throw invalid('its default export is no method.', 'Write export default defineAlgo({ spec, train, policy }).');
  return { ...made.default, id };
}
