/** The tiles of matrix products are a matter of speed: tall and flat ones must give the same bits for every size. */
import { expect, test } from 'vitest';
import { Rng } from '../../math/rng.ts';
import { openMachine } from '../wasm/memory.ts';

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
        expect(results[1], `${m} x ${k} x ${n}`).toEqual(results[0]);
        compared++;
      }
    }
  }
  expect(compared).toBe(SIZES.length * SIZES.length * 5);
});
