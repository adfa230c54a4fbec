// biome-ignore-all lint/plugin: the platform's functions in float64 are what the kernels are measured against.
import { describe, expect, test } from 'vitest';
import { gradients } from '#core/engine/autodiff.ts';
import * as ops from '#core/engine/ops.ts';
import type { Program, Tensor } from '#core/engine/types.ts';
import { createWasmEngine } from '#core/engine/wasm/engine.ts';

const N = 4096;
const engine = await createWasmEngine();
const programs = new Map<string, Program>();
const FUNCTIONS = {
  exp: ops.exp,
  log: ops.log,
  tanh: ops.tanh,
  sigmoid: ops.sigmoid,
  softplus: ops.softplus,
  elu: ops.elu,
  gelu: ops.gelu,
  sin: ops.sin,
  cos: ops.cos,
  relu: ops.relu,
  sqrt: ops.sqrt,
  sign: ops.sign,
} satisfies { [name: string]: (x: Tensor) => Tensor };
type Name = keyof typeof FUNCTIONS;

function apply(name: Name, x: ArrayLike<number>): Float32Array {
  let program = programs.get(name);
  if (program === undefined) programs.set(name, (program = engine.compile((g) => ({ y: FUNCTIONS[name](g.input('x', [N])) }))));
  const data = new Float32Array(N);
  data.set(x);
  program.in.x!.set(data);
  program.run();
  return program.out.y!.slice(0, x.length);
}

/** Distance between neighbouring float32 numbers at x. */
function ulp(x: number): number {
  const exponent = Math.max(Math.floor(Math.log2(Math.abs(Math.fround(x)) || 1e-45)), -126);
  return 2 ** (exponent - 23);
}

/** Largest error over float32 numbers spread evenly over [from, to], or evenly in their logarithms. */
function scan(name: Name, exact: (x: number) => number, from: number, to: number, unit: 'ulp' | 'absolute', logarithmic = false): number {
  let worst = 0;
  for (let part = 0; part < 16; part++) {
    const x = Float32Array.from({ length: N }, (_, i) => {
      const t = (part * N + i) / (16 * N - 1);
      return logarithmic ? from * (to / from) ** t : from + (to - from) * t;
    });
    const y = apply(name, x);
    x.forEach((v, i) => {
      const want = exact(v);
      const error = Math.abs(y[i]! - want) / (unit === 'ulp' ? ulp(want) : 1);
      worst = Number.isNaN(error) ? Number.POSITIVE_INFINITY : Math.max(worst, error);
    });
  }
  return worst;
}

describe('errors against float64', () => {
  test('exp within 1 ulp', () => {
    expect(scan('exp', Math.exp, -87.33, 88.72, 'ulp')).toBeLessThan(1);
    expect(scan('exp', Math.exp, -1, 1, 'ulp')).toBeLessThan(1);
  });
  test('log within 1 ulp, subnormal numbers included', () => {
    expect(scan('log', Math.log, 1.2e-38, 3.4e38, 'ulp', true)).toBeLessThan(1);
    expect(scan('log', Math.log, 0.5, 2, 'ulp')).toBeLessThan(1);
    expect(scan('log', Math.log, 2e-45, 1.1e-38, 'ulp', true)).toBeLessThan(1);
  });
  test('tanh within 3.6e-7 and never above 1', () => {
    expect(scan('tanh', Math.tanh, -12, 12, 'absolute')).toBeLessThan(3.6e-7);
    expect(scan('tanh', Math.tanh, 1e-30, 1e-3, 'ulp', true)).toBeLessThan(3);
    expect(
      Math.max(
        ...apply(
          'tanh',
          Float32Array.from({ length: N }, (_, i) => 7 + i * 0.01),
        ),
      ),
    ).toBe(1);
  });
  test('sin and cos within 1.2e-7 up to 8192, and inside [-1, 1] everywhere', () => {
    for (const [name, exact] of [
      ['sin', Math.sin],
      ['cos', Math.cos],
    ] as const) {
      expect(scan(name, exact, -8192, 8192, 'absolute')).toBeLessThan(1.2e-7);
      expect(scan(name, exact, -4, 4, 'absolute')).toBeLessThan(1.2e-7);
      for (const y of apply(name, [1e6, -1e9, 1e20, 3.4e38])) expect(Math.abs(y)).toBeLessThanOrEqual(1);
    }
  });
  test('sigmoid, softplus and elu keep their relative accuracy in the tails', () => {
    expect(scan('sigmoid', (x) => 1 / (1 + Math.exp(-x)), -80, 30, 'ulp')).toBeLessThan(3);
    expect(scan('softplus', (x) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x))), -80, 80, 'ulp')).toBeLessThan(3);
    expect(scan('elu', (x) => (x > 0 ? x : Math.expm1(x)), -20, 5, 'ulp')).toBeLessThan(3);
  });
  test('gelu within 1e-6', () => {
    const gelu = (x: number): number => 0.5 * x * (1 + Math.tanh(0.7978845608028654 * (x + 0.044715 * x ** 3)));
    expect(scan('gelu', gelu, -6, 6, 'absolute')).toBeLessThan(1e-6);
  });
  test('the slope of gelu is 0 or 1 within 1e-7 where its tanh is at its bound', () => {
    const far = [-1e4, -100, -40, -20, 20, 40, 100, 1e4];
    const program = engine.compile((g) => {
      const x = g.input('x', [far.length]);
      return { slope: gradients(ops.sum(ops.gelu(x)), [x])[0]! };
    });
    program.in.x!.set(far);
    program.run();
    program.out.slope!.forEach((slope, i) => {
      expect(Math.abs(slope - Number(far[i]! > 0)), `at ${far[i]}`).toBeLessThan(1e-7);
    });
  });
});

