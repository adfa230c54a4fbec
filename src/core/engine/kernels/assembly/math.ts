/**
 * Elementary functions on four float32 lanes. Every step is a plain float32 add, multiply, divide or integer operation, so the
 * bits follow from this source on every machine. Polynomial coefficients are own near-minimax fits (reweighted least squares in
 * float64, rounded to float32). Largest errors against float64 (see accuracy.test.ts): exp 1 ulp, log 1 ulp, sin and cos 1e-7
 * absolute below 8192, tanh 3.5e-7. NaN in gives NaN out; exp, log and tanh honour infinities and zeros. No fused multiply-add, no relaxed SIMD.
 */

@inline export function splat(x: f32): v128 {
  return f32x4.splat(x);
}

/** 1 + r + r^2 P4(r) for |r| <= ln2 / 2, without the leading 1: exp(r) - 1. */
@inline function expm1Poly(r: v128): v128 {
  let p = f32x4.add(f32x4.mul(splat(0.00138145), r), splat(0.00836875));
  p = f32x4.add(f32x4.mul(p, r), splat(0.04166839));
  p = f32x4.add(f32x4.mul(p, r), splat(0.16666521));
  p = f32x4.add(f32x4.mul(p, r), splat(0.49999994));
  return f32x4.add(r, f32x4.mul(f32x4.mul(r, r), p));
}

/** p * 2^n for n in [-252, 254], in two halves so that neither factor overflows. */
@inline function scalePow2(p: v128, n: v128): v128 {
  const half = i32x4.shr_s(n, 1);
  const rest = i32x4.sub(n, half);
  const bias = i32x4.splat(127);
  const a = i32x4.shl(i32x4.add(half, bias), 23);
  const b = i32x4.shl(i32x4.add(rest, bias), 23);
  return f32x4.mul(f32x4.mul(p, a), b);
}

/** e^x; 0 below -87.33654, infinity above 88.72284. */
@inline export function exp4(x: v128): v128 {
  // The data operand comes first, so that NaN passes through pmin and pmax.
  const c = f32x4.pmax(f32x4.pmin(x, splat(88.8)), splat(-87.4));
  const n = f32x4.nearest(f32x4.mul(c, splat(1.44269504)));
  const r = f32x4.sub(f32x4.sub(c, f32x4.mul(n, splat(0.693359375))), f32x4.mul(n, splat(-0.000212194440)));
  const y = scalePow2(f32x4.add(splat(1), expm1Poly(r)), i32x4.trunc_sat_f32x4_s(n));
  const zero = v128.andnot(y, f32x4.lt(x, splat(-87.33654)));
  return v128.bitselect(splat(f32.MAX_VALUE * 2), zero, f32x4.gt(x, splat(88.72284)));
}

/** e^x - 1 for x <= 0, accurate near 0: what elu needs. */
@inline export function expm1Negative(x: v128): v128 {
  const c = f32x4.pmax(x, splat(-87.3));
  const n = f32x4.nearest(f32x4.mul(c, splat(1.44269504)));
  const r = f32x4.sub(f32x4.sub(c, f32x4.mul(n, splat(0.693359375))), f32x4.mul(n, splat(-0.000212194440)));
  const p = expm1Poly(r);
  const full = f32x4.sub(scalePow2(f32x4.add(splat(1), p), i32x4.trunc_sat_f32x4_s(n)), splat(1));
  return v128.bitselect(p, full, f32x4.eq(n, splat(0)));
}

/** log(1 + f) + e ln2 for f in [sqrt(.5) - 1, sqrt(2) - 1]. */
@inline function logPoly(f: v128, e: v128): v128 {
  let p = f32x4.add(f32x4.mul(splat(-0.07636547), f), splat(0.12764674));
  p = f32x4.add(f32x4.mul(p, f), splat(-0.13160890));
  p = f32x4.add(f32x4.mul(p, f), splat(0.14201395));
  p = f32x4.add(f32x4.mul(p, f), splat(-0.16623253));
  p = f32x4.add(f32x4.mul(p, f), splat(0.20001239));
  p = f32x4.add(f32x4.mul(p, f), splat(-0.25000823));
  p = f32x4.add(f32x4.mul(p, f), splat(0.33333331));
  const z = f32x4.mul(f, f);
  let y = f32x4.mul(f32x4.mul(p, f), z);
  y = f32x4.add(y, f32x4.mul(e, splat(-0.000212194440)));
  y = f32x4.sub(y, f32x4.mul(z, splat(0.5)));
  return f32x4.add(f32x4.add(f, y), f32x4.mul(e, splat(0.693359375)));
}

/** Natural logarithm; -infinity at 0, NaN below, subnormals by scaling with 2^23. */
@inline export function log4(x: v128): v128 {
  const tiny = f32x4.lt(x, splat(1.17549435e-38));
  const s = v128.bitselect(f32x4.mul(x, splat(8388608)), x, tiny);
  const shifted = i32x4.sub(s, i32x4.splat(0x3f3504f3)); // bits of sqrt(.5)
  const e = i32x4.shr_s(shifted, 23);
  const m = i32x4.sub(s, i32x4.shl(e, 23));
  const exponent = f32x4.sub(f32x4.convert_i32x4_s(e), v128.and(tiny, splat(23)));
  let y = logPoly(f32x4.sub(m, splat(1)), exponent);
  y = v128.bitselect(splat(f32.MAX_VALUE * -2), y, f32x4.eq(x, splat(0)));
  y = v128.bitselect(splat(f32.NaN), y, f32x4.lt(x, splat(0)));
  // infinity and NaN give themselves: x - x is 0 for finite numbers and NaN for both of them
  const finite = f32x4.eq(f32x4.sub(x, x), splat(0));
  return v128.bitselect(y, v128.bitselect(splat(f32.NaN), x, f32x4.lt(x, splat(0))), finite);
}

