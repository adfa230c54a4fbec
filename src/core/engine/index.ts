/** The door to the engine. tfjs is loaded only when one of its backends is asked for. */
import type { ExecutorId } from '#contract/config.ts';
import type { Engine } from './types.ts';
import { createWasmEngine } from './wasm/engine.ts';

export async function createEngine(executor: Exclude<ExecutorId, 'auto'>): Promise<Engine> {
  if (executor === 'wasm') return createWasmEngine();
  const { createTfjsEngine } = await import('./tfjs/engine.ts');
  return createTfjsEngine(executor);
}
