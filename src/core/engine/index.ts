/** The door to the engine. */
import type { ExecutorId } from '#contract/config.ts';
import { fail } from '#contract/errors.ts';
import type { Engine } from './types.ts';
import { createWasmEngine } from './wasm/engine.ts';

export async function createEngine(executor: Exclude<ExecutorId, 'auto'>): Promise<Engine> {
  if (executor === 'wasm') return createWasmEngine();
  throw fail('gpu-missing', `The executor "${executor}" is not part of this build.`, 'Use wasm.', 'run.executor');
}
