/**
 * Elementary functions on four float32 lanes. Every step is a plain float32 add, multiply, divide or integer operation, so the
 * bits follow from this source on every machine. Polynomial coefficients are own near-minimax fits (reweighted least squares in
 * float64, rounded to float32). Largest errors against float64 (see accuracy.test.ts): exp 1 ulp, log 1 ulp, sin and cos 1e-7
 * absolute below 8192, tanh 3.5e-7. NaN in gives NaN out; exp, log and tanh honour infinities and zeros. No fused multiply-add, no
 * relaxed SIMD. Constants lie in memory: one broadcasting load each, where a v128 constant costs V8 four instructions per use.
 */

@inline export function splat(x: f32): v128 {
  return f32x4.splat(x);
}

/** Entry i of a table of constants, in all lanes. */
@inline export function k(table: usize, i: usize): v128 {
  return v128.load_splat<f32>(table + (i << 2));
}

// ROUND below is 1.5 * 2^23: adding it rounds to a whole number, ties to even, and leaves that in the low bits, which is cheaper
// than nearest and a conversion.

// 0: 1/ln2, 1: ROUND, 2 and 3: ln2 in two parts (products of the first with whole numbers are exact), 4: 1,
// 5-9: P4, highest power first, 10-14: bounds
export const EXP = memory.data<f32>([
  1.44269504, 12582912, 0.693359375, -0.00021219444, 1,
  0.00138145, 0.00836875, 0.04166839, 0.16666521, 0.49999994,
  88.8, -87.4, -87.33654, 88.72284, -87.3,
]);

/** exp(r) - 1 = r + r^2 P4(r) for |r| <= ln2 / 2. */
@inline function expm1Poly(r: v128): v128 {
  let p = f32x4.add(f32x4.mul(k(EXP, 5), r), k(EXP, 6));
  p = f32x4.add(f32x4.mul(p, r), k(EXP, 7));
  p = f32x4.add(f32x4.mul(p, r), k(EXP, 8));
  p = f32x4.add(f32x4.mul(p, r), k(EXP, 9));
  return f32x4.add(r, f32x4.mul(f32x4.mul(r, r), p));
}

/** c - n ln2 for t = n + ROUND, n = nearest(c / ln2). */
@inline export function reduceLn2(c: v128, t: v128): v128 {
  const n = f32x4.sub(t, k(EXP, 1));
  return f32x4.sub(f32x4.sub(c, f32x4.mul(n, k(EXP, 2))), f32x4.mul(n, k(EXP, 3)));
}

/** e^x; 0 below -87.33654, infinity above 88.72284. */
@inline export function exp4(x: v128): v128 {
  // The data operand comes first, so that NaN passes through pmin and pmax.
  const c = f32x4.pmax(f32x4.pmin(x, k(EXP, 10)), k(EXP, 11));
  const t = f32x4.add(f32x4.mul(c, k(EXP, 0)), k(EXP, 1));
  return scaleExp(x, f32x4.add(k(EXP, 4), expm1Poly(reduceLn2(c, t))), t);
}

/** p 2^n for t = n + ROUND, with what lies beyond the bounds and NaN put in place. */
@inline export function scaleExp(x: v128, p: v128, t: v128): v128 {
  // p is in [.7, 1.42]: adding n to its exponent multiplies by 2^n and stays in range for all x that are not replaced below
  const y = v128.andnot(i32x4.add(p, i32x4.shl(t, 23)), f32x4.lt(x, k(EXP, 12)));
  const z = v128.bitselect(splat(f32.MAX_VALUE * 2), y, f32x4.gt(x, k(EXP, 13)));
  return v128.bitselect(z, x, f32x4.eq(x, x)); // the bits of NaN do not survive an integer addition
}

/** e^x - 1 for x <= 0, accurate near 0: what elu needs. */
@inline function expm1Negative(x: v128): v128 {
  const c = f32x4.pmax(x, k(EXP, 14));
  const t = f32x4.add(f32x4.mul(c, k(EXP, 0)), k(EXP, 1));
  const p = expm1Poly(reduceLn2(c, t));
  const full = f32x4.sub(i32x4.add(f32x4.add(k(EXP, 4), p), i32x4.shl(t, 23)), k(EXP, 4));
  const y = v128.bitselect(p, full, f32x4.eq(t, k(EXP, 1)));
  return v128.bitselect(y, x, f32x4.eq(x, x));
}

