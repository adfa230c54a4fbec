import { expect, it } from 'vitest';
import { symmetricEigen } from './eigen.ts';
import { Rng } from './rng.ts';
import { normal } from './sampling.ts';

it.each([1, 2, 7, 30])('of %i rows: A v = lambda v, vectors orthonormal, trace kept', (n) => {
  const rng = Rng.from(n);
  const a = new Float64Array(n * n);
  for (let i = 0; i < n; i++) for (let j = i; j < n; j++) a[i * n + j] = a[j * n + i] = normal(rng);
  const { values, vectors } = symmetricEigen(a, n);
  let trace = 0;
  for (let k = 0; k < n; k++) {
    trace += values[k]! - a[k * n + k]!;
    for (let i = 0; i < n; i++) {
      let image = 0;
      let product = 0;
      for (let j = 0; j < n; j++) {
        image += a[i * n + j]! * vectors[j * n + k]!;
        product += vectors[j * n + i]! * vectors[j * n + k]!;
      }
      expect(image).toBeCloseTo(values[k]! * vectors[i * n + k]!, 10);
      expect(product).toBeCloseTo(i === k ? 1 : 0, 12);
    }
  }
  expect(trace).toBeCloseTo(0, 10);
});

it('finds values that are known, equal ones too', () => {
  const { values } = symmetricEigen(Float64Array.of(2, 1, 0, 1, 2, 0, 0, 0, 3), 3);
  expect(Array.from(values).sort()).toEqual([1, 3, 3].map((value) => expect.closeTo(value, 12)));
});
