/** The door to the engine. What is not wasm is loaded only when it is asked for. */
import type { ExecutorId } from '#contract/run/config.ts';
import type { Engine } from './types.ts';
import { createWasmEngine } from './wasm/engine.ts';

export async function createEngine(executor: Exclude<ExecutorId, 'auto'>): Promise<Engine> {
  if (executor === 'wasm') return createWasmEngine();
  if (executor === 'webgpu' || executor === 'webgpu-rollouts') {
    const { createWebgpuEngine } = await import('./webgpu/engine.ts');
    return createWebgpuEngine(undefined, executor);
  }
  const { createTfjsEngine } = await import('./tfjs/engine.ts');
  return createTfjsEngine(executor);
}
