/** What a run's painted potential asks of its environment and its method. */

import { cellsOf } from '#contract/game/frames.ts';
import { fail } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { RunOptions } from '#contract/run/config.ts';
import { fitsMap } from '#contract/run/shaping.ts';
import type { AlgoEntry } from '../algos/api/types.ts';
import type { EnvEntry, EnvMeta } from '../envs/api/types.ts';

/** Throws LabError('config-invalid') where the rows do not fit the map, 'incompatible' where nothing could be shaped. */
export function checkShaping(
  { shaping, executor }: RunOptions,
  env: EnvEntry,
  envConfig: JsonObject,
  meta: EnvMeta,
  algo: AlgoEntry,
): void {
  if (shaping === undefined) return;
  const refuse = (why: string, todo: string): never => {
    throw fail('incompatible', why, todo, 'run.shaping');
  };
  const cells = cellsOf(meta.frame);
  if (cells === null || meta.agentCount !== 1 || meta.rewards.length !== 1 || env.create(envConfig, 1).cellOf === undefined)
    refuse(`A potential is painted on the cells that one agent walks on; ${env.title} has none.`, 'Choose a grid world, or remove it.');
  if (algo.needsModel === true)
    refuse(
      `${algo.title} plans on a table of the rewards and is paid for no step.`,
      'Choose a method that plays, or remove the potential.',
    );
  if (executor === 'webgpu-rollouts')
    refuse('Rollouts on the graphics device do not know a painted potential.', 'Choose the executor "webgpu" or "wasm".');
  const { width, height } = cells ?? { width: 0, height: 0 };
  if (fitsMap(shaping, { width, height })) return;
  throw fail(
    'config-invalid',
    `The painted potential does not fit the map of ${env.title}, which has ${height} rows of ${width} cells.`,
    'Give a digit for every cell, row by row, or remove it and paint anew.',
    'run.shaping',
  );
}
