import { describe, expect, test } from 'vitest';
import { Rng } from '#math/rng.ts';
import { convTrunk } from '../nets/conv.ts';
import { encode } from '../nets/encoder.ts';
import { mlp, norm, qNetwork } from '../nets/mlp.ts';
import { cut } from './cut.ts';
import * as ops from './ops.ts';
import type { Engine, Graph, Program, Tensor } from './types.ts';
import { createWasmEngine } from './wasm/engine.ts';

const ROWS = 6;
type Build = (g: Graph) => { readonly [name: string]: Tensor };

function halves(engine: Engine, build: Build): { whole: Program; front: Program; back: Program } {
  const whole = engine.compile(build);
  const front = whole.derive((outputs) => ({ sums: cut(outputs, 'x')!.sums }));
  const back = whole.derive((outputs) => {
    const { sums, behind } = cut(outputs, 'x')!;
    return behind(sums.graph.input('sums', sums.shape));
  });
  return { whole, front, back };
}

/** Largest difference between the whole network and its halves on made-up rows. */
function error(engine: Engine, build: Build, numbers: (i: number) => number): number {
  const { whole, front, back } = halves(engine, build);
  for (let i = 0; i < whole.in.x!.length; i++) whole.in.x![i] = numbers(i);
  front.in.x!.set(whole.in.x!);
  whole.run();
  front.run();
  back.in.sums!.set(front.out.sums!);
  back.run();
  let most = 0;
  for (const [name, wanted] of Object.entries(whole.out))
    for (let i = 0; i < wanted!.length; i++) most = Math.max(most, Math.abs(wanted![i]! - back.out[name]![i]!));
  expect(Object.keys(back.out)).toEqual(Object.keys(whole.out));
  expect(most === 0 && whole.out[Object.keys(whole.out)[0]!]!.every((v) => v === 0)).toBe(false);
  return most;
}

describe('halves of a network say what the whole says', () => {
  const rng = Rng.from(8);
  const any = (): number => 2 * rng.uniform() - 1;

  test('layers with a bias, two networks side by side, one trunk for two heads', async () => {
    const engine = await createWasmEngine();
    const group = engine.group('net');
    const a = mlp(group, 'a', Rng.from(1), [5, 17, 9, 3]);
    const b = mlp(group, 'b', Rng.from(2), [5, 8, 1], { act: 'relu' });
    const q = qNetwork(group, Rng.from(3), [5, 12, 4], { dueling: true });
    const x = (g: Graph): Tensor => g.input('x', [ROWS, 5]);
    expect(error(engine, (g) => ({ a: a(x(g)), b: b(x(g)) }), any)).toBeLessThan(1e-6);
    expect(error(engine, (g) => ({ q: ops.softmax(q(x(g))) }), any)).toBeLessThan(1e-6);
    const { front } = halves(engine, (g) => ({ a: a(x(g)), b: b(x(g)) }));
    expect(front.out.sums!.length).toBe(ROWS * (17 + 8));
  });

  test('one-hot codes: the sums add up over the numbers', async () => {
    const engine = await createWasmEngine();
    const space = { kind: 'grid' as const, shape: [2, 2, 2] as const, codes: [3, 4], extra: 1 };
    const net = mlp(engine.group('net'), 'a', Rng.from(1), [29, 7, 2]);
    const build: Build = (g) => ({ y: net(encode(g, g.input('x', [ROWS, 9]), space)) });
    expect(error(engine, build, () => rng.int(3))).toBeLessThan(1e-6);
    const { front } = halves(engine, build);
    const [one, other] = [Float32Array.of(0, 1, 2, 3, 1, 0, 2, 2, 0.5), Float32Array.of(2, 0, 1, 1, 1, 3, 0, 2, -1)];
    const mixed = one.map((v, i) => (i < 4 ? v : other[i]!));
    const rest = one.map((v, i) => (i < 4 ? other[i]! : v));
    front.in.x!.set([...one, ...other, ...mixed, ...rest]);
    front.run();
    const sums = front.out.sums!;
    for (let k = 0; k < 7; k++) expect(sums[k]! + sums[7 + k]!).toBeCloseTo(sums[14 + k]! + sums[21 + k]!, 5);
  });
});

test('what does not begin with weighted sums is not cut', async () => {
  const engine = await createWasmEngine();
  const group = engine.group('net');
  const net = mlp(group, 'a', Rng.from(1), [4, 3]);
  const normed = norm(group, 'n', 4);
  const conv = convTrunk(group, 'c', Rng.from(1), [4, 4, 1], { hidden: [3] });
  const refused: { readonly [why: string]: (g: Graph) => Tensor } = {
    'two numbers are multiplied': (g) => {
      const x = g.input('x', [ROWS, 4]);
      return net(ops.mul(x, ops.concat([ops.sliceAxis(x, 1, 1, 3), ops.sliceAxis(x, 1, 0, 1)], 1)));
    },
    'the row is normalised': (g) => net(normed(g.input('x', [ROWS, 4]))),
    'a convolution': (g) => conv.net(g.input('x', [ROWS, 16])),
    'the numbers go past the sums': (g) => ops.add(ops.sum(net(g.input('x', [ROWS, 4])), 1), ops.sum(g.input('x', [ROWS, 4]), 1)),
    'rows are mixed': (g) => net(ops.transpose(g.input('x', [4, 4]))),
    'the numbers come out': (g) => ops.tanh(g.input('x', [ROWS, 4])),
    'nothing depends on it': (g) => net(g.input('z', [ROWS, 4])),
  };
  for (const [why, build] of Object.entries(refused)) {
    const found: unknown[] = [];
    engine.compile((g) => {
      const y = build(g);
      found.push(cut({ y }, 'x'));
      return { y };
    });
    expect(found, why).toEqual([null]);
  }
});
