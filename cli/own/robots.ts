/** A robot of one's own, named on the command line: an MJCF file, or a zip of one and its meshes. */
import { existsSync, readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import type { JsonObject } from '#contract/kit/json.ts';
import { ROBOT_ENV, readRobot } from '#contract/link/robot.ts';
import { loadEnv } from '#core/envs/index.ts';
import { type Context, pathFrom } from '../kit/context.ts';
import { UsageError } from '../kit/failure.ts';

export const ROBOT_OPTION = {
  kind: 'text',
  value: 'FILE',
  help: 'a robot of your own: an MJCF file, or a zip of one and its meshes; its task is set with --set env.forwardWeight=1 and the like',
} as const;

/** The environment and its settings for a robot in a file, with the task that suits it. Throws UsageError, or LabError naming what is wrong. */
export async function openRobot(
  context: Pick<Context, 'typedIn'>,
  path: string,
): Promise<{ readonly env: string; readonly envConfig: JsonObject }> {
  const file = pathFrom(context, path);
  if (!existsSync(file)) throw new UsageError(`There is no file "${path}".`);
  const robot = readRobot(path, readFileSync(file));
  await loadEnv(ROBOT_ENV);
  // MuJoCo is 10 MB: only who brings a robot waits for it
  const { inspectRobot } = await import('#core/envs/mujoco/lib/robot/inspect.ts');
  const { task, notes } = await inspectRobot(robot, () => performance.now());
  for (const note of notes) process.stderr.write(`${note}\n`);
  return { env: ROBOT_ENV, envConfig: { robot: { ...robot }, ...task } };
}
