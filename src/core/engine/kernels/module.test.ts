import { expect, test } from 'vitest';
import { compile, sourceHash } from '../../../../tools/build-kernels.mjs';
import { decodeBase64 } from '../wasm/kernels.ts';
import { kernelBytes, kernelSourceHash } from './module.ts';

test('the committed module belongs to the sources beside it', () => {
  expect(kernelSourceHash, 'run `npm run kernels`').toBe(sourceHash());
});

test('compiling the sources gives the committed bytes', async () => {
  expect(Buffer.from(await compile()).equals(Buffer.from(decodeBase64(kernelBytes)))).toBe(true);
}, 60_000);
