/**
 * Opens a tfjs backend by dynamic import, so that a run loads only the one it uses, and makes it the active one again when
 * several engines share a thread (tfjs has one active backend per realm).
 * Throws LabError('gpu-missing') where the backend is not available, LabError('gpu-lost') once its device is gone.
 */
import * as tf from '@tensorflow/tfjs-core';
import { fail } from '#contract/kit/errors.ts';
import type { ExecutorId } from '#contract/run/config.ts';
import { wasmFiles } from './files.ts';

export type TfjsExecutor = Extract<ExecutorId, `tfjs-${string}`>;

export interface Backend {
  /** Resolves when tfjs calls this backend's kernels; undefined if they are called already. */
  activate(): Promise<void> | undefined;
  /** The answer of work on the device; if that fails because the device is gone, the error says so. */
  guard<T>(work: Promise<T>): Promise<T>;
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

const deviceLost = (): Error =>
  fail('gpu-lost', 'The graphics device was lost.', 'Resume the run from its last checkpoint, or choose the executor "wasm".');

/** A WebGPU device tells when it is gone, a WebGL context answers; tfjs keeps both in the backend. */
function lossOf(backend: unknown): () => boolean {
  const { device, gpgpu } = backend as {
    readonly device?: { readonly lost?: Promise<unknown> };
    readonly gpgpu?: { readonly gl?: { isContextLost(): boolean } };
  };
  let lost = false;
  const told = (): void => {
    lost = true;
  };
  device?.lost?.then(told, told);
  return () => lost || gpgpu?.gl?.isContextLost() === true;
}

/** A device that goes refuses first what is under way, with one of these; its own word may come seconds later. */
const REFUSALS: readonly unknown[] = ['AbortError', 'OperationError'];

export async function openBackend(executor: TfjsExecutor): Promise<Backend> {
  const name = executor.slice('tfjs-'.length);
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
  const isLost = lossOf(tf.backend());
  return {
    activate() {
      if (isLost()) throw deviceLost();
      return tf.getBackend() === name ? undefined : activate();
    },
    async guard(work) {
      try {
        return await work;
      } catch (error) {
        const { name: kind } = error as { readonly name?: unknown };
        throw isLost() || REFUSALS.includes(kind) ? deviceLost() : error;
      }
    },
  };
}
