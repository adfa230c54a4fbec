/** One-hot codes as lists of columns must give the bits of the same products with the zeros and ones written out. */
import { expect, test } from 'vitest';
import { encode, encodedSize } from '#core/nets/encoder.ts';
import { Rng } from '#math/rng.ts';
import { gradients } from '../autodiff.ts';
import { add, linear, square, sum } from '../ops.ts';
import type { Graph, Tensor } from '../types.ts';
import { createWasmEngine } from '../wasm/engine.ts';

const engine = await createWasmEngine({ poison: true });

/** Three layers side by side on one matrix, two of them of the same weights, and the gradients of the weights. */
function layers(g: Graph, x: Tensor, columns: number, width: number) {
  const [w, v] = [g.input('w', [columns, width]), g.input('v', [columns, width])];
  const first = linear(x, w, g.input('b', [width]), 'tanh');
  const second = linear(x, v);
  const third = linear(x, v, undefined, 'tanh'); // of the same weights: its gradient is added to that of the second
  const loss = sum(add(square(first), add(square(second), square(third))));
  const [dw, dv] = gradients(loss, [w, v]) as [Tensor, Tensor];
  return { first, second, third, dw, dv };
}

test.each([
  { rows: 2, shape: [7, 7, 3], codes: [11, 6, 3], extra: 4, width: 64 },
  { rows: 40, shape: [7, 7, 3], codes: [11, 6, 3], extra: 4, width: 64 },
  { rows: 600, shape: [5, 4, 2], codes: [5, 3], extra: 1, width: 40 },
  { rows: 33, shape: [3, 3, 1], codes: [4], extra: 0, width: 7 },
  { rows: 9, shape: [1, 5, 3], codes: [2, 1, 4], extra: 3, width: 1 },
  { rows: 24, shape: [16, 16, 3], codes: [3, 2, 2], extra: 2, width: 36 },
] as const)('$rows rows of $shape codes, $width columns', ({ rows, shape, codes, extra, width }) => {
  const space = { kind: 'grid', shape, codes: [...codes], extra } as const;
  const columns = encodedSize(space);
  const numbers = shape[0] * shape[1] * shape[2] + extra;
  const rng = Rng.from(rows);
  const obs = Float32Array.from({ length: rows * numbers }, (_, i) => {
    const at = i % numbers;
    if (at >= numbers - extra) return rng.int(2) * (rng.uniform() - 0.5);
    const odd = [-1, 0.5, Number.NaN, 1e9, -0, 300];
    return rng.int(20) === 0 ? odd[rng.int(odd.length)]! : rng.int(codes[at % codes.length]!);
  });
  // Most rows begin like an earlier one, some are the same up to the numbers behind the codes, one has no code at all.
  for (let row = 1; row < rows; row++) {
    const from = numbers * rng.int(row);
    const same = rng.int(5) === 0 ? 0 : rng.int(3) === 0 ? numbers - extra : rng.int(numbers - extra);
    obs.copyWithin(numbers * row, from, from + same);
  }
  obs.fill(0.5, numbers, 2 * numbers - extra);
  const feeds = Object.fromEntries(
    [columns * width, columns * width, width].map((n, i) => [
      ['w', 'v', 'b'][i]!,
      Float32Array.from({ length: n }, () => rng.uniform() - 0.5),
    ]),
  );

  const written = engine.compile({ obs: [rows, numbers] }, ({ obs: x }, g) => ({ x: encode(g, x, space) }));
  written.in.obs.set(obs);
  written.run();
  const lists = engine.compile((g) => layers(g, encode(g, g.input('obs', [rows, numbers]), space), columns, width));
  const dense = engine.compile((g) => layers(g, g.input('x', [rows, columns]), columns, width));
  lists.in.obs!.set(obs);
  dense.in.x!.set(written.out.x);
  for (const program of [lists, dense]) {
    for (const [name, data] of Object.entries(feeds)) program.in[name]!.set(data);
    program.run();
    program.run();
  }
  for (const name of ['first', 'second', 'third', 'dw', 'dv'] as const) expect(lists.out[name], name).toEqual(dense.out[name]);
  expect(lists.stats.flops).toBeLessThan(dense.stats.flops);
});
