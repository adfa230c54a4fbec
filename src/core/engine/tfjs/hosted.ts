/** The addresses under which the built page carries the files of tfjs's wasm backend. Addresses only: nothing is loaded here. */

import plain from '@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm.wasm?url';
import simd from '@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm?url';
import { setWasmFiles } from './files.ts';

export function hostWasmFiles(): void {
  // The threaded build is never started (see backend.ts), but tfjs wants a name for it.
  setWasmFiles({ 'tfjs-backend-wasm.wasm': plain, 'tfjs-backend-wasm-simd.wasm': simd, 'tfjs-backend-wasm-threaded-simd.wasm': simd });
}