describe('special values', () => {
  const inf = Number.POSITIVE_INFINITY;
  test.each([
    ['exp', [0, -0, inf, -inf, 88.8, -88, 1e30], [1, 1, inf, 0, inf, 0, inf]],
    ['log', [1, 0, -0, -1, inf, -inf], [0, -inf, -inf, Number.NaN, inf, Number.NaN]],
    ['tanh', [0, inf, -inf, 100], [0, 1, -1, 1]],
    ['sigmoid', [0, inf, -inf], [0.5, 1, 0]],
    ['softplus', [inf, -inf, 100], [inf, 0, 100]],
    ['elu', [inf, -inf, 0], [inf, -1, 0]],
    ['gelu', [0, inf, 10], [0, inf, 10]],
    ['sin', [0, inf, -inf], [0, Number.NaN, Number.NaN]],
    ['cos', [0, inf], [1, Number.NaN]],
    ['relu', [-1, inf, -inf], [0, inf, 0]],
    ['sqrt', [4, 0, -1, inf], [2, 0, Number.NaN, inf]],
    ['sign', [3, -2, 0, inf], [1, -1, 0, 1]],
  ] as [Name, number[], number[]][])('%s', (name, x, want) => {
    const y = apply(name, x);
    // beyond its clamp tanh is the last number below 1
    if (name === 'tanh')
      want.forEach((v, i) => {
        expect(y[i]).toBeCloseTo(v, 6);
      });
    else expect([...y].map((v) => v + 0)).toEqual(want.map((v) => Math.fround(v) + 0));
  });
  test('NaN stays NaN, whatever its bits', () => {
    const nan = new Float32Array(Uint32Array.of(0x7fc00000, 0xffc00000, 0x7f800001, 0x7fffffff, 0xff812345).buffer);
    for (const name of Object.keys(FUNCTIONS) as Name[])
      if (name !== 'sqrt') expect([...apply(name, nan)], name).toEqual(new Array(5).fill(Number.NaN));
  });
  test('min, max and amax pass NaN on; where tests for not 0', () => {
    const p = engine.compile((g) => {
      const [a, b] = [g.input('a', [4]), g.input('b', [4])];
      return { min: ops.minimum(a, b), max: ops.maximum(a, b), clip: ops.clip(a, -1, 1), top: ops.amax(a), where: ops.where(a, 1, 2) };
    });
    p.in.a!.set([Number.NaN, 1, 0, -0]);
    p.in.b!.set([1, Number.NaN, 0, 0]);
    p.run();
    expect([...p.out.min!.slice(0, 2), ...p.out.max!.slice(0, 2), p.out.clip![0], p.out.top![0]]).toEqual(new Array(6).fill(Number.NaN));
    expect([...p.out.where!]).toEqual([1, 1, 2, 2]);
  });
  test('a masked action keeps no probability', () => {
    const p = engine.compile((g) => ({ p: ops.softmax(g.input('logits', [2, 5])) }));
    p.in.logits!.set([1, -1e8, 2, -inf, 0.5, 0, 0, 0, 0, -1e8]);
    p.run();
    expect([p.out.p![1], p.out.p![3], p.out.p![9]]).toEqual([0, 0, 0]);
    expect(p.out.p!.slice(0, 5).reduce((a, b) => a + b)).toBeCloseTo(1, 6);
  });
});
