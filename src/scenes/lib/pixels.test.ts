import { expect, test } from 'vitest';
import { uprightRows } from './pixels.ts';

test('the lowest row comes first and colours are multiplied by alpha; afterwards neither', () => {
  const from = Uint8Array.of(
    ...[10, 20, 30, 255], // below, left
    ...[50, 25, 0, 100],
    ...[0, 0, 0, 0], // above, left
    ...[7, 7, 7, 255],
  );
  const to = new Uint8ClampedArray(16).fill(99);
  uprightRows(from, to, 2);
  expect([...to]).toEqual([0, 0, 0, 0, 7, 7, 7, 255, 10, 20, 30, 255, 128, 64, 0, 100]);
});
