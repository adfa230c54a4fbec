import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import * as ops from '../ops.ts';
import { createTfjsEngine } from './engine.ts';
import { setWasmFiles, wasmFiles } from './files.ts';

test('the wasm backend starts from the files it is given, here as a data url', async () => {
  const file = createRequire(import.meta.url).resolve('@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm');
  const url = `data:application/wasm;base64,${readFileSync(file).toString('base64')}`;
  setWasmFiles({ 'tfjs-backend-wasm-simd.wasm': url, 'tfjs-backend-wasm.wasm': url, 'tfjs-backend-wasm-threaded-simd.wasm': url });
  expect(Object.values(wasmFiles() ?? {})).toEqual([url, url, url]);
  const fetched: string[] = [];
  const original = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    fetched.push(String(input).slice(0, 21));
    return original(input, init);
  };
  const engine = await createTfjsEngine('tfjs-wasm');
  globalThis.fetch = original;
  expect(fetched).toEqual(['data:application/wasm']);
  const program = engine.compile((g) => ({ y: ops.add(g.input('x', [2]), 1) }));
  program.in.x!.set([1, 2]);
  await program.run();
  expect([...program.out.y!]).toEqual([2, 3]);
  engine.dispose();
});