/** log(1 + y) for y in [0, 1], accurate near 0: what softplus needs. */
@inline function log1pUnit(y: v128): v128 {
  const upper = f32x4.gt(y, splat(0.41421357));
  const f = v128.bitselect(f32x4.mul(f32x4.sub(y, splat(1)), splat(0.5)), y, upper);
  return logPoly(f, v128.and(upper, splat(1)));
}

/** Rational x P(x^2) / Q(x^2), clamped to [-1, 1]; 6 ulp. Do not form log(1 - tanh^2) from it. */
@inline export function tanh4(x: v128): v128 {
  const c = f32x4.pmax(f32x4.pmin(x, splat(9.01)), splat(-9.01));
  const z = f32x4.mul(c, c);
  let p = f32x4.add(f32x4.mul(splat(1.3265812e-8), z), splat(2.0545080e-5));
  p = f32x4.add(f32x4.mul(p, z), splat(3.4917013e-3));
  p = f32x4.add(f32x4.mul(p, z), splat(0.13377753));
  p = f32x4.add(f32x4.mul(p, z), splat(1));
  let q = f32x4.add(f32x4.mul(splat(7.7402336e-7), z), splat(3.2792771e-4));
  q = f32x4.add(f32x4.mul(q, z), splat(0.025862196));
  q = f32x4.add(f32x4.mul(q, z), splat(0.46711066));
  q = f32x4.add(f32x4.mul(q, z), splat(1));
  const y = f32x4.div(f32x4.mul(c, p), q);
  return f32x4.pmax(f32x4.pmin(y, splat(1)), splat(-1));
}

@inline export function sigmoid4(x: v128): v128 {
  return f32x4.div(splat(1), f32x4.add(splat(1), exp4(f32x4.neg(x))));
}

@inline export function relu4(x: v128): v128 {
  // 0 > x ? 0 : x keeps NaN; f32x4.max would give +0 for -0 as well, but costs more
  return f32x4.pmax(x, splat(0));
}

@inline export function elu4(x: v128): v128 {
  return v128.bitselect(x, expm1Negative(f32x4.pmin(x, splat(0))), f32x4.gt(x, splat(0)));
}

/** log(1 + e^x) = max(x, 0) + log(1 + e^-|x|). */
@inline export function softplus4(x: v128): v128 {
  return f32x4.add(f32x4.pmax(x, splat(0)), log1pUnit(exp4(f32x4.neg(f32x4.abs(x)))));
}

/** Tanh form: x/2 (1 + tanh(sqrt(2/pi) (x + .044715 x^3))). */
@inline export function gelu4(x: v128): v128 {
  const inner = f32x4.mul(splat(0.7978845608), f32x4.add(x, f32x4.mul(splat(0.044715), f32x4.mul(x, f32x4.mul(x, x)))));
  return f32x4.mul(f32x4.mul(splat(0.5), x), f32x4.add(splat(1), tanh4(inner)));
}

/** sin (shift 0) and cos (shift 1) of x: reduce by pi/2 in three parts, pick the polynomial by quadrant. */
@inline function sinCos(x: v128, shift: i32): v128 {
  const n = f32x4.nearest(f32x4.mul(x, splat(0.636619772)));
  let r = f32x4.sub(x, f32x4.mul(n, splat(1.5703125)));
  r = f32x4.sub(r, f32x4.mul(n, splat(4.83751297e-4)));
  r = f32x4.sub(r, f32x4.mul(n, splat(7.54978995e-8)));
  r = f32x4.pmax(f32x4.pmin(r, splat(0.7864)), splat(-0.7864)); // keeps |result| <= 1 where x is too large to reduce
  const z = f32x4.mul(r, r);
  let s = f32x4.add(f32x4.mul(splat(-0.00019516976), z), splat(0.008332176));
  s = f32x4.add(f32x4.mul(s, z), splat(-0.16666655));
  s = f32x4.add(r, f32x4.mul(f32x4.mul(s, z), r));
  let c = f32x4.add(f32x4.mul(splat(2.443809e-5), z), splat(-0.0013887364));
  c = f32x4.add(f32x4.mul(c, z), splat(0.041666646));
  c = f32x4.add(f32x4.sub(splat(1), f32x4.mul(z, splat(0.5))), f32x4.mul(f32x4.mul(z, z), c));
  const quadrant = i32x4.add(i32x4.trunc_sat_f32x4_s(n), i32x4.splat(shift));
  const odd = i32x4.eq(v128.and(quadrant, i32x4.splat(1)), i32x4.splat(1));
  const sign = i32x4.shl(v128.and(quadrant, i32x4.splat(2)), 30);
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
