/**
 * Stands in the package where ./tfjs/engine.ts stands in the page (tools/build-lib.mjs): a bundler follows lazy imports too, and would look
 * for packages that most programs do not have. rl-workbench/tfjs offers what is missing here.
 */

import { fail } from '#contract/kit/errors.ts';
import type { ExecutorId } from '#contract/run/config.ts';
import type { Engine } from './types.ts';

type TfjsExecutor = Extract<ExecutorId, `tfjs-${string}`>;
type MakeEngine = (executor: TfjsExecutor) => Promise<Engine>;

let offered: MakeEngine | null = null;

export function offerTfjs(make: MakeEngine): void {
  offered = make;
}

/** Throws LabError('config-invalid') where nothing was offered. */
export async function createTfjsEngine(executor: TfjsExecutor): Promise<Engine> {
  if (offered !== null) return offered(executor);
  throw fail(
    'config-invalid',
    `The executor ${executor} is not loaded.`,
    "Write import { useTfjs } from 'rl-workbench/tfjs'; useTfjs(); and install the @tensorflow packages.",
    'run.executor',
  );
}
