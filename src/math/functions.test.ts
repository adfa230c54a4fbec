import { describe, expect, it } from 'vitest';
import { atan2, cos, exp, expm1, hypot, log, log1p, pow, sin, sqrt, tan, tanh } from './functions.ts';
import { Rng } from './rng.ts';

const view = new Float64Array(1);
const int = new BigInt64Array(view.buffer);

function order(x: number): bigint {
  view[0] = x;
  const v = int[0] as bigint;
  return v < 0n ? -(v & 0x7fffffffffffffffn) : v;
}

function ulps(a: number, b: number): number {
  if (Number.isNaN(a) && Number.isNaN(b)) return 0;
  const d = Number(order(a) - order(b));
  return Math.abs(d);
}

function worst(mine: (x: number) => number, theirs: (x: number) => number, low: number, high: number, n = 40_000): number {
  const rng = Rng.from(7);
  let most = 0;
  for (let i = 0; i < n; i++) {
    const x = low + (high - low) * (rng.uniform() + rng.uniform() * 2.3283064365386963e-10);
    most = Math.max(most, ulps(mine(x), theirs(x)));
  }
  return most;
}

describe('elementary functions', () => {
  // Math.* is itself up to 1 ulp off, so 2 ulp here means about 1 of ours
  const ranges: readonly [string, (x: number) => number, (x: number) => number, number, number, number][] = [
    ['sin small', sin, Math.sin, -0.8, 0.8, 1],
    ['sin', sin, Math.sin, -20, 20, 2],
    ['sin far', sin, Math.sin, -1e6, 1e6, 2],
    ['cos small', cos, Math.cos, -0.8, 0.8, 1],
    ['cos', cos, Math.cos, -20, 20, 2],
    ['cos far', cos, Math.cos, -1e6, 1e6, 2],
    ['tan', tan, Math.tan, -20, 20, 3],
    ['exp', exp, Math.exp, -20, 20, 1],
    ['exp wide', exp, Math.exp, -744, 709, 1],
    ['expm1', expm1, Math.expm1, -2, 2, 2],
    ['expm1 wide', expm1, Math.expm1, -50, 709, 2],
    ['log near 1', log, Math.log, 0.5, 2, 2],
    ['log', log, Math.log, 0, 1e6, 1],
    ['log1p', log1p, Math.log1p, -0.999, 3, 2],
    ['log1p near 0', log1p, Math.log1p, -1e-3, 1e-3, 1],
    ['tanh', tanh, Math.tanh, -3, 3, 3],
    ['tanh near 0', tanh, Math.tanh, -1e-3, 1e-3, 3],
    ['atan', (x) => atan2(x, 1), Math.atan, -5, 5, 1],
  ];
  it.each(ranges)('%s agrees with Math', (_name, mine, theirs, low, high, allowed) => {
    expect(worst(mine, theirs, low, high)).toBeLessThanOrEqual(allowed);
  });

  it('pow agrees with Math.pow', () => {
    const rng = Rng.from(3);
    let most = 0;
    for (let i = 0; i < 40_000; i++) {
      const x = exp(20 * rng.uniform() - 10);
      const y = 60 * rng.uniform() - 30;
      most = Math.max(most, ulps(pow(x, y), x ** y));
      const beta = 0.9 + 0.0999 * rng.uniform();
      const t = 1 + rng.int(2000);
      most = Math.max(most, ulps(pow(beta, t), beta ** t));
    }
    expect(most).toBeLessThanOrEqual(2);
  });

  it('atan2 agrees with Math.atan2 in every quadrant', () => {
    const rng = Rng.from(5);
    let most = 0;
    for (let i = 0; i < 40_000; i++) {
      const y = 2 * rng.uniform() - 1;
      const x = 2 * rng.uniform() - 1;
      most = Math.max(most, ulps(atan2(y, x), Math.atan2(y, x)));
    }
    expect(most).toBeLessThanOrEqual(2);
  });

  it('special values are those of Math', () => {
    const special = [0, -0, 1, -1, 2, -2, 0.5, -0.5, 3, -3, Infinity, -Infinity, Number.NaN, 5e-324, -5e-324, 1e308, -1e308, 1e-310];
    for (const x of special) {
      for (const [mine, theirs] of [
        [exp, Math.exp],
        [log, Math.log],
        [tanh, Math.tanh],
        [expm1, Math.expm1],
        [log1p, Math.log1p],
      ] as const)
        expect(ulps(mine(x), theirs(x)), `${theirs.name}(${x})`).toBeLessThanOrEqual(1);
      for (const y of special) {
        expect(ulps(pow(x, y), x ** y), `pow(${x}, ${y})`).toBeLessThanOrEqual(1);
        expect(Object.is(pow(x, y), -0), `pow(${x}, ${y}) sign`).toBe(Object.is(x ** y, -0));
        expect(ulps(atan2(x, y), Math.atan2(x, y)), `atan2(${x}, ${y})`).toBeLessThanOrEqual(1);
        expect(Object.is(atan2(x, y), -0), `atan2(${x}, ${y}) sign`).toBe(Object.is(Math.atan2(x, y), -0));
      }
    }
    for (const x of [Infinity, -Infinity, Number.NaN]) for (const f of [sin, cos, tan]) expect(f(x)).toBeNaN();
    expect(Object.is(sin(-0), -0)).toBe(true);
    expect(Object.is(tan(-0), -0)).toBe(true);
  });

  it('hypot and sqrt survive extremes', () => {
    expect(hypot(3, 4)).toBe(5);
    expect(hypot(3e200, 4e200)).toBeCloseTo(5e200, -187);
    expect(hypot(3e-200, 4e-200) / 5e-200).toBeCloseTo(1, 14);
    expect(hypot(0, 0)).toBe(0);
    expect(sqrt(2)).toBe(Math.SQRT2);
  });

  it('has the bits it always had', () => {
    // a fingerprint: any change of a coefficient or an order of operations moves it, and with it every recorded run
    let h = 2166136261;
    const mix = (x: number) => {
      view[0] = x;
      const v = int[0] as bigint;
      h = Math.imul(h ^ Number(v & 0xffffffffn), 16777619);
      h = Math.imul(h ^ Number((v >> 32n) & 0xffffffffn), 16777619);
    };
    const rng = Rng.from(11);
    for (let i = 0; i < 3000; i++) {
      const x = 16 * rng.uniform() - 8;
      for (const f of [sin, cos, tan, exp, tanh, expm1]) mix(f(x));
      mix(log(Math.abs(x)));
      mix(pow(Math.abs(x), rng.uniform() * 4));
      mix(atan2(x, rng.uniform() - 0.5));
    }
    expect(h >>> 0).toMatchInlineSnapshot(`3541527337`);
  });
});
