/**
 * Where tfjs's wasm backend finds its .wasm files: the host of the engine sets it before it opens `tfjs-wasm` (a worker has
 * them as asset urls). In Node nothing need be set. Apart from the engine, so that setting it loads no tfjs.
 */

/** By file name: tfjs-backend-wasm.wasm, tfjs-backend-wasm-simd.wasm, tfjs-backend-wasm-threaded-simd.wasm. */
export type WasmFiles = { readonly [file: string]: string };

let current: WasmFiles | undefined;

export function setWasmFiles(files: WasmFiles): void {
  current = files;
}
export const wasmFiles = (): WasmFiles | undefined => current;
