/**
 * Opens a tfjs backend by dynamic import, so that a run loads only the one it uses, and makes it the active one again when
 * several engines share a thread (tfjs has one active backend per realm).
 * Throws LabError('gpu-missing') where the backend is not available, LabError('gpu-lost') once its device is gone.
 */
import * as tf from '@tensorflow/tfjs-core';
import type { ExecutorId } from '#contract/config.ts';
import { fail } from '#contract/errors.ts';
import { wasmFiles } from './files.ts';

export type TfjsExecutor = Extract<ExecutorId, `tfjs-${string}`>;

export interface Backend {
  /** Resolves when tfjs calls this backend's kernels; undefined if they are called already. */
  activate(): Promise<void> | undefined;
}

/** tfjs takes the places of its files once, before the backend starts. */
let wasmLocated = false;

async function load(name: string): Promise<void> {
  switch (name) {
    case 'webgpu':
      await import('@tensorflow/tfjs-backend-webgpu');
      return;
    case 'webgl':
      await import('@tensorflow/tfjs-backend-webgl');
      return;
    case 'cpu':
      await import('@tensorflow/tfjs-backend-cpu');
      return;
    default: {
      const wasm = await import('@tensorflow/tfjs-backend-wasm');
      // Its threaded build hangs when minified, in cross-origin isolated pages.
      tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
      const files = wasmFiles();
      if (files !== undefined && !wasmLocated) {
        wasmLocated = true;
        // Only tfjs's own fetch reads data urls in Node.
        const inline = Object.values(files).some((file) => file.startsWith('data:'));
        wasm.setWasmPaths({ ...files }, inline);
      }
    }
  }
}

function missing(name: string, why?: unknown): Error {
  const reason = why instanceof Error ? ` (${why.message})` : '';
  return fail(
    'gpu-missing',
    `The ${name} backend of tfjs is not available here${reason}.`,
    'Choose the executor "wasm": it runs everywhere and is exact.',
    'run.executor',
  );
}

/** A WebGPU device tells when it is gone; tfjs keeps it in the backend. */
function onLost(done: () => void): void {
  const { device } = tf.backend() as { device?: { readonly lost?: Promise<unknown> } };
  device?.lost?.then(done, done);
}

export async function openBackend(executor: TfjsExecutor): Promise<Backend> {
  const name = executor.slice('tfjs-'.length);
  let lost = false;
  const activate = async (): Promise<void> => {
    let set = false;
    try {
      set = await tf.setBackend(name);
    } catch (error) {
      throw missing(name, error); // never registered
    }
    if (!set) throw missing(name);
  };
  // Our graph has checked every shape; without this tfjs checks again, and advertises itself in Node.
  tf.enableProdMode();
  try {
    await load(name);
  } catch (error) {
    throw missing(name, error);
  }
  await activate();
  await tf.ready();
  onLost(() => {
    lost = true;
  });
  return {
    activate() {
      if (lost)
        throw fail('gpu-lost', 'The graphics device was lost.', 'Resume the run from its last checkpoint, or choose the executor "wasm".');
      return tf.getBackend() === name ? undefined : activate();
    },
  };
}
