/**
 * Sine and cosine in float32, and the minimum, maximum and clamp of Box2D. The module computes them itself, so that no platform's own
 * function decides a bit. Polynomials and reduction: Arm's optimized routines (sinf.c, MIT), the method of glibc from 2.28 on.
 */

const PER_QUARTER: f64 = 10680707.430881744; // 2^24 * 2 / pi
const QUARTER: f64 = 1.5707963267948966;
const C1: f64 = -0.49999999725108224;
const C2: f64 = 0.041666623324344516;
const C3: f64 = -0.001388676379437604;
const C4: f64 = 0.000024390450703564542;
const S1: f64 = -0.16666654943701084;
const S2: f64 = 0.008332178146138854;
const S3: f64 = -0.00019517298981385725;

// @ts-ignore: decorator
@inline function poly(x: f64, x2: f64, negative: bool, odd: bool): f32 {
  if (!odd) {
    const x3 = x * x2;
    const s1 = S2 + x2 * S3;
    const x7 = x3 * x2;
    const s = x + x3 * S1;
    return f32(s + x7 * s1);
  }
  const x4 = x2 * x2;
  const sign: f64 = negative ? -1 : 1;
  const c2 = sign * C3 + x2 * (sign * C4);
  const c1 = sign + x2 * (sign * C1);
  const x6 = x4 * x2;
  const c = c1 + x4 * (sign * C2);
  return f32(c + x6 * c2);
}

// @ts-ignore: decorator
@inline function turns(x: f64): i32 { return (i32(x * PER_QUARTER) + 0x800000) >> 24; }

/** Of an angle below 120 radians in size; the bodies of these worlds end long before. */
export function sine(y: f32): f32 {
  const x = f64(y);
  if (Mathf.abs(y) < 0.000244140625) return y;
  const n = turns(x);
  const r = x - f64(n) * QUARTER;
  const flip: f64 = (n & 3) == 1 || (n & 3) == 2 ? -1 : 1;
  return poly(r * flip, r * r, (n & 2) != 0, (n & 1) != 0);
}

export function cosine(y: f32): f32 {
  const x = f64(y);
  if (Mathf.abs(y) < 0.000244140625) return 1;
  const n = turns(x);
  const r = x - f64(n) * QUARTER;
  const flip: f64 = (n & 3) == 1 || (n & 3) == 2 ? -1 : 1;
  return poly(r * flip, r * r, (n & 2) != 0, ((n ^ 1) & 1) != 0);
}

// Box2D's own, which differ from wasm's minimum and maximum for zeros of two signs.
// @ts-ignore: decorator
@inline export function lesser(a: f32, b: f32): f32 { return a < b ? a : b; }
// @ts-ignore: decorator
@inline export function larger(a: f32, b: f32): f32 { return a > b ? a : b; }
// @ts-ignore: decorator
@inline export function clamp(a: f32, low: f32, high: f32): f32 { return larger(low, lesser(a, high)); }

export const EPSILON: f32 = 1.1920928955078125e-7;
export const MAX: f32 = 3.4028234663852886e38;
const PI: f32 = 3.14159265359;
export const TWO_PI: f32 = <f32>2 * PI;
export const SLOP: f32 = 0.005;
export const ANGULAR_SLOP: f32 = (<f32>2 / <f32>180) * PI;
export const MAX_ANGULAR_CORRECTION: f32 = (<f32>8 / <f32>180) * PI;
export const MAX_ROTATION: f32 = <f32>0.5 * PI;
/** Shapes have a skin of this thickness, m. */
export const SKIN: f32 = <f32>2 * SLOP;
