import { expect, test } from 'vitest';
import { sourceHash } from '../../../../tools/build-kernels.mjs';
import { moduleBytes, wasmApi } from '../wasm/kernels.ts';
import { kernelSourceHash } from './module.ts';

test('the committed module was made from the sources beside it, with this compiler and these flags', () => {
  expect(kernelSourceHash, 'run `npm run kernels`').toBe(sourceHash());
});

test('the module needs nothing but a memory', async () => {
  const bytes = await moduleBytes();
  expect([...bytes.slice(0, 4)]).toEqual([0, 0x61, 0x73, 0x6d]);
  const memory = new (wasmApi().Memory)({ initial: 1 });
  const { instance } = await wasmApi().instantiate(bytes, { env: { memory } });
  expect(Object.keys(instance.exports)).toContain('matmul');
});