// 0-7: P7, highest power first, 8 and 9: ln2 in two parts, 10: 1/2, 11: smallest normal number, 12: 2^23, 13: 23, 14: 1,
// 15: where log1p changes over
const LOG = memory.data<f32>([
  -0.07636547, 0.12764674, -0.1316089, 0.14201395, -0.16623253, 0.20001239, -0.25000823, 0.33333331,
  -0.00021219444, 0.693359375, 0.5, 1.17549435e-38, 8388608, 23, 1, 0.41421357,
]);

/** log(1 + f) + e ln2 = f - f^2/2 + f^3 P7(f) + e ln2 for f in [sqrt(.5) - 1, sqrt(2) - 1]. */
@inline function logPoly(f: v128, e: v128): v128 {
  let p = f32x4.add(f32x4.mul(k(LOG, 0), f), k(LOG, 1));
  p = f32x4.add(f32x4.mul(p, f), k(LOG, 2));
  p = f32x4.add(f32x4.mul(p, f), k(LOG, 3));
  p = f32x4.add(f32x4.mul(p, f), k(LOG, 4));
  p = f32x4.add(f32x4.mul(p, f), k(LOG, 5));
  p = f32x4.add(f32x4.mul(p, f), k(LOG, 6));
  p = f32x4.add(f32x4.mul(p, f), k(LOG, 7));
  const z = f32x4.mul(f, f);
  let y = f32x4.mul(f32x4.mul(p, f), z);
  y = f32x4.add(y, f32x4.mul(e, k(LOG, 8)));
  y = f32x4.sub(y, f32x4.mul(z, k(LOG, 10)));
  return f32x4.add(f32x4.add(f, y), f32x4.mul(e, k(LOG, 9)));
}

/** Natural logarithm; -infinity at 0, NaN below, subnormals by scaling with 2^23. */
@inline export function log4(x: v128): v128 {
  const tiny = f32x4.lt(x, k(LOG, 11));
  const s = v128.bitselect(f32x4.mul(x, k(LOG, 12)), x, tiny);
  const shifted = i32x4.sub(s, i32x4.splat(0x3f3504f3)); // bits of sqrt(.5)
  const e = i32x4.shr_s(shifted, 23);
  const m = i32x4.sub(s, i32x4.shl(e, 23));
  const exponent = f32x4.sub(f32x4.convert_i32x4_s(e), v128.and(tiny, k(LOG, 13)));
  let y = logPoly(f32x4.sub(m, k(LOG, 14)), exponent);
  y = v128.bitselect(splat(f32.MAX_VALUE * -2), y, f32x4.eq(x, splat(0)));
  // x - x is 0 for finite numbers and NaN for infinities and NaN, which give themselves; below 0 the result is NaN
  y = v128.bitselect(y, x, f32x4.eq(f32x4.sub(x, x), splat(0)));
  return v128.bitselect(splat(f32.NaN), y, f32x4.lt(x, splat(0)));
}

/** log(1 + y) for y in [0, 1], accurate near 0: what softplus needs. */
@inline function log1pUnit(y: v128): v128 {
  const upper = f32x4.gt(y, k(LOG, 15));
  const f = v128.bitselect(f32x4.mul(f32x4.sub(y, k(LOG, 14)), k(LOG, 10)), y, upper);
  return logPoly(f, v128.and(upper, k(LOG, 14)));
}

// 0-3: P, 4-7: Q, highest power first; 8: 1, 9: -1, 10 and 11: bounds at which the quotient is 1 - 2^-24 in size, as near to 1 as it comes
export const TANH = memory.data<f32>([
  1.3265812e-8, 2.054508e-5, 3.4917013e-3, 0.13377753,
  7.7402336e-7, 3.2792771e-4, 0.025862196, 0.46711066,
  1, -1, 9.01, -9.01,
]);

/** Rational x P(x^2) / Q(x^2), clamped to [-1, 1]; 6 ulp. Do not form log(1 - tanh^2) from it. */
@inline export function tanh4(x: v128): v128 {
  const c = f32x4.pmax(f32x4.pmin(x, k(TANH, 10)), k(TANH, 11));
  const z = f32x4.mul(c, c);
  let p = f32x4.add(f32x4.mul(k(TANH, 0), z), k(TANH, 1));
  p = f32x4.add(f32x4.mul(p, z), k(TANH, 2));
  p = f32x4.add(f32x4.mul(p, z), k(TANH, 3));
  p = f32x4.add(f32x4.mul(p, z), k(TANH, 8));
  let q = f32x4.add(f32x4.mul(k(TANH, 4), z), k(TANH, 5));
  q = f32x4.add(f32x4.mul(q, z), k(TANH, 6));
  q = f32x4.add(f32x4.mul(q, z), k(TANH, 7));
  q = f32x4.add(f32x4.mul(q, z), k(TANH, 8));
  const y = f32x4.div(f32x4.mul(c, p), q);
  return f32x4.pmax(f32x4.pmin(y, k(TANH, 8)), k(TANH, 9));
}

