/** Lets tfjs's wasm backend run from a bundle: its glue is CommonJS and looks for `require` and for the folder of its .wasm file in the global scope. */
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** Must run before an engine on `tfjs-wasm` is opened in Node. */
export function prepareTfjs(): void {
  const require = createRequire(import.meta.url);
  const folder = dirname(require.resolve('@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm.wasm'));
  Object.assign(globalThis, { require, __dirname: folder });
}
