/**
 * Worlds whose tasks are drawn may hold a part of them out (a setting `split` that is "train"): what is learned is then also measured on the tasks that
 * are held out, at every evaluation, so that a run shows whether it learned the tasks or their answers.
 */
import { HELD_OUT } from '#contract/game/metrics.ts';
import { isObject, type JsonObject } from '#contract/kit/json.ts';
import type { Policy } from '../algos/api/types.ts';
import type { EnvEntry } from '../envs/api/types.ts';
import { evaluate } from './evaluate.ts';

/** The same world with the tasks that `config` holds out; null: it holds none out, or holds out what it plays. */
export function heldOutOf(config: JsonObject): JsonObject | null {
  if (config.split === 'train') return { ...config, split: 'held-out' };
  for (const [name, value] of Object.entries(config)) {
    const own = isObject(value) ? heldOutOf(value) : null;
    if (own !== null) return { ...config, [name]: own };
  }
  return null;
}

/** The column of a run in this world, if it has one. */
export const heldOutColumns = (config: JsonObject): readonly string[] => (heldOutOf(config) === null ? [] : [HELD_OUT]);

/** Mean score of episodes of held-out tasks, acting as in training, so that it stands beside the return of training. Empty where none are held out. */
export async function evaluateHeldOut(
  policy: Policy,
  entry: EnvEntry,
  config: JsonObject,
  episodes: number,
): Promise<Readonly<Record<string, number>>> {
  const held = heldOutOf(config);
  return held === null ? {} : { [HELD_OUT]: (await evaluate(policy, entry, held, { episodes, greedy: false })).score };
}