@inline export function sigmoid4(x: v128): v128 {
  return f32x4.div(k(TANH, 8), f32x4.add(k(TANH, 8), exp4(f32x4.neg(x))));
}

/** Keeps NaN (and -0). */
@inline export function relu4(x: v128): v128 {
  return f32x4.pmax(x, splat(0));
}

@inline export function elu4(x: v128): v128 {
  return v128.bitselect(x, expm1Negative(f32x4.pmin(x, splat(0))), f32x4.gt(x, splat(0)));
}

/** log(1 + e^x) = max(x, 0) + log(1 + e^-|x|). */
@inline export function softplus4(x: v128): v128 {
  return f32x4.add(f32x4.pmax(x, splat(0)), log1pUnit(exp4(f32x4.neg(f32x4.abs(x)))));
}

// sqrt(2/pi), .044715, 1/2, 1
const GELU = memory.data<f32>([0.7978845608, 0.044715, 0.5, 1]);

/** Tanh form: x/2 (1 + tanh(sqrt(2/pi) (x + .044715 x^3))). */
@inline export function gelu4(x: v128): v128 {
  const inner = f32x4.mul(k(GELU, 0), f32x4.add(x, f32x4.mul(k(GELU, 1), f32x4.mul(x, f32x4.mul(x, x)))));
  return f32x4.mul(f32x4.mul(k(GELU, 2), x), f32x4.add(k(GELU, 3), tanh4(inner)));
}

// 0: 2/pi, 1: ROUND, 2-4: pi/2 in three parts, 5 and 6: bounds of the remainder, 7-9: sine, 10-12: cosine, highest power first, 13: 1, 14: 1/2
const CIRCLE = memory.data<f32>([
  0.636619772, 12582912, 1.5703125, 4.83751297e-4, 7.54978995e-8, 0.7864, -0.7864,
  -0.00019516976, 0.008332176, -0.16666655, 2.443809e-5, -0.0013887364, 0.041666646, 1, 0.5,
]);

/** sin (shift 0) and cos (shift 1) of x: reduce by pi/2 in three parts, pick the polynomial by quadrant. */
@inline function sinCos(x: v128, shift: i32): v128 {
  const t = f32x4.add(f32x4.mul(x, k(CIRCLE, 0)), k(CIRCLE, 1));
  const n = f32x4.sub(t, k(CIRCLE, 1));
  let r = f32x4.sub(x, f32x4.mul(n, k(CIRCLE, 2)));
  r = f32x4.sub(r, f32x4.mul(n, k(CIRCLE, 3)));
  r = f32x4.sub(r, f32x4.mul(n, k(CIRCLE, 4)));
  r = f32x4.pmax(f32x4.pmin(r, k(CIRCLE, 5)), k(CIRCLE, 6)); // keeps |result| <= 1 where x is too large to reduce
  const z = f32x4.mul(r, r);
  let s = f32x4.add(f32x4.mul(k(CIRCLE, 7), z), k(CIRCLE, 8));
  s = f32x4.add(f32x4.mul(s, z), k(CIRCLE, 9));
  s = f32x4.add(r, f32x4.mul(f32x4.mul(s, z), r));
  let c = f32x4.add(f32x4.mul(k(CIRCLE, 10), z), k(CIRCLE, 11));
  c = f32x4.add(f32x4.mul(c, z), k(CIRCLE, 12));
  c = f32x4.add(f32x4.sub(k(CIRCLE, 13), f32x4.mul(z, k(CIRCLE, 14))), f32x4.mul(f32x4.mul(z, z), c));
  const quadrant = i32x4.add(t, i32x4.splat(shift));
  const odd = i32x4.shr_s(i32x4.shl(quadrant, 31), 31);
  const sign = i32x4.shl(i32x4.shr_u(quadrant, 1), 31);
  return v128.xor(v128.bitselect(c, s, odd), sign);
}

@inline export function sin4(x: v128): v128 {
  return sinCos(x, 0);
}

@inline export function cos4(x: v128): v128 {
  return sinCos(x, 1);
}

/** -1, 0 or 1; NaN passes. */
@inline export function sign4(x: v128): v128 {
  const positive = v128.and(f32x4.gt(x, splat(0)), splat(1));
  const negative = v128.and(f32x4.lt(x, splat(0)), splat(-1));
  const y = v128.or(positive, negative);
  return v128.bitselect(y, x, f32x4.eq(x, x));
}
