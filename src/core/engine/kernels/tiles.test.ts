/** Which kernel multiplies is a matter of speed: tall and flat tiles and the list of what is not zero must give the same bits for every size. */
import { expect, test } from 'vitest';
import { Rng } from '#math/rng.ts';
import { openMachine } from '../wasm/memory.ts';

/** `toEqual` of as many numbers takes twenty times as long as the products. */
const sameBits = (a: readonly Float32Array[] = [], b: readonly Float32Array[] = []): boolean =>
  a.length === b.length && a.every((view, i) => Buffer.from(view.buffer).equals(Buffer.from(b[i]?.buffer ?? new ArrayBuffer(0))));

const SIZES = [1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 17, 24, 31, 40, 65, 128];

test('tall and flat tiles give the same bits', async () => {
  const { memory, kernels } = await openMachine(64);
  const rng = Rng.from(11);
  const numbers = (count: number): number => {
    const at = memory.allocate(count * 4);
    const view = memory.view(at, count);
    for (let i = 0; i < count; i++) view[i] = rng.uniform() - 0.5;
    return at;
  };
  const a = numbers(128 * 300);
  const b = numbers(300 * 128);
  const d = numbers(128 * 128);
  const out = numbers(300 * 128);
  let compared = 0;
  for (const m of SIZES) {
    for (const n of SIZES) {
      for (const k of [1, 4, 17, 64, 300]) {
        const results = [0, 1].map((tall) => {
          kernels.setTall(tall);
          const area = memory.view(out, k * n);
          kernels.matmul(out, n * 4, a, k * 4, b, n * 4, d, 6, m, k, n);
          const product = memory.view(out, m * n).slice();
          area.fill(0.25);
          kernels.matmulTN(out, n * 4, a, k * 4, d, n * 4, m, k, n, 1);
          return [product, area.slice()] as const;
        });
        expect(sameBits(results[1], results[0]), `${m} x ${k} x ${n}`).toBe(true);
        compared++;
      }
    }
  }
  expect(compared).toBe(SIZES.length * SIZES.length * 5);
});

test('rows of mostly zeros give the same bits as the dense tiles', async () => {
  const { memory, kernels } = await openMachine(64);
  const rng = Rng.from(12);
  const [m, widest] = [33, 1100];
  const numbers = (count: number): Float32Array => memory.view(memory.allocate(count * 4), count);
  const [a, b, d, out] = [numbers(m * widest), numbers(widest * 72), numbers(m * 72), numbers(widest * 72)] as const;
  for (const view of [b, d]) for (let i = 0; i < view.length; i++) view[i] = rng.uniform() - 0.5;
  for (const k of [128, 131, 980, 1100]) {
    for (const n of [8, 21, 32, 64, 71]) {
      // The first row decides: a dense one sends all rows through the tiles, where the same numbers must come out.
      const results = [0.5, 0].map((dense) => {
        const again = Rng.from(13);
        for (let i = 0; i < m * k; i++) a[i] = again.int(9) === 0 ? again.int(3) - 1 : 0;
        for (let i = 0; i < k; i++) a[i] = dense;
        kernels.matmul(out.byteOffset, n * 4, a.byteOffset, k * 4, b.byteOffset, n * 4, d.byteOffset + n * 4, 0, m, k, n);
        const product = out.slice(n, m * n);
        d.fill(0, 0, n); // what the dense row would add to the gradient
        out.fill(0.25);
        kernels.matmulTN(out.byteOffset, n * 4, a.byteOffset, k * 4, d.byteOffset, n * 4, m, k, n, 1);
        return [product, out.slice(0, k * n)] as const;
      });
      expect(results[1], `${k} x ${n}`).toEqual(results[0]);
    }
  }
});
