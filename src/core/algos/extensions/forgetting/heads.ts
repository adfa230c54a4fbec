/**
 * One output layer for each task over layers that all of them share (Kirkpatrick et al. 2017 and Schwarz et al. 2018 give tasks such heads; Li &
 * Hoiem 2016). The last layer gives the outputs of all heads side by side; a row takes those of the task that it is told (contexts with a list
 * and `tell`): the last numbers that agents see.
 */
import { fail } from '#contract/kit/errors.ts';
import { add, eq, mul, reshape, sliceAxis } from '#core/engine/ops.ts';
import type { Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '../../../envs/api/types.ts';

/** What tasks are told apart by. */
export type Told = NonNullable<EnvMeta['tasks']>;

/** Tasks that one network may hold apart: each costs a pass of its own where masks are packed. */
export const MOST_TASKS = 16;

/** 1 in the rows of encoded observations [B, W] that belong to task `k`, else 0: [B]. */
function inTask(seen: Tensor, { told, codes }: Told, k: number): Tensor {
  const width = seen.shape[1]!;
  const same = codes[k]!.map((code, i) => eq(sliceAxis(seen, 1, width - told + i, 1), code));
  return reshape(
    same.reduce((a, b) => mul(a, b)),
    [seen.shape[0]!],
  );
}

/** Of the outputs [B] or [B, n] of each task those of the task that each row belongs to; 0 where it is none of them. */
export function ofTask(seen: Tensor, told: Told, outputs: readonly Tensor[]): Tensor {
  const rows = seen.shape[0]!;
  return outputs
    .map((out, k) => mul(out, out.shape.length === 1 ? inTask(seen, told, k) : reshape(inTask(seen, told, k), [rows, 1])))
    .reduce((a, b) => add(a, b));
}

/** Throws LabError('config-invalid') where agents are not told which of some tasks they are in. */
export function toldTasks({ tasks }: EnvMeta): Told {
  const fix = 'Give the environment contexts with a list of tasks, and switch on that agents see the drawn numbers.';
  if (tasks === undefined || tasks.codes.length < 2)
    throw fail(
      'config-invalid',
      'Parts of a network belong to tasks, and agents are not told here which task they are in.',
      fix,
      'algo.forgetting.kind',
    );
  if (tasks.codes.length > MOST_TASKS)
    throw fail(
      'config-invalid',
      `There are ${tasks.codes.length} tasks.`,
      `Parts of a network are kept for ${MOST_TASKS} tasks at most.`,
      'algo.forgetting.kind',
    );
  if (new Set(tasks.codes.map((code) => code.join())).size < tasks.codes.length)
    throw fail('config-invalid', 'Two tasks are told by the same numbers.', 'List each task once.', 'algo.forgetting.kind');
  return tasks;
}

/** Of all heads [B, K n] those [B, n] of the rows’ tasks. `seen`: encoded observations, [B, W]. */
export function headOf(all: Tensor, seen: Tensor, told: Told): Tensor {
  const width = all.shape[1]! / told.codes.length;
  return ofTask(
    seen,
    told,
    told.codes.map((_, k) => sliceAxis(all, 1, k * width, width)),
  );
}
