/**
 * Tasks of a sequence (contract/catalog/contexts.ts) while a run learns: at every border between blocks, at every evaluation and at the end the
 * policy plays all of them greedily, so that what is kept and what is lost is seen task by task.
 */
import { contextsIn, tasksOf } from '#contract/catalog/contexts.ts';
import { taskMetric } from '#contract/game/metrics.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { Policy } from '../algos/api/types.ts';
import type { EnvEntry } from '../envs/api/types.ts';
import { evaluate } from './evaluate.ts';

/** Columns of a run in this environment: one for each task. */
export const taskColumns = (config: JsonObject): readonly string[] => (tasksOf(config) ?? []).map((_, task) => taskMetric(task));

/** Whether a block ended between two steps of a run, or what drifts came to the next task. */
export function crossedBorder(config: JsonObject, before: number, after: number): boolean {
  const order = contextsIn(config)?.order;
  if (order === undefined || order.by === 'turns' || order.steps === undefined) return false;
  return Math.floor(before / order.steps) < Math.floor(after / order.steps);
}

/** Mean return of greedy episodes in each task, on the same seeds; empty where there is no sequence. */
export async function evaluateTasks(
  policy: Policy,
  entry: EnvEntry,
  config: JsonObject,
  episodes: number,
): Promise<Readonly<Record<string, number>>> {
  const found: Record<string, number> = {};
  for (const [task, own] of (tasksOf(config) ?? []).entries())
    found[taskMetric(task)] = (await evaluate(policy, entry, own, { episodes })).score;
  return found;
}
